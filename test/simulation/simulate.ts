/**
 * Simulates one random day of several replicas of the server: shoppers, the merchant, operators, the network, the
 * gateway and the store do their worst for some hours. Then all faults end, and a day later the books are compared.
 */

import { createActs, HOUR, MINUTE, SECOND } from './acts.ts'
import { createDay } from './day.ts'
import { createInvariants } from './invariants.ts'

export interface Report {
  seed: number
  /** Each broken guarantee, as a sentence. */
  broken: readonly string[]
  /** Everything that happened, in order, to read when a guarantee is broken. */
  story: string[]
  /** How many events the merchant accepted. */
  told: number
}

const STEPS = 20
/** How often each act happens, by the theme of the day. */
const COMMON = { weather: 1, outage: 1, backend: 1, database: 1, crash: 2, calm: 1, operate: 1 }
const THEMES = [
  { initiate: 4, pay: 6, poll: 2, change: 1, forge: 1, ...COMMON },
  { initiate: 4, pay: 6, poll: 2, forge: 1, ...COMMON },
  { payOut: 5, repeat: 2, ...COMMON, operate: 3 },
  { charge: 4, acknowledge: 3, repeat: 2, ...COMMON, operate: 3 },
  { airtime: 3, repeat: 2, ...COMMON, operate: 3 },
]
/** The longest time of each step. */
const PAUSES_MS = [0, SECOND, 10 * SECOND, MINUTE, MINUTE, 8 * MINUTE, 8 * MINUTE, 40 * MINUTE]

export async function simulate(seed: number): Promise<Report> {
  const day = await createDay(seed)
  const { random, story } = day
  const acts = createActs(day)
  const invariants = createInvariants(day)
  const weights: Record<string, number> = random.pick(THEMES)
  const often = Object.entries(weights).flatMap(([act, weight]) =>
    Array<keyof typeof acts>(weight).fill(act as keyof typeof acts),
  )

  for (let step = 0; step < STEPS && story.broken.length === 0; step++) {
    acts[random.pick(often)]()
    await day.later(random.between(0, random.pick(PAUSES_MS)))
    await invariants.afterStep()
  }
  if (story.broken.length === 0) {
    endFaults()
    await day.later(30 * MINUTE)
    await invariants.afterStep()
    await invariants.inTime()
    await day.later(26 * HOUR)
    await invariants.afterStep()
    await invariants.atEnd()
  }
  await day.close()
  return { seed, broken: story.broken, story: story.lines(), told: day.backend.accepted.size }

  function endFaults(): void {
    story.tell('All faults end')
    acts.calm()
    day.gateway.state = 'up'
    day.backend.mood = 'accepts'
    day.storeTrouble.probability = 0
    // One replica stays, and takes over what the others had begun.
    const last = random.pick(day.replicas)
    for (const replica of day.replicas) if (replica !== last) replica.retire()
    last.start()
    last.crashAfter(Infinity)
  }
}
