/** Defines the source of randomness, an argument of all code that needs random values. Tests pass a seeded source. */

import { randomBytes, randomInt, randomUUID } from 'node:crypto'

/** A source of random identifiers, secrets and jitter. */
export interface Randomness {
  /** Returns a random UUID (version 4). */
  uuid(): string
  /** Returns 144 random bits as URL-safe text of 24 characters, for secret identifiers. */
  token(): string
  /** Returns a random number from 0 (inclusive) to 1 (exclusive). For jitter, never for secrets. */
  fraction(): number
}

const RANGE = 2 ** 32

export const systemRandomness: Randomness = {
  uuid: () => randomUUID(),
  token: () => randomBytes(18).toString('base64url'),
  fraction: () => randomInt(RANGE) / RANGE,
}
