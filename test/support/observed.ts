import { expect } from 'vitest'
import type { Transaction } from '../../server/store.ts'
import type { TransitionResult } from '../../server/transactions/transition.ts'
import { HOME } from './stored-rows.ts'

export const SENT = Date.UTC(2026, 10, 21, 9)
export const MINUTE = 60_000
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

export function rowOf<Record>(kind: Transaction['kind'], record: Record, fields: Partial<Transaction> = {}) {
  return {
    id: `a-${kind}`,
    kind,
    account: HOME,
    reference: 'P-1',
    group: 'P-1',
    attempt: 1,
    version: 1,
    outcome: 'sending',
    created_at: SENT,
    updated_at: SENT,
    sent_at: SENT,
    due_at: null,
    asked_at: null,
    failures: 0,
    trace_id: null,
    ...fields,
    record,
  }
}

type Row<Record> = ReturnType<typeof rowOf<Record>>

/**
 * An observation, or a pair of the time of the query and the observation. The time is in milliseconds since the Unix
 * epoch. Without a time, the query was one minute after the request was sent.
 */
type Timed<Observation> = Observation | [askedAt: number, Observation]

export function createRules<Record, Observation extends { kind: string }, Event>(
  row: (record: Record) => Row<Record>,
  transition: (
    row: Row<Record>,
    observation: Observation,
    askedAt: number,
  ) => TransitionResult<Record, Event>,
) {
  function observe(record: Record, ...observations: Timed<Observation>[]) {
    const events: Event[] = []
    let last: TransitionResult<Record, Event> = { record, events, historyEntry: null }
    for (const timed of observations) {
      const [at, observation] = Array.isArray(timed) ? timed : [SENT + MINUTE, timed]
      last = transition(row(last.record), observation, at)
      events.push(...last.events)
    }
    return { ...last, events }
  }

  function expectUnchanged(record: Record, ...observations: Timed<Observation>[]) {
    const result = observe(record, ...observations)
    expect(result).toEqual({ record, events: [], historyEntry: null })
    expect(result.record).toBe(record)
  }

  return { observe, expectUnchanged }
}
