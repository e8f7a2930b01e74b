/** Defines the source of randomness that is passed to all code that needs random values. Tests pass a seeded source. */

import { randomBytes, randomInt, randomUUID } from 'node:crypto'

/** Generates identifiers, secrets and jitter. */
export interface Randomness {
  /** Returns a random UUID (version 4). */
  uuid(): string
  /** Returns 144 random bits as URL-safe text, for secret identifiers. */
  token(): string
  /** Returns a random number from 0 (inclusive) to 1 (exclusive). For jitter, never for secrets. */
  fraction(): number
}

const RANGE = 2 ** 32

/** The size of a token, and of the random bytes that are generated at once: each call of the generator is expensive. */
const TOKEN_BYTES = 18
const POOL_BYTES = 256 * TOKEN_BYTES
let pool = Buffer.alloc(0)

function createToken(): string {
  if (pool.length === 0) pool = randomBytes(POOL_BYTES)
  const token = pool.toString('base64url', 0, TOKEN_BYTES)
  // No copy of a token that was given out stays in memory.
  pool.fill(0, 0, TOKEN_BYTES)
  pool = pool.subarray(TOKEN_BYTES)
  return token
}

export const systemRandomness: Randomness = {
  uuid: () => randomUUID(),
  token: createToken,
  fraction: () => randomInt(RANGE) / RANGE,
}
