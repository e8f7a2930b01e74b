import { endpoints } from '../../../server/contract/endpoints.ts'
import type { Randomness } from '../randomness.ts'
import type { Clock } from '../timeline/clock.ts'
import type { ApiKey, ApiKeys } from './api-keys.ts'
import type { Failure, Result } from './failure.ts'
import type { Fields } from './fields.ts'

// [spec: Limits]
const TOKEN_LIFETIME_SECONDS = 3_600

export interface AccessToken {
  access_token: string
  expiresIn: number
}

export interface Tokens {
  /**
   * Issues an access token that expires in `expiresIn` seconds. Returns a failure for wrong credentials. [spec:
   * Credentials and token]
   */
  authenticate(body: Fields): Result<AccessToken>
  // [spec: Authentication, 6]
  failureOf(token: string | undefined): Failure | null
}

export function createTokens(keys: ApiKeys, clock: Clock, randomness: Randomness): Tokens {
  const issued = new Map<string, { key: ApiKey; expiresAt: number }>()

  function issue(key: ApiKey): string {
    const now = clock.now()
    // All tokens have the same lifetime, so the oldest expire first. An expired token is kept for another lifetime,
    // so that it is refused as expired instead of unknown.
    for (const [token, { expiresAt }] of issued) {
      if (expiresAt + TOKEN_LIFETIME_SECONDS * 1_000 > now) break
      issued.delete(token)
    }
    const token = randomness.hex(48)
    issued.set(token, { key, expiresAt: now + TOKEN_LIFETIME_SECONDS * 1_000 })
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
      const key = keys.check(consumer_key, consumer_secret)
      if (!key) return { failure: { reason: 'credentials_wrong' } }
      return { value: { access_token: issue(key), expiresIn: TOKEN_LIFETIME_SECONDS } }
    },
    failureOf(token) {
      if (token === undefined || token.trim() === '') return { reason: 'token_missing' }
      const found = issued.get(token)
      // [assumed] A revoked key takes its tokens with it.
      if (!found || found.key.revokedAt !== null) return { reason: 'token_unknown' }
      return clock.now() < found.expiresAt ? null : { reason: 'token_expired' }
    },
  }
}
