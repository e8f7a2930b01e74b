/** Defines the source of randomness, an argument of all code that needs random values. Tests pass a seeded source. */

import { randomBytes, randomInt, randomUUID } from 'node:crypto'

/** A source of random identifiers, secrets and jitter. */
export interface Randomness {
  /** Returns a random UUID (version 4). */
  uuid(): string
  /**
   * Returns URL-safe text of 24 characters with 143.9 random bits, for secret identifiers. It begins and ends with a letter
   * or a digit: what finds links in messages leaves out a last hyphen, and a command takes a first one as an option.
   */
  token(): string
  /** Returns a random number from 0 (inclusive) to 1 (exclusive). For jitter, never for secrets. */
  fraction(): number
}

const RANGE = 2 ** 32

export const systemRandomness: Randomness = {
  uuid: () => randomUUID(),
  token: drawToken,
  fraction: () => randomInt(RANGE) / RANGE,
}

const TOKEN_BYTES = 18
const ENDS_OF_TOKEN = /^[A-Za-z0-9].*[A-Za-z0-9]$/

/** Draws until the ends fit, so that all tokens with such ends are equally likely: 62² × 64²² of them. */
function drawToken(): string {
  let token = ''
  while (!ENDS_OF_TOKEN.test(token)) {
    token = randomBytes(TOKEN_BYTES).toString('base64url')
  }
  return token
}
