/** Randomness as an argument, so that a whole world of servers can run from one seed. */

import { randomBytes, randomInt, randomUUID } from 'node:crypto'

export interface Randomness {
  /** A version 4 UUID. */
  uuid(): string
  /** 144 random bits as URL-safe text: enough that knowing one is a right. */
  token(): string
  /** From 0 up to 1; for jitter, never for secrets. */
  fraction(): number
}

const RANGE = 2 ** 32

export const systemRandomness: Randomness = {
  uuid: () => randomUUID(),
  token: () => randomBytes(18).toString('base64url'),
  fraction: () => randomInt(RANGE) / RANGE,
}
