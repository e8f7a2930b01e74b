import { describe, expect, test } from 'vitest'

import { changeBy } from '../../../server/transactions/row-change.ts'
import {
  alarmAfter,
  announce,
  changed,
  raise,
  standing,
  unchanged,
} from '../../../server/transactions/transition.ts'
import { DAY, rowOf, SENT as NOW } from '../../support/worlds/observed.ts'

import type { Transaction } from '../../../server/store/transactions.ts'
import type { Rules } from '../../../server/transactions/kind.ts'
import type { Alarm, Standing } from '../../../server/transactions/transition.ts'

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

describe('an alarm', () => {
  const calm: { alarm: Alarm | null; amount: string; resolution: null } = {
    alarm: null,
    amount: '5',
    resolution: null,
  }
  const alarmed = (why: string, until: Alarm['until']) => ({ ...calm, alarm: { why, until } })

  test('an alarm is raised once, with a history entry, and replaced unless the reports contradict each other', () => {
    const first = raise(calm, 'A', 'reported')
    expect(first).toEqual({ record: alarmed('A', 'reported'), historyEntry: 'A' })
    expect(raise(first.record, 'A', 'reported')).toEqual(unchanged(first.record))
    const standing = raise(first.record, 'B', 'returned')
    expect(standing).toEqual({ record: alarmed('B', 'returned'), historyEntry: 'B' })
    for (const why of ['A', 'B', 'C']) {
      expect(raise(standing.record, why, 'returned').record).toBe(standing.record)
    }
  })

  test.each<[Alarm['until'], outcome: string, isNewStatus: boolean, isResolved: boolean]>([
    ['reported', 'pending', false, true],
    ['settled', 'pending', true, false],
    ['settled', 'needs_attention', true, false],
    ['settled', 'succeeded', false, true],
    ['settled', 'failed', true, true],
    ['returned', 'pending', true, false],
    ['returned', 'succeeded', true, false],
    ['returned', 'failed', true, false],
    ['returned', 'refunded', false, false],
    ['returned', 'refunded', true, true],
    ['returned', 'reversed', true, true],
    ['confirmed', 'succeeded', true, false],
    ['confirmed', 'refunded', true, true],
  ])(
    'an alarm until %s is resolved by a report of %s, of a new status: %s: %s',
    (until, outcome, isNew, isResolved) => {
      const { alarm } = alarmed('A', until)
      const means = { outcome, settled: outcome !== 'pending' && outcome !== 'needs_attention' }
      expect(alarmAfter(alarm, means, isNew)).toBe(isResolved ? null : alarm)
      expect(alarmAfter(null, means, isNew)).toBe(null)
    },
  )
})

describe('the merchant', () => {
  test.each<[Standing | null, Standing, told: string[], events: string[]]>([
    [null, standing('pending'), [], []],
    [null, standing('sending'), [], []],
    [null, standing('needs_attention'), [], ['needs_attention']],
    [standing('pending'), standing('succeeded'), [], ['succeeded']],
    [standing('succeeded'), standing('succeeded'), [], []],
    [standing('pending'), standing('succeeded'), ['succeeded'], []],
    [standing('pending'), standing('pending', 'A'), ['needs_attention'], ['needs_attention']],
    [standing('pending', 'A'), standing('pending', 'A'), ['needs_attention'], []],
    [standing('pending', 'A'), standing('pending', 'B'), ['needs_attention'], ['needs_attention']],
  ])(
    'the merchant is told of each outcome once, and of each reason to look: %j, %j after %j: %j',
    (before, after, told, events) => {
      const all = [...new Set([...told, ...events])]
      expect(announce({ told }, before, after, false)).toEqual({ record: { told: all }, events })
    },
  )

  test('the merchant is told of each resolution', () => {
    const { record, events } = announce({ told: [] }, standing('pending', 'A'), standing('succeeded'), true)
    expect({ record, events }).toEqual({ record: { told: ['resolved', 'succeeded'] }, events: ['resolved'] })
  })
})
