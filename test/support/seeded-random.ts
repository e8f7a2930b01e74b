import { createHash } from 'node:crypto'

import type { Randomness } from '../../server/work/randomness.ts'

export interface SeededRandom extends Randomness {
  happens(probability: number): boolean
  /** Returns an integer from `min` to `max`, both included. */
  between(min: number, max: number): number
  pick<T>(choices: readonly T[]): T
}

export function createSeededRandom(seed: number, name = ''): SeededRandom {
  let state = createHash('sha256').update(`${name}:${seed}`).digest().readUInt32LE()
  let drawn = 0

  // The Mulberry32 algorithm.
  function fraction(): number {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }

  function hex(): string {
    return createHash('sha256').update(`${name}:${seed}:${drawn++}`).digest('hex')
  }

  return {
    fraction,
    happens: (probability) => fraction() < probability,
    between: (min, max) => min + Math.floor(fraction() * (max - min + 1)),
    pick: (choices) => choices[Math.floor(fraction() * choices.length)]!,
    uuid: () => hex().replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*/, '$1-$2-$3-$4-$5'),
    token: () => Buffer.from(hex(), 'hex').toString('base64url').slice(0, 24),
  }
}
