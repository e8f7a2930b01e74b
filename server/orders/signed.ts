/**
 * Creates and verifies signed orders. The merchant's backend signs an order as a compact JWS. The page contains the JWS
 * in the `order` attribute of the widget's tag.
 */

import type { Clock } from '../clock.ts'
import type { OrderInput } from './function.ts'
import type { ResolveOrder } from './order.ts'
import { errors, jwtVerify, SignJWT } from 'jose'
import { refuse } from '../refusal.ts'
import { readOrder } from './order.ts'

interface SignedOrders {
  /**
   * The values of ORDER_SIGNING_KEY. The first value is the current key; a previous key may follow and is still
   * accepted.
   */
  keys: readonly string[]
  /** The required `aud` claim, which is PUBLIC_URL. Orders that were signed for another server are refused. */
  audience: string
  clock: Clock
}

const ALGORITHM = 'HS256'

export function signedOrders({ keys, audience, clock }: SignedOrders): ResolveOrder {
  const secrets = keys.map((key) => new TextEncoder().encode(key))

  return async (jws) => {
    let problem = 'its signature is not of ORDER_SIGNING_KEY'
    for (const secret of secrets) {
      try {
        const { payload } = await jwtVerify(jws, secret, {
          algorithms: [ALGORITHM],
          audience,
          requiredClaims: ['order', 'amount', 'currency', 'narration', 'iat', 'exp'],
          currentDate: new Date(clock.now()),
        })
        return readOrder(payload, 'order_invalid')
      } catch (error) {
        if (!(error instanceof errors.JOSEError)) throw error
        if (error instanceof errors.JWTExpired)
          return refuse('order_expired', 'The signed order has expired.')
        if (error instanceof errors.JWTClaimValidationFailed) problem = claimProblem(error, audience)
        if (error instanceof errors.JWSInvalid || error instanceof errors.JWTInvalid)
          problem = 'ORDER_SIGNING_KEY is set, and it is not a signed order'
      }
    }
    return refuse('order_invalid', `The signed order is refused: ${problem}.`)
  }
}

function claimProblem({ claim, reason }: errors.JWTClaimValidationFailed, audience: string): string {
  if (reason === 'missing') return `its claim "${claim}" is missing`
  return claim === 'aud'
    ? `its claim "aud" is not PUBLIC_URL, ${audience}`
    : `its claim "${claim}" does not hold`
}

export interface SignOrderOptions {
  /** The value of ORDER_SIGNING_KEY, at least 32 bytes. */
  key: string
  /** PUBLIC_URL of the server that receives the order. */
  audience: string
  /** Time of the signature, in seconds since the Unix epoch. */
  issuedAt: number
  /** The time after `issuedAt` during which a shopper can start a checkout for the order, in seconds. */
  lifetime: number
}

/**
 * Signs an order for the `order` attribute of the widget's tag. Call this function only on the merchant's server,
 * because ORDER_SIGNING_KEY is secret.
 *
 * @param order The order. `amount` is a whole number of major units of the currency, never of cents.
 * @param options The signing key, the audience, and the order's times in seconds.
 * @returns The text for the `order` attribute, a compact JWS (HS256).
 * @example
 * const order = await signOrder(
 *   { order: 'A-1042', amount: 1500, currency: 'KES', narration: 'Two kangas' },
 *   { key, audience: 'https://pay.shop.example', issuedAt: Math.floor(Date.now() / 1000), lifetime: 3600 },
 * )
 */
export function signOrder(
  order: OrderInput,
  { key, audience, issuedAt, lifetime }: SignOrderOptions,
): Promise<string> {
  return new SignJWT({ ...order, amount: String(order.amount) })
    .setProtectedHeader({ alg: ALGORITHM })
    .setAudience(audience)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + lifetime)
    .sign(new TextEncoder().encode(key))
}
