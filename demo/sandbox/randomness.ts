// Not for production: anyone who knows the seed can compute every token.

import { createHash, randomInt } from 'node:crypto'

export interface Randomness {
  hex(length: number): string
  digits(length: number): string
  receipt(): string
  fraction(): number
}

const LARGEST_SEED = 2 ** 48 - 1

export function anySeed(): number {
  return randomInt(LARGEST_SEED)
}

export function createRandomness(seed: number | string): Randomness {
  let drawn = 0
  const draw = () => createHash('sha256').update(`${seed}:${drawn++}`).digest()

  return {
    hex: (length) => draw().toString('hex').slice(0, length),
    digits: (length) =>
      BigInt(`0x${draw().toString('hex')}`)
        .toString()
        .slice(0, length),
    receipt: () =>
      BigInt(`0x${draw().toString('hex')}`)
        .toString(36)
        .toUpperCase()
        .slice(0, 10),
    fraction: () => fractionOf(`${seed}:${drawn++}`),
  }
}

/** Returns a number from 0 (inclusive) to 1 (exclusive), which depends only on `name`. */
export function fractionOf(name: string): number {
  return createHash('sha256').update(name).digest().readUInt32BE(0) / 2 ** 32
}
