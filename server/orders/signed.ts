/**
 * Signs and verifies orders. The merchant's backend signs an order (`Order` in `order.ts`) as a compact JWS, and writes
 * the JWS to the `order` attribute of the element `<gateway-checkout>`.
 *
 * A signature proves only that the merchant approved the order's terms, such as the amount, at some time. The merchant
 * may since have signed other terms for the same reference. For each reference, the server therefore stores the issue
 * time and a keyed digest of the newest order. The server refuses an older order if its terms differ from the terms of the
 * newest order. The digest is of what decides about money. The rest of an older order, such as the return address, the
 * payer and the narration, is out of date: the order finds its checkout, starts none, and changes nothing.
 */

import { createPublicKey } from 'node:crypto'

import { isRefusal, refuse } from '../api/refusal.ts'
import { acceptedAt } from '../config/ending-secrets.ts'
import { NOT_JSON, parseJson } from '../contract/parse.ts'
import { readOrder } from './order.ts'

import type { Refusal } from '../api/refusal.ts'
import type { EndingSecrets } from '../config/ending-secrets.ts'
import type { PublicKey } from '../config/public-keys.ts'
import type { Fingerprints } from '../privacy/personal.ts'
import type { OrderMark } from '../store/order-marks.ts'
import type { Clock } from '../work/clock.ts'
import type { Order, OrderInput } from './order.ts'
import type { IdentifyOrder, ResolveOrder } from './sources.ts'
import type * as Jose from 'jose'
import type { errors, JWK, JWTPayload } from 'jose'
import type { KeyObject } from 'node:crypto'

interface SignatureRules {
  /** The keys of ORDER_SIGNING_KEY; `null` if it is not set. */
  keys: EndingSecrets | null
  /** The public keys in the setting ORDER_PUBLIC_KEYS. */
  publicKeys: readonly PublicKey[]
  /** The value that the `aud` claim must have, which is PUBLIC_URL. Orders for another server are therefore refused. */
  audience: string
  clock: Clock
}

interface SignedOrders extends SignatureRules {
  /** The setting ORDER_MAX_LIFETIME, which is the maximum time from the claim `iat` to the claim `exp`, in seconds. */
  maxLifetime: number
  /**
   * Stores the mark of a signed order: its issue time and the digest of its terms. Stores nothing if the reference
   * `order` already has a mark with the same or a later issue time. Resolves with the mark that is stored after the
   * call.
   */
  markOrder: (order: string, mark: OrderMark) => Promise<OrderMark>
  fingerprints: Pick<Fingerprints, 'of' | 'all'>
}

/** A key that may have signed an order, and the algorithms that are accepted with this key. */
interface Candidate {
  key: Uint8Array | KeyObject
  algorithms: string[]
}

/** The maximum time by which the claim `iat` may be ahead of this server's clock, in seconds. */
const CLOCK_SKEW_S = 60
const REQUIRED = ['order', 'amount', 'currency', 'narration', 'iat', 'exp']
/** The algorithms of each curve. Newer libraries write Ed25519 for EdDSA (RFC 9864). */
const ALGORITHMS = { Ed25519: ['EdDSA', 'Ed25519'], 'P-256': ['ES256'] } as const

export function signedOrders(deps: SignedOrders): ResolveOrder {
  const { clock, maxLifetime, markOrder, fingerprints } = deps
  const verify = createVerify(deps)

  return async (jws) => {
    const verified = await verify(jws)
    if (isRefusal(verified)) {
      return verified
    }

    const { claims, isExpired } = verified
    if (isExpired) {
      return refuse('order_expired', 'The signed order has expired.')
    }

    const { iat = NaN, exp = NaN, nbf = 0 } = claims
    const problem = findTimeProblem({ iat, exp, nbf }, clock.now() / 1000, maxLifetime)
    if (problem !== null) {
      return refuseSigned(problem)
    }

    const resolution = readOrder(claims, 'order_invalid')
    if (resolution.kind === 'refused') {
      return resolution
    }

    const terms = termsOf(resolution.order)
    const mark = { issued_at: iat, digest: fingerprints.of('terms', terms) }
    const newest = await markOrder(resolution.order.order, mark)
    if (!fingerprints.all('terms', terms).includes(newest.digest)) {
      return REPLACED
    }
    return { ...resolution, isNewest: iat >= newest.issued_at }
  }
}

export function identifySigned(deps: SignatureRules): IdentifyOrder {
  const verify = createVerify(deps)
  return async (jws) => {
    const verified = await verify(jws)
    if (isRefusal(verified)) {
      return null
    }

    const resolution = readOrder(verified.claims, 'order_invalid')
    return resolution.kind === 'order' ? resolution.order.order : null
  }
}

const REPLACED = refuse(
  'order_expired',
  'The signed order is not the newest: one with other terms was signed later, or in the same second.',
)

const NOT_SIGNED = 'orders are signed here, and it is not a signed order'

type Verify = (jws: string) => Promise<{ claims: JWTPayload; isExpired: boolean } | Refusal>

/**
 * Returns a function that verifies the signature, the audience and the required claims of an order, and finds out
 * whether the order has expired.
 */
function createVerify({ keys, publicKeys, audience, clock }: SignatureRules): Verify {
  const secrets = (): Candidate[] =>
    keys === null
      ? []
      : acceptedAt(keys, clock.now()).map((key) => ({
          key: new TextEncoder().encode(key.reveal()),
          algorithms: ['HS256'],
        }))
  const byKid = new Map(publicKeys.map((jwk) => [jwk.kid, [candidateOf(jwk)]]))
  const names = [
    ...(keys === null ? [] : ['ORDER_SIGNING_KEY']),
    ...(byKid.size > 0 ? ['ORDER_PUBLIC_KEYS'] : []),
  ]

  // Only servers of signed orders load the library.
  const loading = import('jose')

  return async (jws) => {
    const jose = await loading
    const { errors } = jose
    const header = readHeader(jose, jws)
    if (header === null) {
      return refuseSigned(NOT_SIGNED)
    }
    if (!isReadable(jws)) {
      return refuseSigned(`its payload ${NOT_JSON}`)
    }

    const candidates = header.alg === 'HS256' ? secrets() : (byKid.get(header.kid ?? '') ?? [])
    let problem = `its signature is not of ${names.join(' or ')}`
    for (const { key, algorithms } of candidates) {
      try {
        const currentDate = new Date(clock.now())
        const options = { algorithms, audience, requiredClaims: REQUIRED, currentDate }
        return { claims: (await jose.jwtVerify(jws, key, options)).payload, isExpired: false }
      } catch (error) {
        if (!(error instanceof errors.JOSEError)) {
          throw error
        }
        // `jwtVerify` checks the expiry last, so all other claims are valid.
        if (error instanceof errors.JWTExpired) {
          return { claims: error.payload, isExpired: true }
        }
        if (error instanceof errors.JWTClaimValidationFailed) {
          problem = claimProblem(error, audience)
        }
        if (error instanceof errors.JWSInvalid || error instanceof errors.JWTInvalid) {
          problem = NOT_SIGNED
        }
      }
    }

    return refuseSigned(problem)
  }
}

/** Returns whether a payload can be read in one way only: `jwtVerify` takes the last of two claims with one name. */
function isReadable(jws: string): boolean {
  const [, payload = ''] = jws.split('.')
  return parseJson(Buffer.from(payload, 'base64url').toString()) !== undefined
}

function candidateOf(jwk: PublicKey): Candidate {
  return { key: createPublicKey({ key: { ...jwk }, format: 'jwk' }), algorithms: [...ALGORITHMS[jwk.crv]] }
}

function readHeader(jose: typeof Jose, jws: string) {
  try {
    return jose.decodeProtectedHeader(jws)
  } catch {
    return null
  }
}

function refuseSigned(problem: string): Refusal {
  return refuse('order_invalid', `The signed order is refused: ${problem}.`)
}

function claimProblem({ claim, reason }: errors.JWTClaimValidationFailed, audience: string): string {
  if (reason === 'missing') {
    return `its claim "${claim}" is missing`
  }

  return claim === 'aud'
    ? `its claim "aud" is not PUBLIC_URL, ${audience}`
    : `its claim "${claim}" does not hold`
}

function findTimeProblem(
  { iat, exp, nbf }: Record<'iat' | 'exp' | 'nbf', number>,
  nowSeconds: number,
  maxLifetime: number,
): string | null {
  if (![iat, exp, nbf].every(Number.isSafeInteger)) {
    return 'its claims "iat", "exp" and "nbf" must be whole seconds since the Unix epoch'
  }
  if (iat > nowSeconds + CLOCK_SKEW_S) {
    return `its claim "iat" is more than ${CLOCK_SKEW_S} seconds ahead`
  }
  if (exp <= iat) {
    return 'its claim "exp" is not after "iat"'
  }
  if (exp - iat > maxLifetime) {
    return `it holds for ${exp - iat} seconds, and ORDER_MAX_LIFETIME is ${maxLifetime}`
  }
  return null
}

/** Returns the terms of an order as one text. `readOrder` has made one amount of "1500" and "1500.00". */
function termsOf({ amount, currency, service, account, splits = [] }: Order): string {
  const shares = splits.map((split) => [split.account, split.amount, split.reason])
  return JSON.stringify([amount, currency, service ?? null, account ?? null, shares])
}

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
  if (typeof key === 'string') {
    return { header: { alg: 'HS256' }, secret: new TextEncoder().encode(key) }
  }
  if (key.kid === undefined) {
    throw new TypeError('The key has no kid, by which ORDER_PUBLIC_KEYS names it.')
  }

  const alg = key.kty === 'OKP' ? 'EdDSA' : 'ES256'
  const { importJWK } = await import('jose')
  return { header: { alg, kid: key.kid }, secret: await importJWK(key, alg) }
}
