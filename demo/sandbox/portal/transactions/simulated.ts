import { listScenarios } from '../../scenarios.ts'
import type { Scenario } from '../../scenarios.ts'

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
