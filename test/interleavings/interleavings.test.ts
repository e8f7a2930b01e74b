import { afterAll, describe, expect, test } from 'vitest'
import { sqlitePlace } from './places.ts'
import { exploreScenario } from './scenario.ts'
import { TWO_TASKS } from './scenarios.ts'

const isFull = Boolean(process.env.FULL)
const place = sqlitePlace()
afterAll(() => place.close())

describe('in every order of two tasks', () => {
  for (const scenario of TWO_TASKS)
    test(scenario.name, { timeout: 600_000 }, async () => {
      const limits = { switches: Infinity, failures: 0, runs: isFull ? 20_000 : 400 }
      const started = process.cpuUsage().user
      const { violations, ...figures } = await exploreScenario(place, scenario, limits)
      console.log('=>', scenario.name, figures, (process.cpuUsage().user - started) / 1e6)
      expect(violations).toEqual([])
    })
})
