/** Orders that the merchant's backend signed: a compact JWS in the tag itself. */

import type { Clock } from '../clock.ts'
import type { GivenOrder } from './function.ts'
import type { ResolveOrder } from './order.ts'
import { errors, jwtVerify, SignJWT } from 'jose'
import { readOrder, refuse } from './order.ts'

interface SignedOrders {
  /** Shared secrets; the first signs today, the others are being rotated out. */
  keys: readonly string[]
  /** `aud`: the BFF's PUBLIC_URL. An order signed for another installation is refused. */
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

export interface SignOptions {
  key: string
  /** The BFF's PUBLIC_URL. */
  audience: string
  /** Seconds since the Unix epoch. */
  issuedAt: number
  /** Seconds from `issuedAt` for which the order can be started. */
  lifetime: number
}

/** The text for the tag's `order`, to be made on the merchant's server. */
export function signOrder(
  order: GivenOrder,
  { key, audience, issuedAt, lifetime }: SignOptions,
): Promise<string> {
  return new SignJWT({ ...order, amount: String(order.amount) })
    .setProtectedHeader({ alg: ALGORITHM })
    .setAudience(audience)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + lifetime)
    .sign(new TextEncoder().encode(key))
}
