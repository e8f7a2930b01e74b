// Random values of a seed: equal seeds give the same values in the same order. Not for production: anyone who knows the
// seed can compute every token.

import { createHash, randomInt } from 'node:crypto'

export type Randomness = ReturnType<typeof createRandomness>

export function anySeed(): number {
  // `randomInt` allows no larger range.
  return randomInt(2 ** 48 - 1)
}

export function createRandomness(seed: number | string) {
  let drawn = 0
  const nextName = () => `${seed}:${drawn++}`
  const textInBase = (base: 10 | 36) => BigInt(`0x${hashOf(nextName())}`).toString(base)

  return {
    hex: (length: number) => hashOf(nextName()).slice(0, length),
    digits: (length: number) => textInBase(10).slice(0, length),
    /** Returns ten digits and capital letters, such as a receipt of an operator has. */
    receipt: () => textInBase(36).toUpperCase().slice(0, 10),
    fraction: () => fractionOf(nextName()),
  }
}

/** Returns a number from 0 (inclusive) to 1 (exclusive), which depends only on `name`. */
export function fractionOf(name: string): number {
  return parseInt(hashOf(name).slice(0, 8), 16) / 2 ** 32
}

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex')
