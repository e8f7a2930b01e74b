// Credentials and the access tokens that they are exchanged for. [spec: Credentials and token]

import { endpoints } from '../../../server/contract/endpoints.ts'
import { Failure, WRONG_CREDENTIALS } from './failure.ts'
import { hashOf, isEqual } from './secret.ts'

import type { Randomness } from '../randomness.ts'
import type { Clock } from '../timeline/clock.ts'
import type { Fields } from './body.ts'
import type { Result } from './failure.ts'

/** All times are in milliseconds since the Unix epoch. */
export interface ApiKey {
  readonly consumerKey: string
  readonly name: string
  readonly secretHash: string
  readonly createdAt: number
  lastUsedAt: number | null
  revokedAt: number | null
}

export interface SeededKey {
  readonly consumerKey: string
  readonly consumerSecret: string
}

type ApiKeys = ReturnType<typeof createApiKeys>

export function createApiKeys(seeded: readonly SeededKey[], clock: Clock, randomness: Randomness) {
  const keys = new Map<string, ApiKey>()

  const add = (consumerKey: string, name: string, secret: string): ApiKey => {
    const times = { createdAt: clock.now(), lastUsedAt: null, revokedAt: null }
    const key = { consumerKey, name, secretHash: hashOf(secret), ...times }
    keys.set(consumerKey, key)
    return key
  }

  for (const { consumerKey, consumerSecret } of seeded) {
    add(consumerKey, 'The first key', consumerSecret)
  }

  return {
    list: () => [...keys.values()],
    find: (consumerKey: string) => keys.get(consumerKey),
    create(name: string) {
      const secret = randomness.hex(48)
      return { key: add(`key-${randomness.hex(24)}`, name, secret), secret }
    },
    /** The key and all its tokens are refused from now on. */
    revoke: (key: ApiKey) => void (key.revokedAt ??= clock.now()),
    /** Returns the key with these credentials, unless it was revoked. */
    check(consumerKey: string, secret: string): ApiKey | undefined {
      const key = keys.get(consumerKey)
      if (!key || key.revokedAt !== null || !isEqual(hashOf(secret), key.secretHash)) {
        return undefined
      }

      key.lastUsedAt = clock.now()
      return key
    },
  }
}

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
