/** How an observation becomes a change of a stored row. */

import { describe, expect, test } from 'vitest'
import type { Transaction } from '../../server/store.ts'
import type { Rules } from '../../server/transactions/transition.ts'
import { bindTransition, contradict, unchanged } from '../../server/transactions/transition.ts'

const NOW = Date.UTC(2026, 10, 21, 9)
const ASKED = NOW - 50

interface Count {
  count: number
}
type Row = Transaction & { record: Count }

const row: Row = {
  id: 'a-row',
  kind: 'payout',
  account: { environment: 'sandbox', base_url: 'https://gateway.example', account_number: 'ACC-001' },
  reference: 'P-1',
  group: 'P-1',
  attempt: 1,
  version: 4,
  outcome: 'pending',
  created_at: NOW - 1_000,
  updated_at: NOW - 1_000,
  sent_at: NOW - 1_000,
  due_at: null,
  asked_at: null,
  failures: 0,
  record: { count: 1 },
}

/** Adds what is observed; each change is an event. Its schedule, outcome and events show the row they are told of. */
const rules: Rules<Row, number, 'added'> = {
  read: (transaction) => ({ ...transaction, record: row.record }),
  transition: ({ record }, add, askedAt) =>
    add === 0
      ? unchanged(record)
      : {
          record: { count: record.count + add },
          events: ['added', 'added'],
          historyEntry: `Asked at ${askedAt}.`,
        },
  outcomeOf: ({ record, version }) => `${record.count} of version ${version}`,
  progressOf: ({ record }) => ({ stage: 'settled', at: NOW + record.count }),
  describeEvent: (event, { record, version, updated_at }, now) => ({
    type: 'payout.succeeded',
    data: { event, count: record.count, version, updated_at, now },
    about: 'one of them',
  }),
}

describe('an observation', () => {
  test('that changes nothing stores nothing but when to query next', () => {
    expect(bindTransition(rules)(0)(row, ASKED, NOW)).toEqual({
      due_at: NOW + 1 + 3_600_000,
      historyEntry: null,
      events: [],
    })
  })

  test('that changes the record stores record, outcome, schedule, history and events of the new version', () => {
    const body = JSON.stringify({
      type: 'payout.succeeded',
      timestamp: '2026-11-21T09:00:00.000Z',
      data: { event: 'added', count: 3, version: 5, updated_at: NOW, now: NOW },
    })
    const event = { type: 'payout.succeeded', about: 'one of them', body }
    expect(bindTransition(rules)(2)(row, ASKED, NOW)).toEqual({
      record: { count: 3 },
      outcome: '3 of version 5',
      due_at: NOW + 3 + 3_600_000,
      historyEntry: `Asked at ${ASKED}.`,
      events: [event, event],
    })
  })
})

describe('a contradiction', () => {
  const calm = { contradiction: null, amount: '5' }

  test('is kept in the record, and the merchant is told once', () => {
    const first = contradict<string, { contradiction: string | null }>(calm, 'A', 'It is A.')
    expect(first).toEqual({
      record: { contradiction: 'A', amount: '5' },
      events: ['needs_attention'],
      historyEntry: 'It is A.',
    })
    const again = contradict<string, { contradiction: string | null }>(first.record, 'A', 'It is A.')
    expect(again).toEqual({ record: first.record, events: [], historyEntry: null })
    expect(again.record).toBe(first.record)
  })

  test('replaces another one without a second event', () => {
    const before = { contradiction: 'A' }
    expect(contradict(before, 'B', 'It is B.')).toEqual({
      record: { contradiction: 'B' },
      events: [],
      historyEntry: 'It is B.',
    })
  })
})
