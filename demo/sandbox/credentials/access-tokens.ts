// Access tokens: credentials are exchanged for one, and requests with a missing, unknown or expired one are rejected.
// [spec: Credentials and token]

import { endpoints } from '../../../server/contract/endpoints.ts'
import { Failure, WRONG_CREDENTIALS } from '../errors/failure.ts'

import type { Result } from '../errors/failure.ts'
import type { Fields } from '../http/request-body.ts'
import type { Clock } from '../journal/state-clock.ts'
import type { Randomness } from '../randomness.ts'
import type { ApiKey, ApiKeys } from './api-keys.ts'

// [spec: Limits]
const TOKEN_LIFETIME_SECONDS = 3_600
const TOKEN_LIFETIME_MS = TOKEN_LIFETIME_SECONDS * 1_000

export function createTokens(keys: ApiKeys, clock: Clock, randomness: Randomness) {
  const issued = new Map<string, { key: ApiKey; expiresAt: number }>()

  function issue(key: ApiKey): string {
    const now = clock.now()
    // All tokens have the same lifetime, so the oldest expire first. An expired token is kept for another lifetime,
    // so that it is refused as expired instead of unknown.
    for (const [token, { expiresAt }] of issued) {
      if (expiresAt + TOKEN_LIFETIME_MS > now) {
        break
      }

      issued.delete(token)
    }

    const token = randomness.hex(48)
    issued.set(token, { key, expiresAt: now + TOKEN_LIFETIME_MS })
    return token
  }

  return {
    authenticate(body: Fields): Result<{ access_token: string; expiresIn: number }> {
      const credentials = endpoints.authenticate.request.safeParse(body)
      if (!credentials.success) {
        return new Failure('body_unreadable', 'consumer_key and consumer_secret are required.')
      }

      const { consumer_key, consumer_secret } = credentials.data
      const key = keys.check(consumer_key, consumer_secret)
      if (!key) {
        return new Failure('credentials_wrong', WRONG_CREDENTIALS)
      }
      return { access_token: issue(key), expiresIn: TOKEN_LIFETIME_SECONDS }
    },
    /** Returns why a token is refused; `null` if it is valid. [spec: Authentication, 6] */
    failureOf(token: string | undefined): Failure | null {
      if (token === undefined || token.trim() === '') {
        return new Failure('token_missing', 'The header x-access-token is required.')
      }

      const found = issued.get(token)
      // [assumed] A revoked key takes its tokens with it.
      if (!found || found.key.revokedAt !== null) {
        return new Failure('token_unknown', 'The access token is not valid.')
      }

      return clock.now() < found.expiresAt
        ? null
        : new Failure('token_expired', 'The access token has expired.')
    },
  }
}
