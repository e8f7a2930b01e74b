import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { sharedPostgres } from '../support/postgres.ts'
import { postgresPlace, sqlitePlace } from './places.ts'
import { report } from './report.ts'
import { exploreScenario } from './scenario.ts'
import { DEATHS, MORE_TASKS, ON_POSTGRES, TWO_TASKS } from './scenarios.ts'
import { forgetTasks } from './scheduler.ts'

import type { Exploration, Limits } from './explorer.ts'
import type { Place } from './places.ts'
import type { Scenario } from './scenario.ts'

const isFull = Boolean(process.env.FULL)
/** Fixed numbers of runs for each scenario, so that every machine finds the same. */
const RUNS = isFull ? { two: 3_000, more: 1_000, postgres: 200 } : { two: 12, more: 8, postgres: 5 }
const DEATHS_OF_A_RUN = isFull ? 2 : 1
const TIMEOUT_MS = isFull ? 3_600_000 : 120_000

// The files that this worker runs later would be slower.
afterAll(forgetTasks)

async function expectNoViolation(
  place: Place,
  scenario: Scenario,
  limits: Partial<Omit<Limits, 'failures'>>,
): Promise<Exploration> {
  const all = { switches: Infinity, runs: RUNS.two, isConcurrent: false, ...limits }
  const explored = await report(scenario.name, () => exploreScenario(place, scenario, all))
  const violations = explored.violations.map(({ what, schedule }) => [what, ...schedule].join('\n'))
  expect(violations, violations.join('\n\n')).toEqual([])
  return explored
}

describe('nothing is sent twice, lost or told wrongly on SQLite', () => {
  const place = sqlitePlace()
  afterAll(() => place.close())

  for (const scenario of TWO_TASKS) {
    test(
      `nothing is sent twice, lost or told wrongly on SQLite after ${scenario.name}`,
      { timeout: TIMEOUT_MS },
      () => expectNoViolation(place, scenario, { runs: Math.max(RUNS.two, scenario.runs ?? 0) }),
    )
  }

  for (const scenario of MORE_TASKS) {
    test(
      `nothing is sent twice, lost or told wrongly on SQLite after ${scenario.name}`,
      { timeout: TIMEOUT_MS },
      () => expectNoViolation(place, scenario, { switches: 2, runs: RUNS.more }),
    )
  }
})

test.each(DEATHS.map((scenario) => [scenario.name, scenario] as const))(
  'a death after any change loses and doubles nothing: %s',
  { timeout: TIMEOUT_MS },
  async (_, scenario) => {
    const place = sqlitePlace()
    try {
      const mortal = { ...scenario, failures: DEATHS_OF_A_RUN }
      const explored = await expectNoViolation(place, mortal, { switches: 0, runs: Infinity })
      expect(explored.isComplete).toBe(true)
    } finally {
      await place.close()
    }
  },
)

describe('nothing is sent twice, lost or told wrongly on Postgres', () => {
  let place: Place

  beforeAll(async () => {
    const postgres = await sharedPostgres()
    place = postgresPlace(await postgres.newDatabase())
  })
  afterAll(() => place.close())

  for (const scenario of ON_POSTGRES) {
    test(
      `nothing is sent twice, lost or told wrongly on Postgres after ${scenario.name}`,
      { timeout: TIMEOUT_MS },
      () => expectNoViolation(place, scenario, { switches: 2, runs: RUNS.postgres, isConcurrent: true }),
    )
  }
})
