// Not for production: anyone who knows the seed can compute every token.

import { createHash, randomInt } from 'node:crypto'

export type Randomness = ReturnType<typeof createRandomness>

const LARGEST_SEED = 2 ** 48 - 1

export function anySeed(): number {
  return randomInt(LARGEST_SEED)
}

export function createRandomness(seed: number | string) {
  let drawn = 0
  const draw = () => createHash('sha256').update(`${seed}:${drawn++}`).digest('hex')
  const number = (base: number) => BigInt(`0x${draw()}`).toString(base)

  return {
    hex: (length: number) => draw().slice(0, length),
    digits: (length: number) => number(10).slice(0, length),
    receipt: () => number(36).toUpperCase().slice(0, 10),
    fraction: () => fractionOf(`${seed}:${drawn++}`),
  }
}

/** Returns a number from 0 (inclusive) to 1 (exclusive), which depends only on `name`. */
export function fractionOf(name: string): number {
  return createHash('sha256').update(name).digest().readUInt32BE(0) / 2 ** 32
}
