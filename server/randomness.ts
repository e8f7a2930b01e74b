/** Randomness as an argument, so that tests can use a seed. */

import { randomBytes, randomInt, randomUUID } from 'node:crypto'

/** Identifiers, secrets and jitter. */
export interface Randomness {
  /** A version 4 UUID. */
  uuid(): string
  /** 144 random bits as URL-safe text, for identifiers that grant access to whoever knows them. */
  token(): string
  /** From 0 up to 1. For jitter, never for secrets. */
  fraction(): number
}

const RANGE = 2 ** 32

export const systemRandomness: Randomness = {
  uuid: () => randomUUID(),
  token: () => randomBytes(18).toString('base64url'),
  fraction: () => randomInt(RANGE) / RANGE,
}
