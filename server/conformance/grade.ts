/** Runs the checks against a gateway, and says what they show of each row of the specification. */

import { CHECKS, NOT_OBSERVABLE } from './all-checks.ts'
import { ENDPOINTS, endpointOf } from './endpoints.ts'
import { NEEDS, openGateway } from './gateway.ts'
import { readRows } from './specification.ts'

import type { Check } from './check.ts'
import type { Connection } from './connection.ts'
import type { Gateway, Need } from './gateway.ts'

export const VERDICTS = ['passed', 'failed', 'skipped', 'unknown'] as const

/** What one check shows. */
export interface Outcome {
  verdict: 'passed' | 'failed' | 'skipped'
  /** Empty if the check passed. */
  reason: string
  /** What the gateway lacks, if the check was skipped. */
  lacks?: readonly Need[]
  error?: unknown
}

/** What the checks show of one row. */
export interface Verdict extends Omit<Outcome, 'verdict'> {
  row: string
  /** What the row is about, such as an endpoint. */
  endpoint: string
  /** `unknown`: HTTP cannot show the row. */
  verdict: (typeof VERDICTS)[number]
  /** The checks that decide. */
  checks: readonly string[]
}

/** Returns the outcome of a check that the gateway lacks something for; otherwise `null`. */
export function skipOf({ needs = [] }: Check, gateway: Gateway): Outcome | null {
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

/** Returns the verdicts against a gateway that no check finds wrong. */
export function planOf(gateway: Gateway): Verdict[] {
  const passed: Outcome = { verdict: 'passed', reason: '' }
  return verdictsOf(new Map(CHECKS.map((check) => [check, skipOf(check, gateway) ?? passed])))
}

/** @param onCheck Called after each check with their number so far. */
export async function grade(connection: Connection, onCheck: (done: number) => void = () => {}) {
  const gateway = await openGateway(connection)
  const outcomes = new Map<Check, Outcome>()
  for (const check of CHECKS) {
    outcomes.set(check, await attempt(check, gateway))
    onCheck(outcomes.size)
  }

  return verdictsOf(outcomes)
}

/** Judges every row by the outcomes of its checks, in the order of the endpoints and of the specification. */
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

/** The rows and their verdicts in each line, and below a row the checks that decided. */
export function describeVerdicts(verdicts: readonly Verdict[]): string {
  return verdicts
    .flatMap(({ row, verdict, checks }) => [`${verdict}: ${row}`, ...checks.map((fact) => `  ${fact}`)])
    .join('\n')
    .concat('\n')
}
