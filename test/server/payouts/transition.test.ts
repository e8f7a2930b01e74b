import { describe, expect, test } from 'vitest'

import { Secret } from '../../../server/config/secret.ts'
import {
  B2bRequest,
  B2bResult,
  PayoutRequest,
  PayoutResult,
  TransferRequest,
} from '../../../server/contract/payout.ts'
import { movedAfter } from '../../../server/money-out/moved-money.ts'
import { isOtherRecipient } from '../../../server/payouts/difference.ts'
import { payoutKind } from '../../../server/payouts/kind.ts'
import { determineOutcome, STATUS_RULES, toStored } from '../../../server/payouts/record.ts'
import { createFingerprints } from '../../../server/privacy/personal.ts'
import { createRules, DAY, HOUR, MINUTE, overdue, rowOf, SENT, STOOD } from '../../support/worlds/observed.ts'
import { PAYOUTS } from '../../support/worlds/payable.ts'

import type { PayoutStatus } from '../../../server/contract/status.ts'
import type { PayoutRecord } from '../../../server/payouts/record.ts'
import type { Observation } from '../../../server/payouts/transition.ts'
import type { Alarm } from '../../../server/transactions/alarm.ts'
import type { Says } from '../../../server/transactions/resolution.ts'

const callback_url = 'http://127.0.0.1:4020/callbacks/payouts/x'
const fingerprints = createFingerprints([new Secret('a secret')])
const call = toStored(
  { variant: 'local', request: PayoutRequest.parse({ ...PAYOUTS.local, callback_url }) },
  fingerprints,
)

const intended: PayoutRecord = {
  phase: 'intended',
  call,
  told: [],
  resolution: null,
  unknown: { times: 0, since: null },
  stuck: null,
  refused: null,
}
const accepted: Extract<PayoutRecord, { phase: 'accepted' }> = {
  phase: 'accepted',
  call,
  response_description: null,
  reported: null,
  settled_at: null,
  missing_since: null,
  alarm: null,
  told: [],
  resolution: null,
}
const rejected: PayoutRecord = {
  phase: 'rejected',
  call,
  response_description: 'Words.',
  error_code: null,
  rejected_at: SENT + MINUTE,
  is_doubtful: false,
  told: ['failed'],
  resolution: null,
}

const { observe, expectUnchanged } = createRules(
  (record: PayoutRecord) => rowOf('payout', record),
  payoutKind,
)

function reported(payment_status: PayoutStatus, fields: object = {}) {
  const data = { payment_status, amount: '1000.00', currency: 'KES', ...fields }
  const result = PayoutResult.parse({ payout_reference: 'P-1', destination: 'MOBILE', data })
  const outcome = STATUS_RULES.statuses[payment_status].outcome
  const moved = movedAfter(outcome, '1000', '1000', null)
  return { payment_status, result, difference: null, since: SENT + MINUTE, ...moved, currency: 'KES' }
}

const status = (...given: Parameters<typeof reported>): Observation => ({
  kind: 'status',
  reported: reported(...given),
  isOtherRecipient: false,
})
const unknown: Observation = { kind: 'unknown' }
const acknowledged = (
  response_code: 720 | 721 | 722 | 723,
  error_code: string | null = null,
): Observation => ({
  kind: 'acknowledged',
  answer: { payout_reference: 'P-1', response_code, response_description: 'Words.', error_code },
})

const alarm = (until: Alarm['until']): Alarm => ({ why: 'It differs.', until })

test.each([
  [intended, 'sending', false],
  [{ ...intended, stuck: 'It is stuck.' }, 'needs_attention', false],
  [rejected, 'failed', true],
  [accepted, 'pending', false],
  [{ ...accepted, alarm: alarm('reported') }, 'needs_attention', false],
  [{ ...accepted, reported: reported(700), alarm: alarm('reported') }, 'needs_attention', false],
  [{ ...accepted, reported: reported(700), told: ['failed'] }, 'needs_attention', false],
  [{ ...accepted, reported: reported(703), told: ['reversed'] }, 'needs_attention', false],
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

/** An observation that the one before it has preceded for long. */
const atStep = (step: number, observation: Observation): [number, Observation] => [
  SENT + MINUTE + step * 2 * MINUTE,
  observation,
]

const STATUSES = [700, 701, 702, 703, 704, 705] as const
/**
 * The effect of each reported status (column) after each earlier status (row).
 *
 * An effect is an event type, `same` (no change), `silent` (a change without an event), or `kept` (the earlier status
 * stays, and the later one contradicts it once it has stood).
 */
const FOLLOWING: Record<PayoutStatus, readonly string[]> = {
  //     700          701       702         703       704                705
  700: ['same', 'kept', 'reversed', 'kept', 'kept', 'refunded'],
  701: ['needs_attention', 'same', 'reversed', 'kept', 'kept', 'refunded'],
  702: ['needs_attention', 'kept', 'same', 'kept', 'kept', 'refunded'],
  703: ['succeeded', 'failed', 'reversed', 'same', 'needs_attention', 'refunded'],
  704: ['succeeded', 'failed', 'reversed', 'silent', 'same', 'refunded'],
  705: ['needs_attention', 'kept', 'reversed', 'kept', 'kept', 'same'],
}

test.each(
  STATUSES.flatMap((before) =>
    STATUSES.map((after, column) => [before, after, FOLLOWING[before][column] ?? ''] as const),
  ),
)('%i, then %i: %s', (before, after, follows) => {
  const first = observe(intended, acknowledged(720), status(before)).record
  const { record, events } = observe(first, status(after))
  switch (follows) {
    case 'same':
      return expectUnchanged(first, status(after), status(after))
    case 'kept':
      expectUnchanged(first, status(after), [STOOD - 1, status(after)])
      expect(observe(first, [STOOD, status(after)])).toMatchObject({
        record: {
          ...first,
          told: [...first.told.filter((event) => event !== 'needs_attention'), 'needs_attention'],
          alarm: { until: 'returned' },
        },
        events: before === 704 ? [] : ['needs_attention'],
      })
      return
    default:
      expect(record).toMatchObject({ reported: reported(after), alarm: null })
      return expect(events).toEqual(follows === 'silent' ? [] : [follows])
  }
})

test.each<[string, PayoutRecord, PayoutStatus[], events: string[], outcome: string]>([
  ['paid after a rejection', rejected, [700, 700], ['needs_attention'], 'needs_attention'],
  [
    'on its way after a rejection, and then paid',
    rejected,
    [703, 703, 700, 700],
    ['needs_attention', 'needs_attention'],
    'needs_attention',
  ],
  ['failed after a rejection', rejected, [701, 701], [], 'failed'],
  ['failed after all', rejected, [703, 701], ['needs_attention', 'failed'], 'failed'],
  ['paid and taken back', rejected, [700, 702], ['needs_attention', 'reversed'], 'reversed'],
  ['paid after it failed', accepted, [701, 700, 700], ['failed', 'needs_attention'], 'needs_attention'],
  ['refunded at last', accepted, [701, 700, 705], ['failed', 'needs_attention', 'refunded'], 'refunded'],
  ['wavering', accepted, [700, 701, 700, 704, 700], ['succeeded', 'needs_attention'], 'needs_attention'],
  ['reversed at last', accepted, [700, 701, 702], ['succeeded', 'needs_attention', 'reversed'], 'reversed'],
])(
  'an alarm about a payout that is %s is not ended by repetition',
  (_, before, statuses, events, outcome) => {
    const result = observe(before, ...statuses.map((each, index) => atStep(index, status(each))))
    expect({ events: result.events, outcome: determineOutcome(result.record).outcome }).toEqual({
      events,
      outcome,
    })
    expect(new Set(result.record.told)).toEqual(new Set([...before.told, ...events]))
  },
)

test('a payout that is pending at its last deadline needs a person until it ends, once', () => {
  const { record, events } = observe(accepted, status(703), overdue)
  expect(events).toEqual(['needs_attention'])
  expect(determineOutcome(record)).toMatchObject({
    attention: 'The gateway has reported no end for 30 days.',
  })
  expectUnchanged(record, overdue, status(703))
  // Each look at a payout that is jammed, or that the gateway no longer knows, finds nothing new.
  for (const look of [status(704), [SENT + 31 * DAY, unknown] as [number, Observation]]) {
    expectUnchanged(observe(accepted, look, overdue, look).record, look, overdue)
  }

  for (const [code, event] of [[700, 'succeeded'] as const, [701, 'failed'] as const]) {
    expect(observe(record, status(code))).toMatchObject({ record: { alarm: null }, events: [event] })
  }

  expect(observe(intended, overdue, overdue)).toMatchObject({
    record: { phase: 'intended' },
    events: ['needs_attention'],
  })
  expectUnchanged(rejected, overdue)
})

describe('an acknowledgement', () => {
  const asked = { ...intended, unknown: { times: 3, since: SENT } }
  const sentAgain = createRules(
    (record: PayoutRecord) => rowOf('payout', record, { sent_at: SENT + 4 * MINUTE }),
    payoutKind,
  )

  test.each([
    [720, null, 'Words.', 'The gateway accepted it.'],
    [722, null, null, 'The gateway had accepted it before.'],
    [721, 'DUPLICATE_IGNORED', null, 'The gateway had accepted it before.'],
  ] as const)(
    'an acknowledgement by %i %s accepts the payout',
    (code, error_code, response_description, historyEntry) => {
      const record = { ...accepted, response_description }
      expect(observe(intended, acknowledged(code, error_code))).toEqual({ record, events: [], historyEntry })
    },
  )

  const unfound: [number, Observation] = [SENT + 2 * MINUTE, { kind: 'unknown' }]

  test.each(['INSUFFICIENT_BALANCE', 'INVALID_PHONE_NUMBER', 'SERVICE_NOT_ALLOWED'])(
    'a rejection of a payout by %s counts once a query did not find it',
    (error_code) => {
      const rejecting = observe(intended, acknowledged(721, error_code))
      expect(rejecting).toMatchObject({ record: { phase: 'intended' }, events: [] })
      expect(observe(rejecting.record, { kind: 'unknown' })).toEqual({
        record: { ...rejected, error_code },
        events: ['failed'],
        historyEntry: `The gateway rejected it: ${error_code}.`,
      })
      // An earlier send may have arrived.
      const later: [number, Observation] = [SENT + 4 * MINUTE, { kind: 'unknown' }]
      const again = sentAgain.observe(asked, acknowledged(721, error_code), later)
      expect(again).toMatchObject({ record: { phase: 'rejected', is_doubtful: true }, events: ['failed'] })
    },
  )

  test.each([null, 'FAILED', 'UNAUTHORIZED', 'INVALID_ACCESS_TOKEN'])(
    'a rejection of a payout by %s counts after three queries and two minutes, and a report counts before',
    (error_code) => {
      const { record, events } = observe(intended, acknowledged(721, error_code), unfound, unfound)
      expect({ phase: record.phase, events }).toEqual({ phase: 'intended', events: [] })
      expect(observe(record, status(700)).events).toEqual(['succeeded'])
      expect(observe(record, unfound)).toEqual({
        record: { ...rejected, error_code, is_doubtful: true, rejected_at: SENT + 2 * MINUTE },
        events: ['failed'],
        historyEntry: `The gateway rejected it: ${error_code ?? 'Words.'}.`,
      })
    },
  )

  test('an acknowledgement with code 723, or a second one, changes nothing', () => {
    expectUnchanged(intended, acknowledged(723))
    for (const code of [720, 721, 722] as const) {
      expectUnchanged(accepted, acknowledged(code))
      expectUnchanged(rejected, acknowledged(code))
    }
  })
})

test('a gateway that does not know the payout is believed after two minutes, until it reports the payout again', () => {
  const first = observe(accepted, [SENT, unknown])
  expect(first).toMatchObject({ events: [], historyEntry: null })
  expectUnchanged(first.record, [SENT + 2 * MINUTE - 1, unknown])
  const lost = observe(first.record, [SENT + 2 * MINUTE, unknown])
  expect(lost.events).toEqual(['needs_attention'])
  expect(lost.record).toMatchObject({ told: lost.events, alarm: { why: lost.historyEntry } })
  expectUnchanged(lost.record, [SENT + HOUR, unknown])
  expect(observe(lost.record, status(700))).toMatchObject({
    record: { alarm: null },
    events: ['succeeded'],
  })
})

describe('a status', () => {
  const paid = { ...accepted, reported: reported(700), settled_at: SENT, told: ['succeeded'] }

  test('a status acknowledges and settles a payout without acknowledgement at the time of the query', () => {
    const heard = { ...reported(700), since: SENT + 7 }
    expect(observe(intended, [SENT + 7, status(700)])).toEqual({
      record: { ...paid, reported: heard, settled_at: SENT + 7 },
      events: ['succeeded'],
      historyEntry: 'The gateway says 700: succeeded.',
    })
    expect(observe(intended, status(703))).toMatchObject({ record: { settled_at: null }, events: [] })
  })

  test.each([
    ['with other details', paid, status(700, { message: 'Paid.' }), SENT, []],
    ['of another outcome', paid, status(702), SENT + 9, ['reversed']],
    ['of what had no date', { ...paid, settled_at: null }, status(700, { message: 'Paid.' }), SENT + 9, []],
    ['said again after it was unknown', { ...paid, alarm: alarm('reported') }, status(700), SENT, []],
  ])('a status %s is stored, and settles the payout', (_, before, observation, settled_at, events) => {
    const result = observe(before, [SENT + 9, observation])
    expect(result).toMatchObject({ record: { settled_at, alarm: null }, events })
    expect(result.historyEntry).not.toBeNull()
  })

  test.each([
    [702, 'reversed'],
    [705, 'refunded'],
  ] as const)('a payout that came back may be listed with a minus sign: %i', (payment_status, outcome) => {
    const { record, events } = observe(paid, status(payment_status, { amount: '-1000.00' }))
    expect(events).toEqual([outcome])
    expect(record).toMatchObject({ reported: { paid: '1000', returned: '1000', difference: null } })
    expect(determineOutcome(record)).toMatchObject({ outcome, attention: null })
  })

  test.each([null, '', 'N/A', '-1000.00'])(
    'a status says what became of the payout, whatever its amount is: %j',
    (amount) => {
      const { record, events } = observe(accepted, status(700, { amount }))
      const attention = 'The gateway names no amount that can be read. Its status is 700.'
      expect(determineOutcome(record)).toMatchObject({ attention })
      expect(events).toEqual(['needs_attention'])
      expect(observe(accepted, status(703, { amount })).events).toEqual([])
      expect(observe(accepted, status(701, { amount })).events).toEqual(['failed'])
      expect(observe(accepted, status(701, { amount: '0' })).events).toEqual(['failed'])
    },
  )

  test.each([
    [{ amount: '999.99' }, 'The gateway has 999.99 where 1000 was asked.'],
    [{ currency: 'UGX' }, 'The gateway has UGX where KES was asked.'],
    [{ recipient_phone_number: '254700000002' }, 'The gateway has another recipient than was asked.'],
    [{ recipient_phone_number: '+254700000002' }, 'The gateway has another recipient than was asked.'],
    [{ recipient_phone_number: '254****0002' }, 'The gateway has another recipient than was asked.'],
    [{ recipient_phone_number: '256*****001' }, 'The gateway has another recipient than was asked.'],
    [{ recipient_phone_number: '25470000000' }, 'The gateway has another recipient than was asked.'],
    [{ recipient_phone_number: '0700000002' }, 'The gateway has another recipient than was asked.'],
  ])('a status of another payout needs a person, until a report agrees: %j', (fields, why) => {
    const { record, events } = observe(accepted, status(700, fields), status(700, fields))
    expect(events).toEqual(['needs_attention'])
    expect(record).toMatchObject({ reported: { payment_status: 700, difference: why } })
    expect(determineOutcome(record)).toMatchObject({ settled: false, attention: `${why} Its status is 700.` })
    expect(observe(record, status(700)).events).toEqual(['succeeded'])
    // Each status that it has is told, and each other difference.
    const returned = observe(record, status(702, fields), status(702, fields))
    expect(returned.events).toEqual(['needs_attention'])
    expect(observe(record, status(700, { amount: '5' })).events).toEqual(['needs_attention'])
  })

  test('of another payout counts after a person has resolved it', () => {
    const resolved = (says: Says): Observation => ({
      kind: 'resolved',
      resolution: { says, by: 'Asha', note: 'Ticket 1.', at: SENT + HOUR },
      part: null,
    })
    const paid = observe(accepted, status(700, { amount: '985' }), resolved('paid'))
    expectUnchanged(paid.record, status(700, { amount: '985' }))
    const again = observe(paid.record, status(700, { amount: '985', message: 'Again.' }))
    expect(again).toMatchObject({ events: [], record: { resolution: { says: 'paid' } } })
    expect(observe(paid.record, status(702, { amount: '985' })).events).toEqual(['needs_attention'])
    const unpaid = observe(accepted, status(703, { amount: '985' }), resolved('not_paid'))
    const late = observe(unpaid.record, status(700, { amount: '985' }))
    expect(late.events).toEqual(['needs_attention'])
    expect(determineOutcome(late.record)).toMatchObject({
      attention: 'The gateway reports succeeded, and Asha resolved it as not_paid.',
    })
  })

  test('of a payout that was resolved as not paid tells that it is on its way, and then that it arrived', () => {
    const resolution = { says: 'not_paid', by: 'Asha', note: 'Ticket 1.', at: SENT + HOUR } as const
    const { events } = observe(
      accepted,
      status(704),
      { kind: 'resolved', resolution, part: null },
      status(703),
      status(703),
      status(700),
      status(700),
    )
    expect(events).toEqual(['needs_attention', 'resolved', 'needs_attention', 'needs_attention'])
  })

  test.each([702, 703, 704, 705] as const)('%i has no other amount if it is 0', (payment_status) => {
    const { record } = observe(accepted, status(payment_status, { amount: '0.00' }))
    expect(record).toMatchObject({ reported: { difference: null } })
  })

  test.each([
    { recipient_phone_number: '+254700000001' },
    { recipient_phone_number: '0700000001' },
    { recipient_phone_number: '254****0001' },
    { recipient_phone_number: '****0001' },
    { recipient_phone_number: '25470000****' },
    { recipient_phone_number: null },
    { recipient_phone_number: 'N/A' },
    { recipient_phone_number: 'M-PESA 254700000002' },
    { recipient_phone_number: '254700000002 (M-PESA)' },
    { currency: null },
  ])(
    'a status of the same payout, written otherwise, masked or left out, is not of another one: %j',
    (fields) => {
      expect(observe(accepted, status(700, fields)).events).toEqual(['succeeded'])
    },
  )

  const TO_BANK = {
    destination_type: 'BANK',
    recipient_bank_code: '68',
    recipient_account_number: '1111111111',
  }
  const storedOf = (fields: object = {}) =>
    toStored(
      { variant: 'local', request: PayoutRequest.parse({ ...PAYOUTS.local, callback_url, ...fields }) },
      fingerprints,
    )

  test.each([
    [{}, 'succeeded'],
    [{ account_number: '1111111111', bank_code: '68' }, 'succeeded'],
    [{ account_number: '******1111', bank_code: null }, 'succeeded'],
    [{ account_number: '1111-1111 11' }, 'succeeded'],
    [{ account_number: '9999999999' }, 'needs_attention'],
    [{ account_number: '9999-9999 99' }, 'needs_attention'],
    [{ account_number: '******9999' }, 'needs_attention'],
    [{ bank_code: '11' }, 'needs_attention'],
  ])('a status of a payout to a bank is compared by account and bank, too: %j', (fields, event) => {
    const toBank: PayoutRecord = { ...accepted, call: storedOf(TO_BANK) }
    expect(observe(toBank, status(700, fields)).events).toEqual([event])
  })

  test.each<[toBank: boolean, fields: object, isOther: boolean]>([
    [false, {}, false],
    [false, { recipient_phone_number: '+254700000001' }, false],
    [false, { recipient_phone_number: '254700000009' }, true],
    [false, { recipient_phone_number: '******0009' }, false],
    [false, { recipient_phone_number: '0700000009' }, false],
    [false, { account_number: '254700000009' }, false],
    [true, { account_number: '1111111111' }, false],
    [true, { account_number: '1111 1111-11' }, false],
    [true, { account_number: '9999 9999-99' }, true],
    [true, { account_number: '9999999999' }, true],
    [true, { account_number: '0999999999' }, true],
    [true, { account_number: '******9999' }, false],
  ])(
    'a status of an erased payout, to a bank: %s, with %j has another recipient: %s',
    (toBank, fields, isOther) => {
      const stored = storedOf(toBank ? TO_BANK : {})
      const report = reported(700, fields)
      expect(isOtherRecipient(report, { ...stored, request: null }, fingerprints)).toBe(isOther)
      expect(isOtherRecipient(report, stored, fingerprints)).toBe(false)
    },
  )

  test('a payout is about people who are found by their numbers, and about terms without the address of callbacks', () => {
    const of = fingerprints.of
    const { recipient_phone_number: phone, recipient_account_number: account } = PAYOUTS.local
    expect(new Set(call.people)).toEqual(
      new Set([of('account', account), of('phone', account), of('phone', phone)]),
    )
    expect(storedOf({ callback_url: `${callback_url}y` }).fingerprint).toBe(call.fingerprint)
    expect(storedOf({ payment_description: 'Another' }).fingerprint).not.toBe(call.fingerprint)
    const transfer = { ...PAYOUTS.transfer, callback_url, sender_phone_number: '254700000007' }
    const sent = toStored({ variant: 'transfer', request: TransferRequest.parse(transfer) }, fingerprints)
    expect(sent.people).toContain(of('phone', '254700000007'))
    expect(payoutKind.requestOf(accepted)).toEqual({ amount: '1000 KES', fingerprint: call.fingerprint })
    const exchanged = storedOf({ destination_currency: 'UGX', recipient_amount: '28100' })
    expect(payoutKind.requestOf({ ...accepted, call: exchanged }).amount).toBe('1000 KES as 28100 UGX')
  })

  test('a status of an erased payout is compared by the bank alone, and brings nothing back', () => {
    const recipient = { ...call.recipient, bankCode: '68' }
    const erased = { ...accepted, call: { ...call, request: null, recipient } }
    const { record, events } = observe(erased, status(700, { recipient_phone_number: '254700000009' }))
    expect(record).toMatchObject({
      reported: { payment_status: 700, result: null },
      settled_at: SENT + MINUTE,
    })
    expect(events).toEqual(['succeeded'])
    expect(observe(erased, status(700, { bank_code: '11' })).events).toEqual(['needs_attention'])
  })

  test.each([
    [{ account_number: '400200' }, {}, 'succeeded'],
    [{ account_number: '400201' }, {}, 'needs_attention'],
    [{ amount: '999' }, {}, 'needs_attention'],
    [{ account_number: '400200' }, { recipient_account_number: '+400200' }, 'succeeded'],
    [{ account_number: '400200' }, { recipient_account_number: '400 200' }, 'succeeded'],
    [{ account_number: 'ke40-0200' }, { recipient_account_number: 'KE 400200' }, 'succeeded'],
    [{ account_number: 'KE400201' }, { recipient_account_number: 'KE 400200' }, 'needs_attention'],
  ])('of a payout to a business is compared by its account: %j, %j', (fields, requested, event) => {
    const request = B2bRequest.parse({ ...PAYOUTS.b2b, callback_url, ...requested })
    const answer = {
      payout_reference: 'P-1',
      payment_status: 700 as const,
      amount: '1000',
      currency: 'KES',
      ...fields,
    }
    const business: PayoutRecord = {
      ...accepted,
      call: toStored({ variant: 'b2b', request }, fingerprints),
    }
    const report = { payment_status: answer.payment_status, result: B2bResult.parse(answer) }
    const observation: Observation = { kind: 'status', reported: report, isOtherRecipient: false }
    expect(observe(business, observation).events).toEqual([event])
  })
})

test('what was rejected in doubt is asked about like what has settled, and what was rejected for certain is not', () => {
  const rejectedAs = (is_doubtful: boolean) => rowOf('payout', { ...rejected, is_doubtful } as PayoutRecord)
  expect(payoutKind.progressOf(rejectedAs(true))).toEqual({ stage: 'settled', at: SENT + MINUTE })
  expect(payoutKind.progressOf(rejectedAs(false))).toEqual({ stage: 'ended' })
})

test('an answer from before a return changes nothing for two minutes after the return', () => {
  const HOURS_LATER = SENT + 6 * HOUR
  const failed = observe(intended, acknowledged(720), status(701)).record
  const { record } = observe(failed, [HOURS_LATER, status(705)])
  expectUnchanged(record, [HOURS_LATER + MINUTE, status(701)])
})
