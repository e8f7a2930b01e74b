/** Defines the source of randomness, an argument of all code that needs random values. Tests pass a seeded source. */

import { randomBytes, randomInt, randomUUID } from 'node:crypto'

/** A source of random identifiers, secrets and jitter. */
export interface Randomness {
  /** Returns a random UUID (version 4). */
  uuid(): string
  /** Returns 144 random bits as URL-safe text, for secret identifiers. */
  token(): string
  /** Returns a random number from 0 (inclusive) to 1 (exclusive). For jitter, never for secrets. */
  fraction(): number
}

const RANGE = 2 ** 32

/**
 * The sizes of a token and of the pool of random bytes, in bytes. The pool is generated with one call of `randomBytes`,
 * because each call is expensive.
 */
const TOKEN_BYTES = 18
const POOL_BYTES = 256 * TOKEN_BYTES
let pool = Buffer.alloc(0)

function createToken(): string {
  if (pool.length === 0) pool = randomBytes(POOL_BYTES)
  const token = pool.toString('base64url', 0, TOKEN_BYTES)
  // The bytes of the returned token are erased from the pool.
  pool.fill(0, 0, TOKEN_BYTES)
  pool = pool.subarray(TOKEN_BYTES)
  return token
}

export const systemRandomness: Randomness = {
  uuid: () => randomUUID(),
  token: createToken,
  fraction: () => randomInt(RANGE) / RANGE,
}
