import { endpoints } from '../../../server/contract/endpoints.ts'
import type { Randomness } from '../randomness.ts'
import type { Clock } from '../timeline/clock.ts'
import type { Failure, Result } from './failure.ts'
import type { Fields } from './fields.ts'

// [spec: Limits]
const TOKEN_LIFETIME_SECONDS = 3_600

export interface Tokens {
  /**
   * Issues an access token that expires in `expiresIn` seconds. Returns a failure for wrong credentials. [spec:
   * Credentials and token]
   */
  authenticate(body: Fields): Result<{ access_token: string; expiresIn: number }>
  // [spec: Authentication, 6]
  failureOf(token: string | undefined): Failure | null
}

export function createTokens(
  merchant: { consumerKey: string; consumerSecret: string },
  clock: Clock,
  randomness: Randomness,
): Tokens {
  const expiries = new Map<string, number>()

  function issue(): string {
    const now = clock.now()
    // All tokens have the same lifetime, so the oldest expire first. An expired token is kept for another lifetime,
    // so that it is refused as expired instead of unknown.
    for (const [token, expiresAt] of expiries) {
      if (expiresAt + TOKEN_LIFETIME_SECONDS * 1_000 > now) break
      expiries.delete(token)
    }
    const token = randomness.hex(48)
    expiries.set(token, now + TOKEN_LIFETIME_SECONDS * 1_000)
    return token
  }

  return {
    authenticate(body) {
      const credentials = endpoints.authenticate.request.safeParse(body)
      if (!credentials.success) {
        const problem = 'consumer_key and consumer_secret are required.'
        return { failure: { reason: 'body_unreadable', problem } }
      }
      const { consumer_key, consumer_secret } = credentials.data
      if (consumer_key !== merchant.consumerKey || consumer_secret !== merchant.consumerSecret)
        return { failure: { reason: 'credentials_wrong' } }
      return { value: { access_token: issue(), expiresIn: TOKEN_LIFETIME_SECONDS } }
    },
    failureOf(token) {
      if (token === undefined || token.trim() === '') return { reason: 'token_missing' }
      const expiresAt = expiries.get(token)
      if (expiresAt === undefined) return { reason: 'token_unknown' }
      return clock.now() < expiresAt ? null : { reason: 'token_expired' }
    },
  }
}
