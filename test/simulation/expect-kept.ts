import { expect } from 'vitest'

import type { Report } from './simulate.ts'

/** Simulates the days of the seeds from 1 on. A day that breaks a guarantee fails with its story. */
export async function expectKept(seeds: number, simulated: (seed: number) => Promise<Report>): Promise<void> {
  for (let seed = 1; seed <= seeds; seed++) {
    const { violations, story } = await simulated(seed)
    const kept = { seed, violations: [], story: [] }
    expect({ seed, violations, story: violations.length > 0 ? story : [] }).toEqual(kept)
  }
}
