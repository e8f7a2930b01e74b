import { describe, expect, test } from 'vitest'

import { payInProgress } from '../../../server/payins/progress.ts'
import { SERVED } from '../../../server/payins/service-confirmation.ts'
import { toReportedState } from '../../../server/payins/status-answer.ts'
import { NEVER_ASKED } from '../../../server/store/transactions.ts'
import {
  factsAfterQuery,
  freshForMs,
  isOverdue,
  nextLookAt,
  progressSince,
  requestQuery,
} from '../../../server/transactions/schedule.ts'
import { NEW_SUBMISSION, submissionProgress } from '../../../server/transactions/submission.ts'
import { DAY, HOUR, MINUTE, SENT as NOW } from '../../support/worlds/observed.ts'
import { payloadOf } from '../../support/worlds/open-checkout.ts'

import type { Transaction } from '../../../server/store/transactions.ts'
import type { Facts, Progress } from '../../../server/transactions/schedule.ts'

const SECOND = 1_000

const asked = (asked_at: number | null, more: Partial<Facts> = {}): Facts => ({
  ...NEVER_ASKED,
  asked_at,
  ...more,
})

const open = (age: number, deadlines?: number[]): Progress => ({
  stage: 'open',
  since: NOW - age,
  ...(deadlines && { deadlines }),
})

describe('the next query', () => {
  test.each([
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
  ])('the next query about something open for %i ms comes %i ms after the last one', (age, pause) => {
    expect(nextLookAt(open(age), asked(NOW), NOW)).toBe(NOW + pause)
    expect(nextLookAt(open(age), asked(NOW), NOW + pause / 2)).toBe(NOW + pause)
  })

  test('the next query comes with the next action of an open record and at its last deadline, if that is sooner', () => {
    const at = (deadlines: number[]) => nextLookAt(open(DAY, deadlines), asked(NOW), NOW + 4)
    expect(at([NOW + 5, NOW + 3])).toBe(NOW + 3)
    expect(at([NOW + 5, NOW - 3, NOW])).toBe(NOW + 5)
    expect(nextLookAt(open(0, [NOW + MINUTE]), asked(NOW), NOW)).toBe(NOW + 20 * SECOND)
    expect(nextLookAt(open(30 * DAY - HOUR), asked(NOW), NOW)).toBe(NOW + HOUR)
  })

  test('the next query comes three times in two minutes without an acknowledgement', () => {
    const pauses: number[] = []
    for (let at = NOW, facts = NEVER_ASKED; at < NOW + 2 * MINUTE; facts = asked(at)) {
      const next = nextLookAt({ stage: 'unacknowledged', since: NOW }, facts, at) ?? Infinity
      pauses.push(next - at)
      at = next
    }

    expect(pauses).toEqual([20 * SECOND, 51 * SECOND, 51 * SECOND])
  })

  test('the next query counts from the last send, if there was no query since', () => {
    const sent = { stage: 'unacknowledged', since: NOW } as const
    expect(nextLookAt(sent, asked(NOW - HOUR), NOW)).toBe(NOW + 20 * SECOND)
  })

  test.each([
    ['at once, if it was never sent', 0, null, 0],
    ['ten seconds after it was sent first', 0, 0, 10 * SECOND],
    ['after as long as it was old when it was sent last', MINUTE, MINUTE, 2 * MINUTE],
    ['after five minutes at the most', HOUR, HOUR, HOUR + 5 * MINUTE],
    ['at once, if its time has passed', HOUR, MINUTE, HOUR],
    ['at once, if the clock was set back', 0, HOUR, 0],
  ])('a decision is sent next %s, however often queries fail', (_, age, sent, at) => {
    const next = { decided_at: NOW, sent_at: sent === null ? null : NOW + sent }
    const failing = asked(NOW + age, { failures: 20 })
    const progress = { stage: 'confirming', since: NOW, next } as const
    expect(nextLookAt(progress, failing, NOW + age)).toBe(NOW + at)
    expect(nextLookAt(progress, failing, NOW + age, true)).toBe(NOW + at)
  })

  test('the next query while a decision waits for a name comes as often as about what is open, and after a day', () => {
    const progress = { stage: 'confirming', since: NOW, next: null } as const
    expect(nextLookAt(progress, asked(NOW), NOW)).toBe(NOW + 20 * SECOND)
    expect(nextLookAt(progress, asked(NOW + HOUR), NOW + HOUR)).toBe(NOW + HOUR + 5 * MINUTE)
    expect(nextLookAt(progress, asked(NOW + DAY - 1), NOW + DAY - 1)).toBe(NOW + DAY)
  })

  test('the next query comes for thirty days after settlement, and then no more', () => {
    const pauses: number[] = []
    const settled = { stage: 'settled', at: NOW } as const
    for (let at: number | null = NOW; at !== null; at = nextLookAt(settled, asked(at), at)) {
      pauses.push(at - NOW)
    }

    expect(pauses).toEqual([0, 3 * MINUTE, HOUR, 6 * HOUR, DAY, 2 * DAY, 7 * DAY, 30 * DAY])
  })

  test('the next query never comes when nothing can change any more', () => {
    expect(nextLookAt({ stage: 'ended' }, asked(NOW - 1), NOW)).toBeNull()
  })

  test.each([
    [1, 5 * SECOND],
    [2, 10 * SECOND],
    [6, 160 * SECOND],
    [7, 5 * MINUTE],
    [70, 5 * MINUTE],
  ])('the next query after %i failures in a row comes %i ms after the last one', (failures, pause) => {
    for (const progress of [open(DAY), { stage: 'confirming', since: NOW, next: null }] as const) {
      expect(nextLookAt(progress, asked(NOW - 1, { failures }), NOW)).toBe(NOW - 1 + pause)
    }

    const justSettled = { stage: 'settled', at: NOW - 1 } as const
    const slot = NOW - 1 + 3 * MINUTE
    expect(nextLookAt(justSettled, asked(NOW - 1, { failures }), NOW)).toBe(Math.min(NOW - 1 + pause, slot))
    const requested = asked(NOW - 1, { failures, requested_at: NOW - 1 })
    expect(nextLookAt({ stage: 'ended' }, requested, NOW)).toBe(NOW - 1 + pause)
  })

  test.each<[string, Progress, Partial<Facts>]>([
    ['that has settled', { stage: 'settled', at: NOW }, {}],
    ['that can no longer change', { stage: 'ended' }, { requested_at: NOW }],
  ])(
    'the next query of what always fails %s comes less and less often, and ends after thirty days',
    (_, progress, facts) => {
      const times: number[] = []
      for (
        let at: number | null = NOW;
        at !== null;
        at = nextLookAt(progress, asked(at, { ...facts, failures: 1 }), at)
      ) {
        times.push(at - NOW)
      }

      expect(times.at(-1)).toBeGreaterThanOrEqual(30 * DAY)
      expect(times.at(-1)).toBeLessThan(34 * DAY)
      expect(times.every((time) => Number.isInteger(time))).toBe(true)
      expect(times.length).toBeLessThan(120)
    },
  )

  test('the next query of what can no longer change and failed never comes, unless a query was requested', () => {
    expect(nextLookAt({ stage: 'ended' }, asked(NOW - 1, { failures: 1 }), NOW)).toBeNull()
  })

  test('the next query while the gateway is away comes in five minutes, whatever is due', () => {
    for (const progress of [
      open(0),
      { stage: 'confirming', since: NOW, next: null },
      { stage: 'ended' },
    ] as const) {
      expect(nextLookAt(progress, asked(NOW - HOUR, { failures: 1 }), NOW, true)).toBe(NOW + 5 * MINUTE)
    }
  })

  test.each<[string, Progress]>([
    ['open', open(DAY)],
    ['open and younger than the clock says', open(-HOUR)],
    ['unacknowledged', { stage: 'unacknowledged', since: NOW + HOUR }],
    ['settled', { stage: 'settled', at: NOW - DAY }],
    ['failing', open(DAY)],
  ])(
    'the next query after the clock was set back comes at once or as after a new start: %s',
    (stage, progress) => {
      const failures = stage === 'failing' ? 9 : 0
      const next = nextLookAt(progress, asked(NOW + HOUR, { failures }), NOW)
      expect(next).toBeLessThanOrEqual(NOW + 20 * SECOND)
    },
  )
})

describe('a requested query', () => {
  type Row = Facts & Pick<Transaction, 'revision'>
  const rowOf = (facts: Facts): Row => ({ ...facts, revision: 1 })
  const ask = (row: Row, now: number): Row => ({
    ...row,
    ...requestQuery(row, now),
    revision: row.revision + 1,
  })
  /** The row after a query of the time `at` that began with the row `began`. */
  const query = (row: Row, began: Row, at: number): Row => ({
    ...row,
    ...factsAfterQuery(row, began, at, 0),
    revision: row.revision + 1,
  })
  const dueAt = (facts: Facts, now = NOW) => nextLookAt(open(DAY), facts, now)

  test('a requested query comes at once, in every stage and after a failure', () => {
    const row = ask(rowOf(asked(NOW - 1, { failures: 3 })), NOW)
    for (const progress of [open(DAY), { stage: 'settled', at: NOW }, { stage: 'ended' }] as const) {
      expect(nextLookAt(progress, row, NOW)).toBe(NOW)
    }

    expect(nextLookAt(open(0), ask(rowOf(NEVER_ASKED), NOW), NOW)).toBe(NOW)
    expect(nextLookAt(open(DAY), asked(null, { failures: 1 }), NOW)).toBe(NOW)
  })

  test('a requested query comes a second after the one before, however many are requested until then', () => {
    const first = ask(rowOf(asked(NOW - HOUR)), NOW)
    let row = query(first, first, NOW)
    for (const ms of [1, 2, SECOND - 1]) {
      row = ask(row, NOW + ms)
      expect(dueAt(row, NOW + ms)).toBe(NOW + SECOND)
    }

    // The query that starts now may miss the news of the next request.
    expect(dueAt(ask(row, NOW + SECOND), NOW + SECOND)).toBe(NOW + 2 * SECOND)
  })

  test('a requested query is not delayed by a query for a page', () => {
    for (const at of [NOW - 1, NOW]) {
      expect(dueAt(ask(rowOf(asked(at)), NOW))).toBe(NOW)
    }
  })

  test('a requested query is served by a query that begins with it, and by no earlier one', () => {
    const before = rowOf(asked(NOW - 1))
    const first = ask(before, NOW)
    expect(dueAt(query(first, before, NOW))).toBe(NOW)
    expect(dueAt(query(first, first, NOW))).toBe(NOW + 6 * HOUR)
    const second = ask(first, NOW + 1)
    expect(dueAt(query(second, first, NOW))).toBe(NOW + SECOND)
    expect(dueAt(query(second, second, NOW))).toBe(NOW + 6 * HOUR)
    // Also a query for a page serves it, before its time.
    expect(dueAt(query(second, second, NOW + 2), NOW + 2)).toBe(NOW + 2 + 6 * HOUR)
  })

  test('a requested query is noticed and served, whatever the clocks of other processes show', () => {
    for (const other of [
      asked(NOW + HOUR),
      asked(NOW - 1, { requested_at: NOW + HOUR }),
      asked(NOW + HOUR, { requested_at: NOW + HOUR }),
    ]) {
      const before = rowOf(other)
      const row = ask(before, NOW)
      expect(dueAt(row)).toBe(NOW)
      expect(dueAt(query(row, before, NOW + HOUR))).toBe(NOW)
      expect(dueAt(query(row, row, NOW))).toBe(NOW + 6 * HOUR)
      // Also at a process whose clock shows more.
      expect(dueAt(row, NOW + 2 * HOUR)).toBe(NOW)
    }
  })

  test('a requested query at a time in the future comes within a second, and is no reason to query again and again', () => {
    const row = ask(rowOf(asked(NOW)), NOW + HOUR)
    expect(dueAt(row)).toBe(NOW + SECOND)
    expect(dueAt(query(row, row, NOW))).toBe(NOW + 6 * HOUR)
  })
})

test.each<[string, Progress, boolean]>([
  ['open', open(30 * DAY), true],
  ['open for less', open(30 * DAY - 1), false],
  ['never acknowledged', { stage: 'unacknowledged', since: NOW - 30 * DAY }, true],
  ['settled', { stage: 'settled', at: NOW - 40 * DAY }, false],
  ['ended', { stage: 'ended' }, false],
])('a transaction that is %s for thirty days is overdue: %j, %j', (_, progress, overdue) => {
  expect(isOverdue(progress, NOW)).toBe(overdue)
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

  test.each(AGES)('an answer about a transaction open for %i ms is fresh for %i ms', (age, fresh) => {
    expect(freshForMs(open(age), { created_at: NOW - 40 * DAY }, NOW)).toBe(fresh)
  })

  test.each(AGES)(
    'an answer about a transaction created %i ms ago and not open is fresh for %i ms',
    (age, fresh) => {
      for (const progress of [
        { stage: 'unacknowledged', since: NOW },
        { stage: 'confirming', since: NOW, next: null },
      ] as const) {
        expect(freshForMs(progress, { created_at: NOW - age }, NOW)).toBe(fresh)
      }
    },
  )

  test('an answer is fresh for a minute after the end', () => {
    for (const progress of [{ stage: 'settled', at: NOW } as const, { stage: 'ended' } as const]) {
      expect(freshForMs(progress, { created_at: NOW }, NOW)).toBe(MINUTE)
    }
  })
})

describe('the progress', () => {
  test('the progress of a transaction begins when it was last sent, and ends when it was settled', () => {
    expect(progressSince({ created_at: 1, sent_at: 3 }, null)).toEqual({ stage: 'open', since: 3 })
    expect(progressSince({ created_at: 1, sent_at: null }, null)).toEqual({ stage: 'open', since: 1 })
    expect(progressSince({ created_at: 1, sent_at: 3 }, 4)).toEqual({ stage: 'settled', at: 4 })
  })

  test('the progress of an unacknowledged transaction is open when a person has to decide', () => {
    const times = { created_at: 1, sent_at: 2, recovered_at: null }
    expect(submissionProgress(NEW_SUBMISSION, times)).toEqual({ stage: 'unacknowledged', since: 2 })
    const unsent = { ...times, sent_at: null }
    expect(submissionProgress(NEW_SUBMISSION, unsent)).toEqual({ stage: 'unacknowledged', since: 1 })
    const stuck = { ...NEW_SUBMISSION, stuck: 'The gateway does not know it.' }
    expect(submissionProgress(stuck, times)).toEqual({ stage: 'open', since: 1 })
  })

  const decided = (status: 'SUCCESSFUL' | 'FAILED') => ({ ...SERVED, status, payment_id: 'TX-0' })
  const refund = { stage: 'confirmed', decision: decided('FAILED'), message: null } as const
  /** A second after the end of the session, of the grace, and of the day after. */
  const DEADLINES = [0, 2 * MINUTE, DAY].map((ms) => NOW + ms + SECOND)
  const paid = toReportedState(payloadOf(801, [{ status: 700 }]), NOW, 'KES')
  test.each([
    ['is open until it is settled', null, null, { stage: 'open', since: 1, deadlines: DEADLINES }],
    ['ends when it was settled', null, 3, { stage: 'settled', at: 3 }],
    [
      'waits for a decision to be delivered',
      { stage: 'decided', decision: decided('FAILED'), decided_at: 5, sent_at: 6, unanswered: 1 },
      3,
      { stage: 'confirming', since: 5, next: { decided_at: 5, sent_at: 6 } },
    ],
    ['is open again until a refund is reported', refund, 3, { stage: 'open', since: 2 }],
  ] as const)('the progress of a pay-in %s', (_, payment, settled_at, progress) => {
    const confirmation = payment && { accepted: null, payments: [payment] }
    const state = { confirmation, reported: paid, settled_at, answered_at: 1, alarm: null, resolution: null }
    const times = { created_at: 1, sent_at: 1, updated_at: 2 }
    expect(payInProgress(state, times, NOW)).toEqual(progress)
  })

  test.each([
    ['when it was created', { created_at: 5, sent_at: null, answered_at: 4 }, 5],
    ['when it was sent last', { created_at: 1, sent_at: 5, answered_at: 4 }, 5],
    ['when the gateway answered, by its clock', { created_at: 1, sent_at: 2, answered_at: 5 }, 5],
  ])(
    'the progress of an open pay-in begins %s, whichever is latest',
    (_, { answered_at, ...times }, since) => {
      const state = {
        confirmation: null,
        reported: null,
        settled_at: null,
        answered_at,
        alarm: null,
        resolution: null,
      }
      expect(payInProgress(state, { ...times, updated_at: 9 }, NOW)).toMatchObject({ stage: 'open', since })
    },
  )
})
