import { describe, expect, test } from 'vitest'
import { z } from 'zod'

import { WHY_MISSING } from '../../../server/transactions/missing-report.ts'
import { lastSendOf, mayHaveLostSend } from '../../../server/transactions/recovery.ts'
import {
  isQueriedFirst,
  isDueToSend,
  wasSentAgain,
  isSendable,
  countMissing,
  NEW_SUBMISSION,
  refuseSubmission,
  submissionState,
} from '../../../server/transactions/submission.ts'
import { DAY, HOUR, MINUTE } from '../../support/worlds/observed.ts'

import type { Missing } from '../../../server/transactions/missing-report.ts'
import type { SubmissionState } from '../../../server/transactions/submission.ts'

const CREATED = Date.UTC(2026, 10, 21, 9)
const SENT = CREATED + 10 * MINUTE
const KINDS = ['checkout', 'payout', 'charge', 'airtime'] as const
type Kind = (typeof KINDS)[number]

const row = (kind: Kind, sent_at: number | null = null) => ({
  kind,
  created_at: CREATED,
  sent_at,
  recovered_at: null,
})
const asked = (times: number, since: number | null = null, stuck: string | null = null) => ({
  unknown: { times, since },
  stuck,
  refused: null,
})

const stuck = (sent_at: number | null) => asked(3, sent_at, 'It is stuck.')

/** The send rule of what the kinds usually send. */
const RULES = { checkout: 'idempotent', payout: 'idempotent', charge: 'once', airtime: 'once' } as const

function missed(kind: Kind, sent_at: number | null, times: number, lastAt: number) {
  let record: SubmissionState = NEW_SUBMISSION
  for (let n = 1; n < times; n++) {
    record =
      countMissing({ ...row(kind, sent_at), record }, RULES[kind], sent_at ?? CREATED)?.record ?? record
  }

  return countMissing({ ...row(kind, sent_at), record }, RULES[kind], lastAt)
}

test.each([
  ['checkout', true, true],
  ['payout', true, true],
  ['charge', true, false],
  ['airtime', true, false],
] as const)(
  'a request without acknowledgement of %s may be sent: if unsent %s, if lost %s',
  (kind, unsent, lost) => {
    expect(isSendable(row(kind), NEW_SUBMISSION, RULES[kind], CREATED)).toBe(unsent)
    expect(isSendable(row(kind, SENT), NEW_SUBMISSION, RULES[kind], SENT)).toBe(lost)
    // A transaction that needs a person is not sent.
    const refused = { why: 'No.', queries: 1, answer: null } as const
    for (const sent_at of [null, SENT]) {
      expect(isSendable(row(kind, sent_at), stuck(sent_at), RULES[kind], SENT)).toBe(false)
      expect(isSendable(row(kind, sent_at), { ...NEW_SUBMISSION, refused }, RULES[kind], SENT)).toBe(false)
    }
  },
)

test.each(['once', 'once_unseen'] as const)(
  'a request without acknowledgement of a checkout as a charge (%s) is sent once',
  (rule) => {
    expect(isSendable(row('checkout'), NEW_SUBMISSION, rule, SENT)).toBe(true)
    expect(isSendable(row('checkout', SENT), NEW_SUBMISSION, rule, SENT)).toBe(false)
  },
)

test.each([
  ['charge', 2 * MINUTE],
  ['airtime', DAY],
] as const)(
  'an unsent request of %s is sent for %d milliseconds, also when the merchant repeats it',
  (kind, ms) => {
    const isSent = (now: number) => isSendable(row(kind), NEW_SUBMISSION, RULES[kind], now)
    expect([isSent(CREATED + ms - 1), isSent(CREATED + ms)]).toEqual([true, false])
  },
)

type Case = [Kind, sent_at: number | null, ReturnType<typeof asked>, first: number, last: number]

test.each<Case>([
  // Charges are sent within two minutes of creation, airtime requests within a day.
  ['charge', null, NEW_SUBMISSION, -Infinity, CREATED + 2 * MINUTE - 1],
  ['airtime', null, NEW_SUBMISSION, -Infinity, CREATED + DAY - 1],
  // Payouts are sent after three queries and two minutes.
  ['payout', null, asked(3), CREATED + 2 * MINUTE, Infinity],
  ['payout', null, asked(4), CREATED + 2 * MINUTE, Infinity],
  // The pause before a payout is sent again is the age of the payout when it was last sent, at least two minutes.
  ['payout', SENT, asked(3, SENT), SENT + 10 * MINUTE, Infinity],
  ['payout', CREATED + 1, asked(3, CREATED + 1), CREATED + 1 + 2 * MINUTE, Infinity],
  // Queries before the last send do not count.
  ['payout', null, asked(2), Infinity, Infinity],
  ['payout', SENT, asked(3, null), Infinity, Infinity],
  ['payout', SENT, asked(3, CREATED), Infinity, Infinity],
  ['checkout', null, asked(3, null), Infinity, Infinity],
  ['checkout', SENT, asked(3, SENT), Infinity, Infinity],
  ['charge', SENT, asked(3, SENT), Infinity, Infinity],
  ['airtime', SENT, asked(3, SENT), Infinity, Infinity],
  ...[null, SENT].flatMap((sent_at) =>
    KINDS.map((kind): Case => [kind, sent_at, stuck(sent_at), Infinity, Infinity]),
  ),
])(
  'the server sends a request of %s sent at %s, %j, first or again, from %d to %d',
  (kind, sent_at, state, first, last) => {
    for (const now of [CREATED, SENT + MINUTE, SENT + 2 * DAY, first - 1, first, last, last + 1].filter(
      isFinite,
    )) {
      expect({ now, isDueToSend: isDueToSend(row(kind, sent_at), state, RULES[kind], now) }).toEqual({
        now,
        isDueToSend: now >= first && now <= last,
      })
    }
  },
)

test.each([
  [asked(1, CREATED), true],
  [asked(1, SENT), false],
  [asked(1, null), false],
  [asked(0, CREATED), false],
])(
  'that a request was sent again is known by queries that found nothing after an earlier send: %j',
  (state, expected) => {
    expect(wasSentAgain({ sent_at: SENT }, state)).toBe(expected)
  },
)

test('the gateway is asked before a checkout is sent again and, after a recovery, before a new charge or airtime', () => {
  const asked = (sent_at: number | null, recoveredAt: number | null) =>
    KINDS.filter((kind) => isQueriedFirst(row(kind, sent_at), recoveredAt))
  const recovered = CREATED - 30 * DAY
  expect(asked(null, recovered + 1)).toEqual(['charge', 'airtime'])
  for (const [sent_at, recoveredAt] of [
    [null, recovered],
    [null, null],
  ] as const) {
    expect(asked(sent_at, recoveredAt)).toEqual([])
  }

  for (const recoveredAt of [CREATED, null]) {
    expect(asked(SENT, recoveredAt)).toEqual(['checkout'])
  }
})

describe('after a recovery', () => {
  const RECOVERED = SENT + HOUR
  const recovered = (kind: Kind, sent_at: number | null) => ({
    ...row(kind, sent_at),
    recovered_at: RECOVERED,
  })

  test.each([
    ['never, in the backup', null, true, RECOVERED],
    ['before the recovery', SENT, true, RECOVERED],
    ['after it', RECOVERED + 1, false, RECOVERED + 1],
  ])('what was sent %s may have been sent until then', (_, sent_at, isLost, last) => {
    expect(mayHaveLostSend(recovered('payout', sent_at))).toBe(isLost)
    expect(lastSendOf(recovered('payout', sent_at))).toBe(last)
    expect(mayHaveLostSend(row('payout', sent_at))).toBe(false)
    expect(lastSendOf(row('payout', sent_at))).toBe(sent_at)
  })

  test('what was unsent in the backup is followed as sent, except a checkout, which is looked for before it is sent', () => {
    const sent = KINDS.filter((kind) =>
      isSendable(recovered(kind, null), NEW_SUBMISSION, RULES[kind], RECOVERED),
    )
    expect(sent).toEqual(KINDS.filter((kind) => kind === 'checkout' || kind === 'payout'))
  })

  test('a payout is sent after three queries and two minutes since the recovery', () => {
    const isDue = (state: ReturnType<typeof asked>, now: number) =>
      isDueToSend(recovered('payout', null), state, RULES.payout, now)
    expect(isDue(asked(3, null), RECOVERED + DAY)).toBe(false)
    expect(isDue(asked(3, RECOVERED), RECOVERED + 2 * MINUTE - 1)).toBe(false)
    expect(isDue(asked(3, RECOVERED), RECOVERED + 2 * MINUTE)).toBe(true)
  })

  test.each(['charge', 'airtime'] as const)(
    'a %s that was unsent in the backup, and that the gateway does not know, needs a person after two minutes',
    (kind) => {
      const missedAt = (at: number) => {
        const record = { ...asked(2, RECOVERED), refused: null }
        return countMissing({ ...recovered(kind, null), record }, RULES[kind], at)
      }
      expect(missedAt(RECOVERED + 2 * MINUTE - 1)).toMatchObject({ record: { stuck: null } })
      expect(missedAt(RECOVERED + 2 * MINUTE)).toMatchObject({
        record: { unknown: { times: 3, since: RECOVERED }, stuck: expect.any(String) },
      })
    },
  )
})

describe('a submission ends', () => {
  test.each([
    ['checkout', null, 1, CREATED + 2 * MINUTE],
    ['checkout', SENT, 1, SENT + 2 * MINUTE],
    ['charge', null, 1, CREATED + 2 * MINUTE],
  ] as const)(
    'the submission of %s sent at %s ends after %i query, at %i, without a person',
    (kind, sent_at, queries, end) => {
      expect(missed(kind, sent_at, queries, end)).toBeNull()
      const early = missed(kind, sent_at, queries, end - 1)
      expect(early).toEqual({ record: NEW_SUBMISSION, historyEntry: null })
      // If one query is enough to decide, queries are not counted.
      expect(early?.record).toBe(NEW_SUBMISSION)
    },
  )

  test.each([
    ['payout', null, 3, CREATED + DAY, 'could not be sent'],
    ['payout', SENT, 3, CREATED + DAY, 'did not acknowledge it within a day'],
    ['charge', SENT, 3, SENT + 2 * MINUTE, 'sent once, its answer was lost'],
    ['airtime', null, 1, CREATED + DAY, 'could not be sent'],
    ['airtime', SENT, 3, SENT + 2 * MINUTE, 'sent once, its answer was lost'],
  ] as const)(
    'the submission of %s sent at %s ends after %i queries, at %i, with a person: it %s',
    (kind, sent_at, queries, end, why) => {
      const over = missed(kind, sent_at, queries, end)
      expect(over).toMatchObject({
        record: { unknown: { times: queries, since: sent_at }, stuck: expect.stringContaining(why) },
      })
      if (!over) {
        return
      }

      expect(over.historyEntry).toBe(over.record.stuck)
      const again = countMissing({ ...row(kind, sent_at), record: over.record }, RULES[kind], end + DAY)
      expect(again).toEqual({ record: over.record, historyEntry: null })
      // Neither an early query nor too few queries make the server give up.
      expect(missed(kind, sent_at, queries, end - 1)).toMatchObject({ record: { stuck: null } })
      if (queries > 1) {
        expect(missed(kind, sent_at, queries - 1, end + DAY)).toMatchObject({ record: { stuck: null } })
      }
    },
  )

  test('an order with splits ends without a person after three queries, perhaps unanswered, over two minutes', () => {
    const after = (times: number, at: number, why: Missing) => {
      const record = asked(times - 1, SENT)
      return countMissing({ ...row('checkout', SENT), record }, 'once_unseen', at, why)
    }

    for (const why of ['unknown', 'unfound'] as const) {
      expect(after(3, SENT + 2 * MINUTE, why)).toBeNull()
      expect(after(3, SENT + 2 * MINUTE - 1, why)).toMatchObject({ record: { stuck: null } })
      expect(after(2, SENT + DAY, why)).toMatchObject({ record: { stuck: null } })
    }
  })

  test.each([
    ['checkout', null, null],
    ['checkout', SENT, null],
    ['charge', null, null],
    ...(['payout', 'charge', 'airtime'] as const).map((kind) => [kind, SENT, WHY_MISSING.overdue] as const),
  ] as const)(
    'the submission of %s sent at %s ends at its last deadline without any query, with %s',
    (kind, sent_at, stuck) => {
      const over = countMissing(
        { ...row(kind, sent_at), record: NEW_SUBMISSION },
        RULES[kind],
        SENT,
        'overdue',
      )
      expect(over?.record.stuck ?? null).toBe(stuck)
    },
  )

  test('a submission that needs a person is not given up', () => {
    for (const kind of KINDS) {
      const record = asked(1, null, 'It is stuck.')
      const late = countMissing({ ...row(kind), record }, RULES[kind], CREATED + 2 * DAY)
      expect(late).toEqual({ record, historyEntry: null })
    }
  })
})

describe('a refusal', () => {
  const refused = (queries: 1 | 3) => ({ why: 'No.', queries, answer: null })

  const after = (queries: 1 | 3, times: number, at: number, why?: Missing) => {
    const record = { ...asked(times - 1, SENT), refused: refused(queries) }
    return countMissing({ ...row('payout', SENT), record }, 'idempotent', at, why)
  }

  test('a refusal is stored, and what needs a person is not refused', () => {
    const unsent: SubmissionState = NEW_SUBMISSION
    const stored = refuseSubmission(unsent, refused(3))
    expect(stored).toEqual({ record: { ...NEW_SUBMISSION, refused: refused(3) }, historyEntry: 'No.' })
    const record: SubmissionState = stuck(SENT)
    expect(refuseSubmission(record, refused(3))).toEqual({ record, historyEntry: 'No.' })
  })

  test('a refusal counts after one query if it is certain, and after three in two minutes if it is doubtful', () => {
    expect(after(1, 1, SENT)).toBeNull()
    expect(after(3, 3, SENT + 2 * MINUTE)).toBeNull()
    expect(after(3, 3, SENT + 2 * MINUTE - 1)).not.toBeNull()
    expect(after(3, 2, SENT + DAY)).not.toBeNull()
  })

  test('a refusal counts at once if it is certain and nothing can be asked; if it is doubtful, a person has to check', () => {
    expect(after(1, 1, SENT, 'unfound')).toBeNull()
    expect(after(3, 1, SENT, 'unfound')?.record.stuck).toBeNull()
    expect(after(3, 3, SENT + 2 * MINUTE, 'unfound')?.record.stuck).toContain('only by the id')
  })

  test('a refusal needs a person if no query was answered for 30 days', () => {
    expect(after(3, 1, SENT, 'overdue')?.record.stuck).toBe(WHY_MISSING.overdue)
  })
})

test('queries that found nothing are counted up to three, each with a history entry', () => {
  for (const times of [1, 2, 3]) {
    expect(missed('payout', null, times, CREATED)).toEqual({
      record: asked(times),
      historyEntry: 'The gateway does not know it, or not yet.',
    })
  }

  expect(missed('payout', null, 4, CREATED)).toEqual({ record: asked(3), historyEntry: null })
})

test('queries that found nothing are counted anew after each send', () => {
  const counted = countMissing({ ...row('payout', SENT), record: asked(3, null) }, 'idempotent', SENT)
  expect(counted).toMatchObject({ record: asked(1, SENT) })
  const over = countMissing({ ...row('payout', SENT), record: asked(3, null) }, 'idempotent', CREATED + DAY)
  expect(over).toMatchObject({ record: asked(1, SENT) })
})

test('a stored submission can be parsed', () => {
  for (const state of [NEW_SUBMISSION, asked(2, SENT, 'It is stuck.')]) {
    expect(z.object(submissionState(z.null())).parse(state)).toEqual(state)
  }
})
