import { expect, test } from 'vitest'

import { standingOf } from '../../../server/money-out/reported-status.ts'

import type { TrackedOutcome } from '../../../server/api/tracked.ts'
import type { Alarm } from '../../../server/transactions/alarm.ts'

test.each<[told: string[], outcome: TrackedOutcome, TrackedOutcome]>([
  [[], 'succeeded', 'succeeded'],
  [['needs_attention'], 'succeeded', 'succeeded'],
  ...['failed', 'unpaid', 'expired', 'ended', 'reversed', 'refunded'].flatMap(
    (end): [string[], TrackedOutcome, TrackedOutcome][] => [
      [[end], 'succeeded', 'needs_attention'],
      [[end, 'needs_attention'], 'pending', 'needs_attention'],
      [[end], 'failed', 'failed'],
      [[end], 'refunded', 'refunded'],
    ],
  ),
  [['partial', 'review', 'paid'], 'pending', 'pending'],
])('a merchant who was told %j has a payout or recipient that is %s: %s', (told, outcome, expected) => {
  expect(standingOf(outcome, { alarm: null, told }, null)).toMatchObject({ outcome: expected })
  const alarm: Alarm = { why: 'A', until: 'reported' }
  expect(standingOf(outcome, { alarm, told }, 'B')).toEqual({
    outcome: 'needs_attention',
    settled: false,
    attention: 'A',
  })
})
