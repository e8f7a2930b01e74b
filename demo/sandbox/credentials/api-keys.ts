// The API keys of a merchant: the credentials of its servers. [spec: Credentials and token]

import { hashOf, isEqual } from './secret.ts'

import type { Clock } from '../journal/state-clock.ts'
import type { Randomness } from '../randomness.ts'

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

export type ApiKeys = ReturnType<typeof createApiKeys>

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
