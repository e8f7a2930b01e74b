/** Signs orders in the merchant's backend. The server verifies signed orders in `signed.ts`. */

import type { JWK } from 'jose'
import type { OrderInput } from './function.ts'

export interface SignOrderOptions {
  /**
   * Either the value of ORDER_SIGNING_KEY, at least 32 bytes, or a private key as JSON Web Key (Ed25519 or P-256). The
   * `kid` of a private key must be the `kid` of its public key in ORDER_PUBLIC_KEYS.
   */
  key: string | JWK
  /** The setting PUBLIC_URL of the server that receives the order. */
  audience: string
  /** Time of the signature, in seconds since the Unix epoch. */
  issuedAt: number
  /**
   * The time during which a checkout of the order can be started, in seconds from `issuedAt`; at most
   * ORDER_MAX_LIFETIME.
   */
  lifetime: number
}

/**
 * Signs an order for the `order` attribute of the element `<gateway-checkout>`. Call this function on the merchant's
 * server. Use a new reference if the terms of an order change. If two orders have the same reference and different
 * terms, the server refuses the older order.
 *
 * @param order The order. `amount` is in major units of the currency and has no fraction: 1500 means KES 1,500.
 * @param options The signing key, the audience, and the order's times in seconds.
 * @returns The text for the `order` attribute, which is a compact JWS. The key determines the algorithm: HS256, EdDSA
 * or ES256.
 * @example
 * const order = await signOrder(
 *   { order: 'A-1042', amount: 1500, currency: 'KES', narration: 'Two kangas' },
 *   { key, audience: 'https://pay.shop.example', issuedAt: Math.floor(Date.now() / 1000), lifetime: 3600 },
 * )
 */
export async function signOrder(
  order: OrderInput,
  { key, audience, issuedAt, lifetime }: SignOrderOptions,
): Promise<string> {
  const { header, secret } = await readKey(key)
  const { SignJWT } = await import('jose')
  return new SignJWT({ ...order, amount: String(order.amount) })
    .setProtectedHeader(header)
    .setAudience(audience)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + lifetime)
    .sign(secret)
}

async function readKey(key: string | JWK) {
  if (typeof key === 'string') return { header: { alg: 'HS256' }, secret: new TextEncoder().encode(key) }
  if (key.kid === undefined) throw new TypeError('The key has no kid, by which ORDER_PUBLIC_KEYS names it.')
  const alg = key.kty === 'OKP' ? 'EdDSA' : 'ES256'
  const { importJWK } = await import('jose')
  return { header: { alg, kid: key.kid }, secret: await importJWK(key, alg) }
}
