import { createHash, timingSafeEqual } from 'node:crypto'
import type { Randomness } from '../randomness.ts'
import type { Clock } from '../timeline/clock.ts'

/** Credentials for the token request. [spec: Credentials and token] */
export interface ApiKey {
  readonly consumerKey: string
  readonly name: string
  /** The SHA-256 of the secret, in hexadecimal digits. */
  readonly secretHash: string
  /** All times are in milliseconds since the Unix epoch. */
  readonly createdAt: number
  lastUsedAt: number | null
  revokedAt: number | null
}

export interface ApiKeys {
  list(): readonly ApiKey[]
  find(consumerKey: string): ApiKey | undefined
  create(name: string): { key: ApiKey; secret: string }
  /** The key and all its tokens are refused from now on. */
  revoke(key: ApiKey): void
  /** Returns the key with these credentials, unless it was revoked. */
  check(consumerKey: string, secret: string): ApiKey | undefined
}

export interface SeededKey {
  readonly consumerKey: string
  readonly consumerSecret: string
}

export function createApiKeys(seeded: readonly SeededKey[], clock: Clock, randomness: Randomness): ApiKeys {
  const keys = new Map<string, ApiKey>()
  const add = (consumerKey: string, name: string, secret: string) => {
    const createdAt = clock.now()
    const key = {
      consumerKey,
      name,
      secretHash: hashOf(secret),
      createdAt,
      lastUsedAt: null,
      revokedAt: null,
    }
    keys.set(consumerKey, key)
    return key
  }
  for (const { consumerKey, consumerSecret } of seeded) add(consumerKey, 'The first key', consumerSecret)

  return {
    list: () => [...keys.values()],
    find: (consumerKey) => keys.get(consumerKey),
    create(name) {
      const secret = randomness.hex(48)
      return { key: add(`key-${randomness.hex(24)}`, name, secret), secret }
    },
    revoke(key) {
      key.revokedAt ??= clock.now()
    },
    check(consumerKey, secret) {
      const key = keys.get(consumerKey)
      if (!key || key.revokedAt !== null || !isEqual(hashOf(secret), key.secretHash)) return undefined
      key.lastUsedAt = clock.now()
      return key
    },
  }
}

function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}

function isEqual(hash: string, other: string): boolean {
  return timingSafeEqual(Buffer.from(hash, 'hex'), Buffer.from(other, 'hex'))
}
