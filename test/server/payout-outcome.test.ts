/** What a payout comes to, and what is stored of each observation. */

import { describe, expect, test } from 'vitest'
import type { Observation } from '../../server/payouts/transition.ts'
import type { Payout, PayoutRecord } from '../../server/payouts/record.ts'
import type { PayoutStatus } from '../../server/contract/status.ts'
import { B2bRequest, B2bResult } from '../../server/contract/b2b.ts'
import { PayoutRequest, PayoutResult } from '../../server/contract/payout.ts'
import { determineOutcome } from '../../server/payouts/outcome.ts'
import { transition } from '../../server/payouts/transition.ts'
import { PAYOUTS } from '../support/payable.ts'

const SENT = Date.UTC(2026, 10, 21, 9)
const MINUTE = 60_000
const callback_url = 'http://127.0.0.1:4020/callbacks/payouts/x'
const local = {
  variant: 'local',
  request: PayoutRequest.parse({ ...PAYOUTS.local, callback_url }),
} as const
const b2b = { variant: 'b2b', request: B2bRequest.parse({ ...PAYOUTS.b2b, callback_url }) } as const

const intended: PayoutRecord = {
  phase: 'intended',
  submission: local,
  unknown: { times: 0, since: null },
  stuck: null,
}
const accepted: PayoutRecord = {
  phase: 'accepted',
  submission: local,
  response_description: null,
  reported: null,
  settled_at: null,
  contradiction: null,
}
const rejected: PayoutRecord = {
  phase: 'rejected',
  submission: local,
  response_description: 'Funds.',
  error_code: null,
  rejected_at: SENT,
  was_resent: false,
}

function reported(payment_status: PayoutStatus, fields: object = {}) {
  const data = { payment_status, amount: '1000.00', currency: 'KES', ...fields }
  const result = PayoutResult.parse({ payout_reference: 'P-1', destination: 'MOBILE', data })
  return { variant: 'local', result } as const
}

function reportedB2b(fields: object = {}) {
  const result = { payout_reference: 'P-1', payment_status: 700, amount: '1000', currency: 'KES', ...fields }
  return { variant: 'b2b', result: B2bResult.parse(result) } as const
}

function observe(record: PayoutRecord, observation: Observation, askedAt = SENT + MINUTE, sent_at = SENT) {
  const payout: Payout = {
    id: 'a-payout',
    kind: 'payout',
    account: { environment: 'sandbox', base_url: 'https://gateway.example', account_number: 'ACC-001' },
    reference: 'P-1',
    group: 'P-1',
    attempt: 1,
    version: 1,
    outcome: 'sending',
    created_at: SENT,
    updated_at: SENT,
    sent_at,
    due_at: null,
    asked_at: null,
    failures: 0,
    record,
  }
  return transition(payout, observation, askedAt)
}

function acknowledged(
  response_code: 720 | 721 | 722 | 723,
  error_code: string | null = null,
  response_description = 'Words.',
): Observation {
  return {
    kind: 'acknowledged',
    answer: { payout_reference: 'P-1', response_code, response_description, error_code },
  }
}

function unchanged(record: PayoutRecord, observation: Observation, askedAt?: number) {
  const result = observe(record, observation, askedAt)
  expect(result).toEqual({ record, events: [], historyEntry: null })
  expect(result.record).toBe(record)
}

describe('the outcome of a payout', () => {
  test.each([
    [intended, 'sending', false],
    [{ ...intended, stuck: 'It is stuck.' }, 'needs_attention', false],
    [rejected, 'failed', true],
    [accepted, 'pending', false],
    [{ ...accepted, contradiction: 'It differs.' }, 'needs_attention', false],
    [{ ...accepted, reported: reported(700), contradiction: 'It differs.' }, 'needs_attention', false],
    [{ ...accepted, reported: reported(700) }, 'succeeded', true],
    [{ ...accepted, reported: reported(701) }, 'failed', true],
    [{ ...accepted, reported: reported(702) }, 'reversed', true],
    [{ ...accepted, reported: reported(703) }, 'pending', false],
    [{ ...accepted, reported: reported(704) }, 'needs_attention', false],
    [{ ...accepted, reported: reported(705) }, 'refunded', true],
  ] satisfies [PayoutRecord, string, boolean][])('%o is %s, settled: %s', (record, outcome, settled) => {
    expect(determineOutcome(record)).toEqual({ outcome, settled })
  })
})

describe('an acknowledgement', () => {
  test('is stored with its words', () => {
    expect(observe(intended, acknowledged(720))).toEqual({
      record: { ...accepted, response_description: 'Words.' },
      events: [],
      historyEntry: 'The gateway accepted it.',
    })
  })

  test.each([acknowledged(722), acknowledged(721, 'DUPLICATE_IGNORED')])(
    'of a duplicate is that of the first, whose words were lost: %j',
    (observation) => {
      expect(observe(intended, observation)).toMatchObject({ record: accepted, events: [] })
    },
  )

  test('that the gateway knows nothing changes nothing', () => {
    unchanged(intended, acknowledged(723))
  })

  test.each([null, 'INSUFFICIENT_BALANCE', 'FAILED', 'UNAUTHORIZED', 'INVALID_ACCESS_TOKEN'])(
    'that rejects the first send by %s is the end',
    (error_code) => {
      expect(observe(intended, acknowledged(721, error_code))).toEqual({
        record: {
          phase: 'rejected',
          submission: local,
          response_description: 'Words.',
          error_code,
          rejected_at: SENT + MINUTE,
          was_resent: false,
        },
        events: ['failed'],
        historyEntry: `The gateway rejected it: ${error_code ?? 'Words.'}.`,
      })
    },
  )

  test.each([null, 'INSUFFICIENT_BALANCE'])('that rejects a resend by %s is the end, too', (error_code) => {
    const asked = { ...intended, unknown: { times: 3, since: SENT } }
    const result = observe(asked, acknowledged(721, error_code), SENT + 5 * MINUTE, SENT + 4 * MINUTE)
    expect(result).toMatchObject({ record: { phase: 'rejected', was_resent: true }, events: ['failed'] })
  })

  test.each(['FAILED', 'UNAUTHORIZED', 'INVALID_ACCESS_TOKEN'])(
    'that rejects a resend by %s is only in the history',
    (error_code) => {
      const asked = { ...intended, unknown: { times: 3, since: SENT } }
      const result = observe(asked, acknowledged(721, error_code), SENT + 5 * MINUTE, SENT + 4 * MINUTE)
      expect(result.record).toBe(asked)
      expect(result.historyEntry).toContain(error_code)
    },
  )

  test.each([acknowledged(720), acknowledged(721), acknowledged(722)])(
    'of what was acknowledged or rejected changes nothing: %j',
    (observation) => {
      unchanged(accepted, observation)
      unchanged(rejected, observation)
    },
  )
})

describe('a gateway that does not know it', () => {
  test('is believed after two minutes, when it was acknowledged', () => {
    unchanged(accepted, { kind: 'unknown' }, SENT + 2 * MINUTE - 1)
    const result = observe(accepted, { kind: 'unknown' }, SENT + 2 * MINUTE)
    expect(result.events).toEqual(['needs_attention'])
    expect(result.record).toEqual({ ...accepted, contradiction: result.historyEntry })
  })

  test('is counted when it was not, and says nothing new when it was rejected', () => {
    expect(observe(intended, { kind: 'unknown' }).record).toEqual({
      ...intended,
      unknown: { times: 1, since: SENT },
    })
    unchanged(rejected, { kind: 'unknown' }, SENT + 60 * MINUTE)
  })
})

describe('a status', () => {
  const status = (...given: Parameters<typeof reported>): Observation => ({
    kind: 'status',
    reported: reported(...given),
  })

  test('acknowledges what was not, and settles it when the gateway was asked', () => {
    expect(observe(intended, status(700), SENT + 7)).toEqual({
      record: { ...accepted, reported: reported(700), settled_at: SENT + 7 },
      events: ['succeeded'],
      historyEntry: 'The gateway says 700: succeeded.',
    })
    expect(observe(intended, status(703))).toMatchObject({ record: { settled_at: null }, events: [] })
  })

  test('of what was rejected needs a person', () => {
    const result = observe(rejected, status(703))
    expect(result).toMatchObject({
      record: { phase: 'accepted', reported: null },
      events: ['needs_attention'],
    })
  })

  test('that says the same changes nothing', () => {
    unchanged({ ...accepted, reported: reported(700), settled_at: SENT }, status(700))
  })

  test('with other details is stored, and settled when it was', () => {
    const before = { ...accepted, reported: reported(700), settled_at: SENT }
    const result = observe(before, status(700, { message: 'Paid.' }))
    expect(result).toMatchObject({ record: { settled_at: SENT }, events: [] })
    expect(result.historyEntry).not.toBeNull()
    const other = observe(before, status(702), SENT + 9)
    expect(other).toMatchObject({ record: { settled_at: SENT + 9 }, events: ['reversed'] })
    const undated = observe({ ...before, settled_at: null }, status(700, { message: 'Paid.' }), SENT + 9)
    expect(undated).toMatchObject({ record: { settled_at: SENT + 9 } })
  })

  test('that cannot follow is in the history, and not kept', () => {
    const before = { ...accepted, reported: reported(702) }
    const result = observe(before, status(703))
    expect(result).toEqual({
      record: before,
      events: [],
      historyEntry: 'The gateway says 703 after 702. 702 is kept.',
    })
    expect(result.record).toBe(before)
  })

  test('of success after failure needs a person, until the gateway says again what it said', () => {
    const before = { ...accepted, reported: reported(701), settled_at: SENT }
    const doubted = observe(before, status(700)).record
    expect(doubted).toEqual({ ...before, contradiction: 'The gateway says 700 after 701.' })
    expect(observe(doubted, status(701), SENT + 9)).toMatchObject({
      record: { contradiction: null, settled_at: SENT + 9 },
      events: ['failed'],
    })
  })

  test.each([
    [{ amount: '999.99' }, 'The gateway has 999.99 where 1000 was asked.'],
    [{ currency: 'UGX' }, 'The gateway has UGX where KES was asked.'],
    [{ recipient_phone_number: '254700000002' }, 'The gateway has another recipient than was asked.'],
    [{ recipient_phone_number: '+254700000002' }, 'The gateway has another recipient than was asked.'],
  ])('of another payout is a contradiction: %j', (fields, contradiction) => {
    expect(observe(accepted, status(700, fields)).record).toEqual({ ...accepted, contradiction })
  })

  test.each([
    { recipient_phone_number: '+254700000001' },
    { recipient_phone_number: '254****0001' },
    { recipient_phone_number: '****0001' },
    { recipient_phone_number: '25470000****' },
  ])('of the same number, written or masked otherwise, is not: %j', (fields) => {
    expect(observe(accepted, status(700, fields)).events).toEqual(['succeeded'])
  })

  test('of a payout to a business is compared by its account', () => {
    const business = { ...accepted, submission: b2b }
    const see = (fields: object) =>
      observe(business, { kind: 'status', reported: reportedB2b(fields) }).events
    expect(see({ account_number: '400200' })).toEqual(['succeeded'])
    expect(see({ account_number: '400201' })).toEqual(['needs_attention'])
    expect(see({ amount: '999' })).toEqual(['needs_attention'])
    const plus = { ...b2b, request: { ...b2b.request, recipient_account_number: '+400200' } }
    const result = observe(
      { ...business, submission: plus },
      { kind: 'status', reported: reportedB2b({ account_number: '400200' }) },
    )
    expect(result.events).toEqual(['succeeded'])
  })
})
