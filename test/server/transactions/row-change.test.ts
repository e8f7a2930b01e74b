import { expect, test } from 'vitest'

import { changeBy } from '../../../server/transactions/row-change.ts'
import { changed, unchanged } from '../../../server/transactions/transition-result.ts'
import { DAY, rowOf, SENT as NOW } from '../../support/worlds/observed.ts'

import type { Transaction } from '../../../server/store/transactions.ts'
import type { Rules } from '../../../server/transactions/kind.ts'

const ASKED = NOW - 50
const row = rowOf('payout', { count: 1 }, { version: 4 })

const rules: Rules<Transaction & { record: { count: number } }, { kind: 'add'; add: number }, 'added'> = {
  read: (transaction) => ({ ...transaction, record: row.record }),
  transition({ record }, observation, askedAt) {
    if (observation.kind === 'overdue') {
      return changed({ count: record.count + 100 }, 'It is overdue.')
    }

    const { add } = observation
    return add === 0 ? unchanged(record) : changed({ count: record.count + add }, `Asked at ${askedAt}.`)
  },
  announce: (before, { record }) => ({
    record: { ...record, announced: before.record.count },
    events: ['added', 'added'],
  }),
  outcomeOf: ({ record, version }) => `${record.count} of version ${version}`,
  progressOf: ({ record }) =>
    record.count === 9
      ? { stage: 'open', since: NOW - 30 * DAY }
      : { stage: 'settled', at: NOW + record.count },
  requestOf: ({ count }) => ({ amount: `${count} KES`, fingerprint: '' }),
  movementsOf: () => [],
  describeEvent: (event, { record, version, updated_at }, now) => ({
    type: 'payout.succeeded',
    data: { event, count: record.count, version, updated_at, now },
    about: 'one of them',
  }),
}
const add = (count: number, now = NOW) => changeBy(rules, row, { kind: 'add', add: count }, ASKED, now)

test('an observation that changes nothing has only the progress', () => {
  expect(add(0)).toEqual({ progress: { stage: 'settled', at: NOW + 1 }, historyEntry: null })
})

test('an observation that changes the record has record, outcome, progress, history and events of the new version', () => {
  const body = JSON.stringify({
    type: 'payout.succeeded',
    timestamp: '2026-11-21T09:00:00.000Z',
    data: { event: 'added', count: 3, version: 5, updated_at: NOW, now: NOW },
  })
  const event = { type: 'payout.succeeded', about: 'one of them', body }
  expect(add(2)).toEqual({
    record: { count: 3, announced: 1 },
    outcome: '3 of version 5',
    progress: { stage: 'settled', at: NOW + 3 },
    historyEntry: `Asked at ${ASKED}.`,
    events: [event, event],
  })
})

test('a transaction that is still open at its last deadline is overdue', () => {
  const change = { record: { count: 109, announced: 1 }, historyEntry: 'It is overdue.' }
  expect(add(8)).toMatchObject(change)
  expect(add(8, NOW - 1)).toMatchObject({ record: { count: 9 } })
})
