import { describe, expect, test } from 'vitest'
import type { Observation } from '../../server/payouts/transition.ts'
import type { PayoutRecord } from '../../server/payouts/record.ts'
import type { PayoutStatus } from '../../server/contract/status.ts'
import { B2bRequest, B2bResult } from '../../server/contract/b2b.ts'
import { PayoutRequest, PayoutResult } from '../../server/contract/payout.ts'
import { determineOutcome, transition } from '../../server/payouts/transition.ts'
import { createRules, DAY, HOUR, MINUTE, rowOf, SENT } from '../support/observed.ts'
import { PAYOUTS } from '../support/payable.ts'

const callback_url = 'http://127.0.0.1:4020/callbacks/payouts/x'
const submission = {
  variant: 'local',
  request: PayoutRequest.parse({ ...PAYOUTS.local, callback_url }),
} as const

const intended: PayoutRecord = {
  phase: 'intended',
  submission,
  unknown: { times: 0, since: null },
  stuck: null,
}
const accepted: Extract<PayoutRecord, { phase: 'accepted' }> = {
  phase: 'accepted',
  submission,
  response_description: null,
  reported: null,
  settled_at: null,
  contradiction: null,
}
const rejected: PayoutRecord = {
  phase: 'rejected',
  submission,
  response_description: 'Words.',
  error_code: null,
  rejected_at: SENT + MINUTE,
  was_resent: false,
}

const { observe, expectUnchanged } = createRules(
  (record: PayoutRecord) => rowOf('payout', record),
  transition,
)

function reported(payment_status: PayoutStatus, fields: object = {}) {
  const data = { payment_status, amount: '1000.00', currency: 'KES', ...fields }
  const result = PayoutResult.parse({ payout_reference: 'P-1', destination: 'MOBILE', data })
  return { variant: 'local', result } as const
}

const status = (...given: Parameters<typeof reported>): Observation => ({
  kind: 'status',
  reported: reported(...given),
})
const unknown: Observation = { kind: 'unknown' }
const acknowledged = (
  response_code: 720 | 721 | 722 | 723,
  error_code: string | null = null,
): Observation => ({
  kind: 'acknowledged',
  answer: { payout_reference: 'P-1', response_code, response_description: 'Words.', error_code },
})

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
] satisfies [PayoutRecord, string, boolean][])(
  'the outcome of %o is %s, settled: %s',
  (record, ...expected) => {
    const { outcome, settled } = determineOutcome(record)
    expect([outcome, settled]).toEqual(expected)
  },
)

const STATUSES = [700, 701, 702, 703, 704, 705] as const
/**
 * The effect of each reported status (column) after each earlier status (row).
 *
 * An effect is an event type, `same` (no change), `silent` (a change without an event), `kept` (the earlier status
 * stays) or `contradiction` (the earlier status stays, and a `needs_attention` event occurs).
 */
const FOLLOWING: Record<PayoutStatus, readonly string[]> = {
  //     700          701       702         703       704                705
  700: ['same', 'contradiction', 'reversed', 'kept', 'contradiction', 'refunded'],
  701: ['contradiction', 'same', 'kept', 'kept', 'kept', 'refunded'],
  702: ['contradiction', 'kept', 'same', 'kept', 'kept', 'kept'],
  703: ['succeeded', 'failed', 'reversed', 'same', 'needs_attention', 'refunded'],
  704: ['succeeded', 'failed', 'reversed', 'silent', 'same', 'refunded'],
  705: ['contradiction', 'kept', 'kept', 'kept', 'kept', 'same'],
}

test.each(
  STATUSES.flatMap((before) =>
    STATUSES.map((after, column) => [before, after, FOLLOWING[before][column] ?? ''] as const),
  ),
)('%i, then %i: %s', (before, after, follows) => {
  const first = observe(intended, acknowledged(720), status(before)).record
  const { record, events, historyEntry } = observe(first, status(after))
  const why = `The gateway says ${after} after ${before}.`
  switch (follows) {
    case 'same':
      return expectUnchanged(first, status(after))
    case 'kept':
      expect(record).toBe(first)
      return expect([events, historyEntry]).toEqual([[], `${why} ${before} is kept.`])
    case 'contradiction':
      expect(record).toEqual({ ...first, contradiction: why })
      return expect(events).toEqual(['needs_attention'])
    default:
      expect(record).toMatchObject({ reported: reported(after), contradiction: null })
      return expect(events).toEqual(follows === 'silent' ? [] : [follows])
  }
})

describe('an acknowledgement', () => {
  const asked = { ...intended, unknown: { times: 3, since: SENT } }
  const resent = createRules(
    (record: PayoutRecord) => rowOf('payout', record, { sent_at: SENT + 4 * MINUTE }),
    transition,
  )

  test.each([
    [720, null, 'Words.', 'The gateway accepted it.'],
    [722, null, null, 'The gateway had accepted it before.'],
    [721, 'DUPLICATE_IGNORED', null, 'The gateway had accepted it before.'],
  ] as const)('by %i %s accepts it', (code, error_code, response_description, historyEntry) => {
    const record = { ...accepted, response_description }
    expect(observe(intended, acknowledged(code, error_code))).toEqual({ record, events: [], historyEntry })
  })

  test.each([null, 'INSUFFICIENT_BALANCE', 'FAILED', 'UNAUTHORIZED', 'INVALID_ACCESS_TOKEN'])(
    'that rejects it by %s is the end; of what was sent again, only where it has been looked up',
    (error_code) => {
      expect(observe(intended, acknowledged(721, error_code))).toEqual({
        record: { ...rejected, error_code },
        events: ['failed'],
        historyEntry: `The gateway rejected it: ${error_code ?? 'Words.'}.`,
      })
      const again = resent.observe(asked, acknowledged(721, error_code))
      if (error_code === null || error_code === 'INSUFFICIENT_BALANCE')
        expect(again).toMatchObject({ record: { phase: 'rejected', was_resent: true }, events: ['failed'] })
      else
        expect(again).toEqual({
          record: asked,
          events: [],
          historyEntry: expect.stringContaining(error_code),
        })
    },
  )

  test('with code 723, or a second one, changes nothing', () => {
    expectUnchanged(intended, acknowledged(723))
    for (const code of [720, 721, 722] as const) {
      expectUnchanged(accepted, acknowledged(code))
      expectUnchanged(rejected, acknowledged(code))
    }
  })

  test('that rejects the payout is doubted when the gateway reports the payout', () => {
    expect(observe(rejected, status(703))).toMatchObject({
      record: { phase: 'accepted', reported: null },
      events: ['needs_attention'],
    })
  })
})

describe('a gateway that does not know the payout', () => {
  test('is believed two minutes after the acknowledgement, until it reports the payout again', () => {
    expectUnchanged(accepted, [SENT + 2 * MINUTE - 1, unknown])
    const lost = observe(accepted, [SENT + 2 * MINUTE, unknown])
    expect(lost.events).toEqual(['needs_attention'])
    expect(lost.record).toEqual({ ...accepted, contradiction: lost.historyEntry })
    expectUnchanged(lost.record, [SENT + HOUR, unknown])
    expect(observe(lost.record, status(700))).toMatchObject({
      record: { contradiction: null },
      events: ['succeeded'],
    })
  })

  test('is counted without an acknowledgement, and needs a person after a day', () => {
    expect(observe(intended, unknown)).toMatchObject({ record: { unknown: { times: 1, since: SENT } } })
    const over = observe(intended, unknown, unknown, unknown, [SENT + DAY, unknown])
    expect(over.events).toEqual(['needs_attention'])
    expectUnchanged(rejected, [SENT + HOUR, unknown])
  })
})

describe('a status', () => {
  const paid = { ...accepted, reported: reported(700), settled_at: SENT }

  test('acknowledges and settles a payout without acknowledgement at the time of the query', () => {
    expect(observe(intended, [SENT + 7, status(700)])).toEqual({
      record: { ...paid, settled_at: SENT + 7 },
      events: ['succeeded'],
      historyEntry: 'The gateway says 700: succeeded.',
    })
    expect(observe(intended, status(703))).toMatchObject({ record: { settled_at: null }, events: [] })
  })

  test.each([
    ['with other details', paid, status(700, { message: 'Paid.' }), SENT, []],
    ['of another outcome', paid, status(702), SENT + 9, ['reversed']],
    ['of what had no date', { ...paid, settled_at: null }, status(700, { message: 'Paid.' }), SENT + 9, []],
    [
      'said again after a contradiction',
      { ...accepted, reported: reported(701), settled_at: SENT, contradiction: 'It differs.' },
      ...([status(701), SENT + 9, ['failed']] as const),
    ],
  ])('%s is stored, and settles it', (_, before, observation, settled_at, events) => {
    const result = observe(before, [SENT + 9, observation])
    expect(result).toMatchObject({ record: { settled_at, contradiction: null }, events })
    expect(result.historyEntry).not.toBeNull()
  })

  test.each([
    [{ amount: '999.99' }, 'The gateway has 999.99 where 1000 was asked.'],
    [{ currency: 'UGX' }, 'The gateway has UGX where KES was asked.'],
    [{ recipient_phone_number: '254700000002' }, 'The gateway has another recipient than was asked.'],
    [{ recipient_phone_number: '+254700000002' }, 'The gateway has another recipient than was asked.'],
    [{ recipient_phone_number: '254****0002' }, 'The gateway has another recipient than was asked.'],
    [{ recipient_phone_number: '256*****001' }, 'The gateway has another recipient than was asked.'],
    [{ recipient_phone_number: '25470000000' }, 'The gateway has another recipient than was asked.'],
  ])('of another payout is a contradiction, once: %j', (fields, contradiction) => {
    const result = observe(accepted, status(700, fields), status(700, fields))
    expect(result).toMatchObject({ record: { ...accepted, contradiction }, events: ['needs_attention'] })
  })

  test.each([
    { recipient_phone_number: '+254700000001' },
    { recipient_phone_number: '254****0001' },
    { recipient_phone_number: '****0001' },
    { recipient_phone_number: '25470000****' },
    { recipient_phone_number: null },
    { recipient_phone_number: 'N/A' },
    { recipient_phone_number: 'M-PESA 254700000002' },
    { recipient_phone_number: '254700000002 (M-PESA)' },
    { currency: null },
  ])('of the same payout, written otherwise, masked or left out, is none: %j', (fields) => {
    expect(observe(accepted, status(700, fields)).events).toEqual(['succeeded'])
  })

  test.each([
    [{}, 'succeeded'],
    [{ account_number: '1111111111', bank_code: '68' }, 'succeeded'],
    [{ account_number: '******1111', bank_code: null }, 'succeeded'],
    [{ account_number: '9999999999' }, 'needs_attention'],
    [{ account_number: '******9999' }, 'needs_attention'],
    [{ bank_code: '11' }, 'needs_attention'],
  ])('of a payout to a bank is compared by account and bank, too: %j', (fields, event) => {
    const bank = {
      destination_type: 'BANK',
      recipient_bank_code: '68',
      recipient_account_number: '1111111111',
    }
    const request = PayoutRequest.parse({ ...PAYOUTS.local, callback_url, ...bank })
    const toBank: PayoutRecord = { ...accepted, submission: { variant: 'local', request } }
    expect(observe(toBank, status(700, fields)).events).toEqual([event])
  })

  test.each([
    [{ account_number: '400200' }, {}, 'succeeded'],
    [{ account_number: '400201' }, {}, 'needs_attention'],
    [{ amount: '999' }, {}, 'needs_attention'],
    [{ account_number: '400200' }, { recipient_account_number: '+400200' }, 'succeeded'],
  ])('of a payout to a business is compared by its account: %j, %j', (fields, requested, event) => {
    const request = B2bRequest.parse({ ...PAYOUTS.b2b, callback_url, ...requested })
    const answer = {
      payout_reference: 'P-1',
      payment_status: 700,
      amount: '1000',
      currency: 'KES',
      ...fields,
    }
    const business: PayoutRecord = { ...accepted, submission: { variant: 'b2b', request } }
    const result = { variant: 'b2b', result: B2bResult.parse(answer) } as const
    expect(observe(business, { kind: 'status', reported: result }).events).toEqual([event])
  })
})
