/** A set of tasks, and what has to hold after every order in which they can go on. */

import { explore } from './explorer.ts'
import { checkWorld, unansweredCallbacks } from './invariants.ts'
import { createWorld } from './world.ts'

import type { Exploration, Limits, Run } from './explorer.ts'
import type { Expected } from './invariants.ts'
import type { Place } from './places.ts'
import type { World, WorldOptions } from './world.ts'

export interface Scenario extends Partial<WorldOptions>, Partial<Expected> {
  name: string
  /** What happened before the tasks. */
  before?: (world: World) => Promise<unknown>
  /** The tasks by their names. */
  tasks: (world: World) => Record<string, () => Promise<unknown>>
  /** The replicas whose workers run as tasks. */
  workers?: readonly string[]
  /** The maximum number of calls that fail. Default: 0. */
  failures?: number
  /** The number of runs without FULL that leads to what the scenario is for. */
  runs?: number
}

const DEFAULTS = { replicas: ['A'], env: {}, order: {}, fails: null, mortals: [] }
const EXPECTED: Expected = {
  isPersonEnough: true,
  withinMs: 60_000,
  isSettled: false,
  confirms: false,
  tells: false,
}

export function exploreScenario(
  place: Place,
  scenario: Scenario,
  limits: Omit<Limits, 'failures'>,
): Promise<Exploration> {
  return explore(() => begin(place, scenario), { ...limits, failures: scenario.failures ?? 0 })
}

async function begin(place: Place, scenario: Scenario): Promise<Run> {
  const world = await createWorld(place, { ...DEFAULTS, ...scenario })
  const { scheduler, clock } = world
  const rejected: string[] = []
  const onRejection = (error: unknown) => void rejected.push(`A promise was rejected: ${String(error)}`)
  process.on('unhandledRejection', onRejection)
  await scenario.before?.(world)
  await scheduler.settle()
  scheduler.isOn = true
  for (const replica of scenario.workers ?? []) {
    scheduler.start(`${replica} works`, () => world.work(replica), true)
  }

  for (const [name, work] of Object.entries(scenario.tasks(world))) {
    scheduler.start(name, work)
  }

  await scheduler.settle()
  return {
    scheduler,
    past: () => unansweredCallbacks(world).join(),
    async passTime() {
      const ms = clock.untilNext
      if (ms === null) {
        return false
      }

      clock.advance(ms)
      await scheduler.settle()
      return true
    },
    check: async () => [...(await checkWorld(world, { ...EXPECTED, ...scenario })), ...rejected],
    async close() {
      await world.close()
      await scheduler.settle()
      process.off('unhandledRejection', onRejection)
    },
  }
}
