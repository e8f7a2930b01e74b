import { expect } from 'vitest'

import { HOME } from '../contracts/stored-rows.ts'

import type { Transaction } from '../../../server/store/transactions.ts'
import type { Kind } from '../../../server/transactions/kind.ts'
import type { Overdue } from '../../../server/transactions/observation.ts'

export const SENT = Date.UTC(2026, 10, 21, 9)
export const MINUTE = 60_000
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

/** Two minutes after an observation without a time: what the gateway says from then on is not from before it. */
export const STOOD = SENT + 3 * MINUTE

export function rowOf<Record>(kind: Transaction['kind'], record: Record, fields: Partial<Transaction> = {}) {
  return {
    id: `a-${kind}`,
    kind,
    account: HOME,
    reference: 'P-1',
    group: 'P-1',
    attempt: 1,
    version: 1,
    revision: 1,
    outcome: 'sending',
    created_at: SENT,
    updated_at: SENT,
    sent_at: SENT,
    recovered_at: null,
    due_at: null,
    asked_at: null,
    requested_at: null,
    requested_revision: null,
    failures: 0,
    trace_id: null,
    personal: null,
    ...fields,
    record,
  }
}

/**
 * An observation, or a pair of the time of the query and the observation. The time is in milliseconds since the Unix
 * epoch. Without a time, the query was one minute after the request was sent.
 */
type Timed<Observation> = Observation | [askedAt: number, Observation]

/** Two answers that the gateway does not know a transaction, which counts as unknown from `at` on. */
export function missedAt<Observation>(at: number, unknown: Observation): [number, Observation][] {
  return [
    [at - 2 * MINUTE, unknown],
    [at, unknown],
  ]
}

/** The last deadline of a transaction. */
export const overdue: [askedAt: number, Overdue] = [SENT + 30 * DAY, { kind: 'overdue' }]

/** Returns functions that apply the rules of a kind to observations, one after the other. */
export function createRules<
  Record,
  Row extends Transaction & { record: Record },
  Observation extends object,
  Event,
>(
  row: (record: Record) => Row,
  { transition, announce }: Pick<Kind<Row, Observation, Event>, 'transition' | 'announce'>,
) {
  function observe(record: Record, ...observations: Timed<Observation | Overdue>[]) {
    const all: Event[] = []
    let last: { record: Record; historyEntry: string | null } = { record, historyEntry: null }
    for (const timed of observations) {
      const [at, observation] = Array.isArray(timed) ? timed : [SENT + MINUTE, timed]
      const before = row(last.record)
      last = transition(before, observation, at)
      if (last.record === before.record) {
        continue
      }

      const { record: told, events } = announce(before, { ...before, record: last.record })
      last = { ...last, record: told }
      all.push(...events)
    }

    return { ...last, events: all }
  }

  function expectUnchanged(record: Record, ...observations: Timed<Observation | Overdue>[]) {
    const result = observe(record, ...observations)
    expect(result).toEqual({ record, events: [], historyEntry: null })
    expect(result.record).toBe(record)
  }

  return { observe, expectUnchanged }
}
