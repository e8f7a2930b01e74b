/** Randomness as a dependency, so that tests can use a seed. */

import { randomBytes, randomInt, randomUUID } from 'node:crypto'

/** Generates identifiers, secrets and jitter. */
export interface Randomness {
  /** A version 4 UUID. */
  uuid(): string
  /** 144 random bits as URL-safe text, for identifiers that grant access to whoever knows them. */
  token(): string
  /** A random number from 0 (inclusive) to 1 (exclusive). For jitter, never for secrets. */
  fraction(): number
}

const RANGE = 2 ** 32

export const systemRandomness: Randomness = {
  uuid: () => randomUUID(),
  token: () => randomBytes(18).toString('base64url'),
  fraction: () => randomInt(RANGE) / RANGE,
}
