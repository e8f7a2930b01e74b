import { createActs, HOUR, MINUTE, SECOND } from './acts.ts'
import { createDay } from './day.ts'
import { createInvariants } from './invariants.ts'
import { ONE_CURRENCY, THREE_CURRENCIES } from './markets.ts'
import { createMishaps, drawMishaps, SHARES } from './mishaps.ts'

import type { ActName } from './acts.ts'
import type { Markets } from './markets.ts'
import type { Shares } from './mishaps.ts'

/** Simulates a day of a merchant with accounts in KES, UGX and TZS, and payouts between them. */
export function simulateThreeCurrencies(seed: number, shares?: Shares): Promise<Report> {
  return simulate(seed, shares, THREE_CURRENCIES)
}

/** Simulates a day on an empty Postgres database, which is not restored: only SQLite's file is copied in a moment. */
export function simulateOnPostgres(seed: number, storeUrl: string): Promise<Report> {
  return simulate(seed, { ...SHARES, restored: 0 }, ONE_CURRENCY, storeUrl)
}

export interface Report {
  seed: number
  violations: readonly string[]
  story: string[]
  events: number
  steps: number
  faults: ReadonlyMap<string, number>
}

const STEPS = 20
const COMMON = { reliability: 1, outage: 1, backend: 1, database: 1, crash: 2, recover: 1, operate: 1 }
const THEMES = [
  { initiate: 4, pay: 6, poll: 2, change: 1, forge: 1, ...COMMON },
  { initiate: 4, pay: 6, poll: 2, forge: 1, ...COMMON },
  { payOut: 5, repeat: 2, ...COMMON, operate: 3 },
  { charge: 4, acknowledge: 3, repeat: 2, ...COMMON, operate: 3 },
  { airtime: 3, repeat: 2, ...COMMON, operate: 3 },
]
const EVERYTHING = {
  initiate: 3,
  pay: 4,
  payOut: 4,
  charge: 3,
  acknowledge: 2,
  airtime: 3,
  repeat: 1,
  ...COMMON,
}
const PAUSES_MS = [0, SECOND, 10 * SECOND, MINUTE, MINUTE, 8 * MINUTE, 8 * MINUTE, 40 * MINUTE]

/**
 * Simulates random acts, such as payments, outages and crashes, and then more than a day without faults. Equal seeds
 * give equal results.
 */
export async function simulate(
  seed: number,
  shares: Shares = SHARES,
  markets: Markets = ONE_CURRENCY,
  storeUrl?: string,
): Promise<Report> {
  const drawn = drawMishaps(seed, shares)
  const names = drawn.map(({ name }) => name)
  const day = await createDay(seed, markets, names, storeUrl)
  const { random, story } = day
  const acts = createActs(day)
  const strike = createMishaps(day, acts, drawn)
  const invariants = createInvariants(day)
  const weights: Record<string, number> = random.pick(
    markets.length === 1 ? THEMES : [...THEMES, EVERYTHING, EVERYTHING],
  )
  const often = Object.entries(weights).flatMap(([act, weight]) =>
    Array<ActName>(weight).fill(act as ActName),
  )

  let steps = 0
  for (; steps < STEPS && story.violations.length === 0; steps++) {
    acts[random.pick(often)]()
    await day.later(random.between(0, random.pick(PAUSES_MS)))
    await strike(steps)
    await invariants.afterStep()
  }

  if (story.violations.length === 0) {
    endFaults()
    await day.later(30 * MINUTE)
    await invariants.afterStep()
    await invariants.halfAnHourLater()
    await day.later(26 * HOUR)
    await invariants.afterStep()
    await invariants.aDayLater()
  }

  await day.close()
  const { violations, faults } = story
  return { seed, violations, story: story.lines(), events: day.backend.accepted.size, steps, faults }

  function endFaults(): void {
    story.tell('All faults end')
    acts.calm()
    // The last replica takes over the unfinished work of the others.
    const last = random.pick(day.replicas)
    for (const replica of day.replicas) {
      if (replica !== last) {
        replica.retire()
      }
    }

    last.start()
    last.crashAfter(Infinity)
  }
}
