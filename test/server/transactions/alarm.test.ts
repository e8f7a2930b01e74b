import { expect, test } from 'vitest'

import { alarmAfter, raise } from '../../../server/transactions/alarm.ts'
import { unchanged } from '../../../server/transactions/transition-result.ts'

import type { Alarm } from '../../../server/transactions/alarm.ts'

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
