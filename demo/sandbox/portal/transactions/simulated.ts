import { listScenarios } from '../../scenarios.ts'
import type { Scenario } from '../../scenarios.ts'
import type { Failure } from '../../wire/failure.ts'
import type { World } from '../../world.ts'
import type { MoneyAction, Moves } from './kind.ts'

/**
 * Returns the scenarios that can be played with an existing transaction, by name. A payout that exists was accepted, so
 * it can no longer be refused.
 */
export function scenariosOf(kind: 'checkout' | 'payout' | 'airtime'): Readonly<Record<string, string>> {
  const playable = listScenarios().filter((scenario: Scenario) => {
    const effect = scenario[kind]
    return effect !== undefined && effect.kind !== 'reject'
  })
  return Object.fromEntries(playable.map(({ name, does }) => [name, `${does} (${name})`]))
}

/** The scenario that does what a person asks for, with money that goes out. */
const SCENARIO_OF = {
  refund: 'refund',
  reverse: 'reverse',
  resolve_paid: 'success',
  resolve_failed: 'decline',
} as const satisfies Record<MoneyAction, string>

type ActionScenario = (typeof SCENARIO_OF)[MoneyAction]

/** Returns what people do with a payout or with airtime: each action is a scenario. */
export function movesByScenario<T, Name extends string>(
  kind: 'payout' | 'airtime',
  isScenario: (text: string) => text is Name,
  playScenario: (world: World, transaction: T, scenario: NoInfer<Name> | ActionScenario) => Failure | null,
): Moves<T> {
  return {
    act: (world, transaction, action) => playScenario(world, transaction, SCENARIO_OF[action]),
    scenarios: scenariosOf(kind),
    hasAmount: false,
    play: (world, transaction, scenario) =>
      isScenario(scenario)
        ? playScenario(world, transaction, scenario)
        : { reason: 'not_found', what: `scenario ${scenario}` },
  }
}
