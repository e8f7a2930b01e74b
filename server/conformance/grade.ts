/** Runs the checks against a gateway, and decides for each row of the specification whether the gateway obeys it. */

import { CHECKS, NOT_OBSERVABLE } from './all-checks.ts'
import { ENDPOINTS, endpointOf } from './endpoints.ts'
import { NEEDS, openGateway } from './gateway.ts'
import { readRows } from './specification.ts'

import type { Check } from './check.ts'
import type { Connection } from './connection.ts'
import type { Gateway, Need } from './gateway.ts'

export const VERDICTS = ['passed', 'failed', 'skipped', 'unknown'] as const

/** The result of one check. */
export interface Outcome {
  verdict: 'passed' | 'failed' | 'skipped'
  /** Empty if the check passed. */
  reason: string
  /** The features that the gateway lacks, if the check was skipped. */
  lacks?: readonly Need[]
  error?: unknown
}

/** What the checks say about one row: failed if one of them failed, otherwise passed if one of them passed. */
export interface Verdict extends Omit<Outcome, 'verdict'> {
  row: string
  /** What the row is about, such as an endpoint. */
  endpoint: string
  /** `unknown`: no request can show whether the gateway obeys the row. */
  verdict: (typeof VERDICTS)[number]
  /** The facts of the checks that have this verdict. */
  checks: readonly string[]
}

/** Returns the outcome `skipped` if the gateway lacks a feature that the check needs; otherwise `null`. */
export function skipOf({ needs = [] }: Check, gateway: Gateway): Outcome | null {
  // A gateway without control lacks it for most checks, so it is named first.
  const lacks = gateway.lacks(needs).toSorted((a, b) => Number(b === 'control') - Number(a === 'control'))
  if (lacks.length === 0) {
    return null
  }
  return { verdict: 'skipped', reason: `needs ${lacks.map((need) => NEEDS[need]).join(', and ')}`, lacks }
}

export async function attempt(check: Check, gateway: Gateway): Promise<Outcome> {
  const skip = skipOf(check, gateway)
  if (skip) {
    return skip
  }

  try {
    await check.run(gateway)
    return { verdict: 'passed', reason: '' }
  } catch (error) {
    return { verdict: 'failed', reason: error instanceof Error ? error.message : String(error), error }
  }
}

/** Returns the verdicts if each check that can run passes. Runs none. */
export function planOf(gateway: Gateway): Verdict[] {
  const passed: Outcome = { verdict: 'passed', reason: '' }
  return verdictsOf(new Map(CHECKS.map((check) => [check, skipOf(check, gateway) ?? passed])))
}

/**
 * Runs all checks, one after another.
 *
 * @param onCheck Called after each check with the number of checks so far.
 */
export async function grade(connection: Connection, onCheck: (done: number) => void = () => {}) {
  const gateway = await openGateway(connection)
  const outcomes = new Map<Check, Outcome>()
  for (const check of CHECKS) {
    outcomes.set(check, await attempt(check, gateway))
    onCheck(outcomes.size)
  }

  return verdictsOf(outcomes)
}

/** Returns a verdict for each row, in the order of the endpoints and, for one endpoint, of the specification. */
export function verdictsOf(outcomes: ReadonlyMap<Check, Outcome>): Verdict[] {
  const verdicts = readRows().map(({ id: row }): Verdict => {
    const of = { row, endpoint: endpointOf(row) }
    const all = CHECKS.filter(({ rows }) => rows.includes(row))
    for (const verdict of ['failed', 'passed', 'skipped'] as const) {
      const checks = all.filter((check) => outcomes.get(check)?.verdict === verdict)
      const outcome = checks[0] && outcomes.get(checks[0])
      if (outcome) {
        return { ...of, ...outcome, checks: checks.map(({ fact }) => fact) }
      }
    }

    return { ...of, verdict: 'unknown', reason: NOT_OBSERVABLE[row] ?? '', checks: [] }
  })
  return Object.keys(ENDPOINTS).flatMap((endpoint) => verdicts.filter((each) => each.endpoint === endpoint))
}

/** Returns the report as text: a line for each row, and below it a line for each check that decided. */
export function describeVerdicts(verdicts: readonly Verdict[]): string {
  return verdicts
    .flatMap(({ row, verdict, checks }) => [`${verdict}: ${row}`, ...checks.map((fact) => `  ${fact}`)])
    .join('\n')
    .concat('\n')
}
