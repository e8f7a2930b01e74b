import { describe, expect, test } from 'vitest'
import type { Transaction } from '../../server/store.ts'
import type { Progress } from '../../server/transactions/schedule.ts'
import type { TrackedOutcome } from '../../server/api/tracked.ts'
import type { Alarm, Rules, Standing } from '../../server/transactions/transition.ts'
import { createSyncRequests, SYNC_PAUSE_MS } from '../../server/transactions/sync-requests.ts'
import { payInProgress, SERVED } from '../../server/payins/service-confirmation.ts'
import { toReportedState } from '../../server/payins/reported-state.ts'
import { freshForMs, isOverdue, nextQueryAt, progressSince } from '../../server/transactions/schedule.ts'
import { NEW_SUBMISSION, submissionProgress } from '../../server/transactions/submission.ts'
import {
  alarmAfter,
  announce,
  bindTransition,
  note,
  raise,
  standing,
  standingOf,
  unchanged,
} from '../../server/transactions/transition.ts'
import { payloadOf } from '../support/open-checkout.ts'
import { DAY, HOUR, MINUTE, rowOf, SENT as NOW } from '../support/observed.ts'

const SECOND = 1_000
const ASKED = NOW - 50
const row = rowOf('payout', { count: 1 }, { version: 4 })

const rules: Rules<Transaction & { record: { count: number } }, { kind: 'add'; add: number }, 'added'> = {
  read: (transaction) => ({ ...transaction, record: row.record }),
  transition({ record }, observation, askedAt) {
    if (observation.kind === 'overdue') return note({ count: record.count + 100 }, 'It is overdue.')
    const { add } = observation
    return add === 0 ? unchanged(record) : note({ count: record.count + add }, `Asked at ${askedAt}.`)
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
  requestOf: ({ count }) => ({ amount: `${count} KES`, terms: count }),
  describeEvent: (event, { record, version, updated_at }, now) => ({
    type: 'payout.succeeded',
    data: { event, count: record.count, version, updated_at, now },
    about: 'one of them',
  }),
}
const add = (count: number) => bindTransition(rules)({ kind: 'add', add: count })

describe('an observation', () => {
  test('that changes nothing stores only the time of the next query', () => {
    const change = { due_at: NOW + 1 + HOUR, historyEntry: null, events: [] }
    expect(add(0)(row, ASKED, NOW)).toEqual(change)
  })

  test('that changes the record stores record, outcome, schedule, history and events of the new version', () => {
    const body = JSON.stringify({
      type: 'payout.succeeded',
      timestamp: '2026-11-21T09:00:00.000Z',
      data: { event: 'added', count: 3, version: 5, updated_at: NOW, now: NOW },
    })
    const event = { type: 'payout.succeeded', about: 'one of them', body }
    expect(add(2)(row, ASKED, NOW)).toEqual({
      record: { count: 3, announced: 1 },
      outcome: '3 of version 5',
      due_at: NOW + 3 + HOUR,
      historyEntry: `Asked at ${ASKED}.`,
      events: [event, event],
    })
  })
})

test('a transaction that is still open at its last deadline is overdue', () => {
  const change = { record: { count: 109, announced: 1 }, historyEntry: 'It is overdue.' }
  expect(add(8)(row, ASKED, NOW)).toMatchObject(change)
  expect(add(8)(row, ASKED, NOW - 1)).toMatchObject({ record: { count: 9 }, due_at: NOW })
})

describe('an alarm', () => {
  const calm: { alarm: Alarm | null; amount: string } = { alarm: null, amount: '5' }
  const alarmed = (why: string, until: Alarm['until']) => ({ ...calm, alarm: { why, until } })

  test('is raised once, with a history entry, and replaced unless the reports contradict each other', () => {
    const first = raise(calm, 'A', 'reported')
    expect(first).toEqual({ record: alarmed('A', 'reported'), historyEntry: 'A' })
    expect(raise(first.record, 'A', 'reported')).toEqual(unchanged(first.record))
    const standing = raise(first.record, 'B', 'returned')
    expect(standing).toEqual({ record: alarmed('B', 'returned'), historyEntry: 'B' })
    for (const why of ['A', 'B', 'C'])
      expect(raise(standing.record, why, 'returned').record).toBe(standing.record)
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
  ])(
    'until %s is resolved by a report of %s, of a new status: %s: %s',
    (until, outcome, isNew, isResolved) => {
      const { alarm } = alarmed('A', until)
      expect(alarmAfter(alarm, outcome, isNew)).toBe(isResolved ? null : alarm)
      expect(alarmAfter(null, outcome, isNew)).toBe(null)
    },
  )
})

describe('the merchant', () => {
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
  ])('who was told %j has a transaction that is %s: %s', (told, outcome, expected) => {
    expect(standingOf(outcome, { alarm: null, told })).toMatchObject({ outcome: expected })
    const alarm: Alarm = { why: 'A', until: 'reported' }
    expect(standingOf(outcome, { alarm, told })).toEqual({
      outcome: 'needs_attention',
      settled: false,
      attention: 'A',
    })
  })

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
    'is told of each outcome once, and of each reason to look: %j, %j after %j: %j',
    (before, after, told, events) => {
      const all = [...new Set([...told, ...events])]
      expect(announce({ told }, before, after)).toEqual({ record: { told: all }, events })
    },
  )
})

describe('a requested query', () => {
  test('starts at once, the next one a second later', () => {
    const requests = createSyncRequests()
    expect(requests.earliest('a', NOW)).toBe(NOW)
    requests.startRequested('a', NOW)
    for (const [id, now, earliest] of [
      ['a', NOW, NOW + SYNC_PAUSE_MS] as const,
      ['a', NOW + 400, NOW + SYNC_PAUSE_MS] as const,
      ['a', NOW + 5_000, NOW + 5_000] as const,
      ['b', NOW, NOW] as const,
      // After the clock jumps back, a start in the future counts as no start.
      ['a', NOW - HOUR, NOW - HOUR] as const,
    ])
      expect(requests.earliest(id, now)).toBe(earliest)
  })

  test('is scheduled until its time, at most one pause ahead', () => {
    const requests = createSyncRequests()
    expect(requests.isScheduled('a', NOW)).toBe(false)
    requests.schedule('a', NOW + SYNC_PAUSE_MS)
    for (const [id, now, isScheduled] of [
      ['a', NOW, true] as const,
      ['b', NOW, false] as const,
      ['a', NOW + SYNC_PAUSE_MS - 1, true] as const,
      ['a', NOW + SYNC_PAUSE_MS, false] as const,
      ['a', NOW - 1, false] as const,
    ])
      expect(requests.isScheduled(id, now)).toBe(isScheduled)
  })

  test.each([
    ['startPoll', NOW],
    ['startReturn', NOW],
    ['startRequested', NOW + SYNC_PAUSE_MS],
  ] as const)('that was scheduled is answered by %s; only a request delays the next', (start, earliest) => {
    const requests = createSyncRequests()
    requests.schedule('a', NOW + 500)
    requests[start]('a', NOW)
    expect(requests.isScheduled('a', NOW)).toBe(false)
    expect(requests.earliest('a', NOW)).toBe(earliest)
  })

  test('for a returning shopper is remembered by its time, unless that lies in the future', () => {
    const requests = createSyncRequests()
    requests.startReturn('a', NOW)
    for (const [id, now, returnedAt] of [
      ['a', NOW, NOW] as const,
      ['a', NOW - 1, null] as const,
      ['b', NOW, null] as const,
    ])
      expect(requests.returnedAt(id, now)).toBe(returnedAt)
    for (let n = 1; n <= 10_000; n++) requests.startReturn(`a-${n}`, NOW)
    expect(requests.returnedAt('a', NOW)).toBe(null)
    expect(requests.returnedAt('a-10000', NOW)).toBe(NOW)
  })

  test('is remembered for ten thousand transactions; one more makes it forget all others', () => {
    const requests = createSyncRequests()
    for (let n = 1; n <= 10_000; n++) requests.startRequested(`a-${n}`, NOW)
    expect(requests.earliest('a-1', NOW)).toBe(NOW + SYNC_PAUSE_MS)
    requests.startRequested('another', NOW)
    expect(requests.earliest('a-1', NOW)).toBe(NOW)
    expect(requests.earliest('another', NOW)).toBe(NOW + SYNC_PAUSE_MS)
  })
})

const open = (age: number, deadlines?: number[]): Progress => ({
  stage: 'open',
  since: NOW - age,
  ...(deadlines && { deadlines }),
})

describe('the next query', () => {
  test.each([
    [-MINUTE, SECOND],
    [0, 20 * SECOND],
    [5 * MINUTE - 1, 20 * SECOND],
    [5 * MINUTE, MINUTE],
    [30 * MINUTE - 1, MINUTE],
    [30 * MINUTE, 5 * MINUTE],
    [2 * HOUR - 1, 5 * MINUTE],
    [2 * HOUR, HOUR],
    [DAY - 1, HOUR],
    [DAY, 6 * HOUR],
    [7 * DAY - 1, 6 * HOUR],
    [7 * DAY, DAY],
    [300 * DAY, DAY],
  ])('about something open for %i ms comes after %i ms', (age, pause) => {
    expect(nextQueryAt(open(age), NOW)).toBe(NOW + pause)
  })

  test('comes with the next action of an open record, if that is sooner', () => {
    expect(nextQueryAt(open(DAY, [NOW + 5, NOW + 3]), NOW)).toBe(NOW + 3)
    expect(nextQueryAt(open(DAY, [NOW + 5, NOW - 3, NOW]), NOW)).toBe(NOW + 5)
    expect(nextQueryAt(open(0, [NOW + MINUTE]), NOW)).toBe(NOW + 20 * SECOND)
  })

  test('comes at the last deadline, after 30 days, which only an open transaction has', () => {
    expect(nextQueryAt(open(30 * DAY - 5), NOW)).toBe(NOW + 5)
    const unacknowledged: Progress = { stage: 'unacknowledged', since: NOW - 30 * DAY }
    for (const progress of [open(30 * DAY), unacknowledged])
      expect([NOW - 1, NOW].map((now) => isOverdue(progress, now))).toEqual([false, true])
    for (const progress of [
      { stage: 'settled', at: 0 },
      { stage: 'ended' },
      { stage: 'confirming' },
    ] as const)
      expect(isOverdue(progress, NOW)).toBe(false)
  })

  test('comes three times in two minutes without an acknowledgement', () => {
    const pauses: number[] = []
    for (let at = NOW; at < NOW + 2 * MINUTE;) {
      const next = nextQueryAt({ stage: 'unacknowledged', since: NOW }, at) ?? Infinity
      pauses.push(next - at)
      at = next
    }
    expect(pauses).toEqual([20 * SECOND, 51 * SECOND, 51 * SECOND])
  })

  test('comes at once while a service confirmation is to be sent', () => {
    expect(nextQueryAt({ stage: 'confirming' }, NOW)).toBe(NOW)
  })

  test('comes for thirty days after settlement, and then no more', () => {
    const pauses: number[] = []
    for (let at: number | null = NOW; at !== null; at = nextQueryAt({ stage: 'settled', at: NOW }, at))
      pauses.push(at - NOW)
    expect(pauses).toEqual([0, HOUR, 6 * HOUR, DAY, 2 * DAY, 7 * DAY, 30 * DAY])
  })

  test('never comes when nothing can change any more', () => {
    expect(nextQueryAt({ stage: 'ended' }, NOW)).toBeNull()
  })
})

describe('an answer is fresh', () => {
  const AGES = [
    [-MINUTE, SECOND],
    [0, 2 * SECOND],
    [30 * SECOND - 1, 2 * SECOND],
    [30 * SECOND, 4 * SECOND],
    [2 * MINUTE - 1, 4 * SECOND],
    [2 * MINUTE, 10 * SECOND],
    [5 * MINUTE - 1, 10 * SECOND],
    [5 * MINUTE, 20 * SECOND],
    [DAY, 20 * SECOND],
  ] as const

  test.each(AGES)('about a transaction open for %i ms: for %i ms', (age, fresh) => {
    expect(freshForMs(open(age), { created_at: NOW - 40 * DAY }, NOW)).toBe(fresh)
  })

  test.each(AGES)('about a transaction created %i ms ago and not open: for %i ms', (age, fresh) => {
    for (const progress of [{ stage: 'unacknowledged', since: NOW }, { stage: 'confirming' }] as const)
      expect(freshForMs(progress, { created_at: NOW - age }, NOW)).toBe(fresh)
  })

  test('for a minute after the end', () => {
    for (const progress of [{ stage: 'settled', at: NOW } as const, { stage: 'ended' } as const])
      expect(freshForMs(progress, { created_at: NOW }, NOW)).toBe(MINUTE)
  })
})

describe('the progress', () => {
  test('of a transaction begins when it was last sent, and ends when it was settled', () => {
    expect(progressSince({ created_at: 1, sent_at: 3 }, null)).toEqual({ stage: 'open', since: 3 })
    expect(progressSince({ created_at: 1, sent_at: null }, null)).toEqual({ stage: 'open', since: 1 })
    expect(progressSince({ created_at: 1, sent_at: 3 }, 4)).toEqual({ stage: 'settled', at: 4 })
  })

  test('of an unacknowledged transaction is open when a person has to decide', () => {
    const times = { created_at: 1, sent_at: 2 }
    expect(submissionProgress(NEW_SUBMISSION, times)).toEqual({ stage: 'unacknowledged', since: 2 })
    const unsent = { ...times, sent_at: null }
    expect(submissionProgress(NEW_SUBMISSION, unsent)).toEqual({ stage: 'unacknowledged', since: 1 })
    const stuck = { ...NEW_SUBMISSION, stuck: 'The gateway does not know it.' }
    expect(submissionProgress(stuck, times)).toEqual({ stage: 'open', since: 1 })
  })

  const decided = (status: 'SUCCESSFUL' | 'FAILED') => ({ ...SERVED, status, payment_id: 'p' })
  const refund = { stage: 'confirmed', decision: decided('FAILED'), message: null } as const
  const paid = toReportedState(payloadOf(801, [{ status: 700 }]), NOW, 'KES')
  test.each([
    ['is open until it is settled', null, null, { stage: 'open', since: 1, deadlines: [9] }],
    ['ends when it was settled', null, 3, { stage: 'settled', at: 3 }],
    [
      'waits for a decision to be delivered',
      { stage: 'decided', decision: decided('FAILED') },
      3,
      { stage: 'confirming' },
    ],
    ['is open again until a refund is reported', refund, 3, { stage: 'open', since: 2 }],
  ] as const)('of a pay-in %s', (_, confirmation, settled_at, progress) => {
    const state = { confirmation, reported: paid, settled_at }
    expect(payInProgress(state, { created_at: 1, updated_at: 2 }, [9])).toEqual(progress)
  })
})
