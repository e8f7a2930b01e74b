import { describe, expect, test } from 'vitest'

import { chargeKind } from '../../../server/charges/kind.ts'
import { determineOutcome, withoutPayer } from '../../../server/charges/record.ts'
import { ChargeRequest } from '../../../server/contract/charge.ts'
import { UNREPORTED } from '../../../server/payins/record.ts'
import { SERVED } from '../../../server/payins/service-confirmation.ts'
import { toReportedState } from '../../../server/payins/status-answer.ts'
import { UNDECIDED } from '../../../server/transactions/kind.ts'
import { charge as direct, redirectCharge } from '../../support/spec/charges.ts'
import { createRules, DAY, MINUTE, overdue, rowOf, SENT, STOOD } from '../../support/worlds/observed.ts'
import {
  EXPIRES_AT,
  LAST,
  PAID,
  PART,
  payloadOf,
  REFERENCE,
  statusOf,
} from '../../support/worlds/open-checkout.ts'

import type { ChargeRecord, IntendedCharge, OpenCharge } from '../../../server/charges/record.ts'
import type { Observation } from '../../../server/charges/transition.ts'
import type { CheckoutStatus } from '../../../server/contract/status.ts'
import type { Alarm } from '../../../server/transactions/alarm.ts'
import type { PaymentConfirmation } from '../../../server/transactions/kind.ts'
import type { Paid } from '../../support/worlds/open-checkout.ts'

const refusal = { status_code: 172, status_description: 'Invalid Service Code', message: '' }
const unsent = {
  request: withoutPayer(ChargeRequest.parse(direct)),
  given_digest: 'given',
  narration: null,
  people: ['of the payer'],
  told: [],
  resolution: null,
  named_id: null,
}
const intended: IntendedCharge = {
  phase: 'intended',
  ...unsent,
  call: { request: null },
  unknown: { times: 0, since: null },
  stuck: null,
  refused: null,
  named_id: null,
}
const refused: ChargeRecord = { phase: 'refused', ...unsent, why: 'No.', refusal, told: ['failed'] }
const posted: OpenCharge = {
  phase: 'open',
  ...unsent,
  answer: null,
  answered_at: SENT,
  ...UNREPORTED,
  confirmation: UNDECIDED,
}
const page = { redirect_url: 'https://gateway.example/pay', expires_at: new Date(EXPIRES_AT).toISOString() }
const stored = {
  charge_request_id: 'CR-1',
  total_amount: '1500',
  redirect_url: null,
  auth_url: null,
  html: null,
  expires_at: null,
}
const hosted = { ...posted, request: ChargeRequest.parse(redirectCharge), answer: { ...stored, ...page } }

const charge = (record: ChargeRecord) => rowOf('charge', record, { reference: REFERENCE })
const { observe, expectUnchanged } = createRules(charge, chargeKind)

const status = (code: CheckoutStatus, payments: readonly Paid[] = []) => statusOf(code, payments)
const decided = (decision: typeof SERVED): Observation => ({ kind: 'decided', decision })
const tooLate = (decision: typeof SERVED): Observation => ({
  kind: 'answered',
  answer: { stage: 'refused', decision: { ...decision, payment_id: 'TX-0' }, message: 'Too late.' },
})
const REFUNDED = status(841, [{ status: 705 }])
const unknown: Observation = { kind: 'unknown', at: null }
const refuse: Observation = { kind: 'refused', why: 'No.', refusal }
const answer: Extract<Observation, { kind: 'acknowledged' }>['answer'] = {
  status_code: 176,
  status_description: '',
  charge_request_id: 'CR-1',
  external_reference: REFERENCE,
  total_amount: '1500',
  currency_code: 'KES',
  redirect_url: null,
  auth_url: null,
  html: null,
  expires_at: null,
}

describe('the outcome of a charge', () => {
  const by = (
    record: OpenCharge,
    code: CheckoutStatus,
    payments: readonly Paid[] = [],
    at = SENT,
    fields: Partial<OpenCharge> = {},
  ) => ({ ...record, reported: toReportedState(payloadOf(code, payments), at, 'KES'), ...fields })
  const failedThenPaid = (...payments: PaymentConfirmation[]) =>
    by(posted, 801, PAID, SENT, { told: ['failed'], confirmation: { accepted: null, payments } })
  const withFee = { ...posted, answer: { ...stored, total_amount: '1520' } }
  const decision = { ...SERVED, payment_id: 'TX-0' }
  const OVER = SENT + DAY + 2 * MINUTE
  const refusal = {
    stage: 'refused',
    decision,
    message: 'Too late.',
    unanswered: 0,
    is_resolved: false,
  } as const
  const confirmationRefused = by(posted, 801, PAID, 0, {
    confirmation: { accepted: null, payments: [refusal] },
  })
  const notServed = failedThenPaid({
    stage: 'decided',
    decision: { ...decision, status: 'FAILED' },
    decided_at: SENT,
    sent_at: null,
    unanswered: 0,
  })
  const alarm: Alarm = { why: 'It differs.', until: 'reported' }
  const WHY: unknown = expect.any(String)

  test.each<[string, ChargeRecord, string, boolean, string | null, unknown]>([
    ['not acknowledged', intended, 'sending', false, null, null],
    ['stuck', { ...intended, stuck: 'It is stuck.' }, 'needs_attention', false, null, 'It is stuck.'],
    ['refused', refused, 'failed', true, null, null],
    ['acknowledged', posted, 'pending', false, null, null],
    ['contradicted', by(posted, 801, PAID, 0, { alarm }), 'needs_attention', false, null, alarm.why],
    ['contradicted early', { ...posted, alarm }, 'needs_attention', false, null, alarm.why],
    ['801', by(posted, 801, PAID), 'succeeded', true, null, null],
    ['801 of more', by(posted, 801, [{ status: 700, amount: '1600' }]), 'succeeded', true, 'excess', null],
    ['801 of less', by(posted, 801, PART), 'needs_attention', false, 'short', WHY],
    ['801 without the fee', by(withFee, 801, PAID), 'needs_attention', false, 'short', WHY],
    ['801 and fee', by(withFee, 801, [{ status: 700, amount: '1520' }]), 'succeeded', true, null, null],
    ['802 direct', by(posted, 802, PART), 'needs_attention', false, null, WHY],
    ['802 hosted', by(hosted, 802, PART), 'pending', false, null, null],
    ['802 direct, open', by(posted, 802, [...PART, { status: 703 }]), 'pending', false, null, null],
    ['802 hosted, over', by(hosted, 802, PART, EXPIRES_AT + 2 * MINUTE), 'needs_attention', false, null, WHY],
    ['803 direct, open', by(posted, 803, [{ status: 703 }]), 'pending', false, null, null],
    ['803 direct, failed', by(posted, 803, [{ status: 701 }]), 'failed', true, null, null],
    ['803 direct, no attempt', by(posted, 803), 'pending', false, null, null],
    ['803 direct, no attempt, over', by(posted, 803, [], OVER), 'failed', true, null, null],
    ['803 with money', by(posted, 803, PAID), 'needs_attention', false, 'amount', WHY],
    ['803 hosted, failed', by(hosted, 803, [{ status: 701 }]), 'pending', false, null, null],
    ['803 hosted, over', by(hosted, 803, [], EXPIRES_AT + 2 * MINUTE), 'failed', true, null, null],
    ['820', by(posted, 820), 'failed', true, null, null],
    ['820 in flight', by(posted, 820, [{ status: 703 }]), 'pending', false, null, null],
    ['820 in flight, over', by(hosted, 820, [{ status: 703 }], LAST), 'needs_attention', false, null, WHY],
    ['820 with money', by(hosted, 820, PAID, LAST), 'needs_attention', false, 'amount', WHY],
    ['840', by(posted, 840), 'reversed', true, null, null],
    ['841', by(posted, 841), 'refunded', true, null, null],
    ['850', by(posted, 850), 'needs_attention', false, null, 'The payment is stuck at the operator.'],
    ['851', by(posted, 851), 'pending', false, null, null],
    ['851, over', by(posted, 851, [], SENT + 2 * DAY), 'needs_attention', false, null, WHY],
    ['confirmation refused', confirmationRefused, 'needs_attention', false, null, 'Too late.'],
    [
      'paid after it failed',
      failedThenPaid({ stage: 'open', payment_id: 'TX-0', by: 'event' }),
      'needs_attention',
      false,
      null,
      WHY,
    ],
    [
      'and served',
      failedThenPaid({ stage: 'decided', decision, decided_at: SENT, sent_at: null, unanswered: 0 }),
      'succeeded',
      true,
      null,
      null,
    ],
    ['and not served', notServed, 'needs_attention', false, null, WHY],
  ])(
    'the outcome of a charge follows from its state: %s',
    (_, record, outcome, settled, discrepancy, attention) => {
      expect(determineOutcome(charge(record))).toEqual({ outcome, settled, discrepancy, attention })
    },
  )
})

describe('a charge without acknowledgement', () => {
  test('a charge is posted by its first acknowledgement, even after a status', () => {
    const historyEntry = 'The gateway took it as CR-1.'
    expect(observe(intended, { kind: 'acknowledged', answer, at: null })).toEqual({
      record: { ...posted, answer: stored, answered_at: SENT + MINUTE },
      events: [],
      historyEntry,
    })
    const onPage = { ...answer, redirect_url: page.redirect_url, expires_at: page.expires_at }
    const late = observe(intended, status(803), { kind: 'acknowledged', answer: onPage, at: null })
    expect(late.record).toMatchObject({ reported: { status: 803 }, answer: { ...stored, ...page } })
    expectUnchanged(hosted, { kind: 'acknowledged', answer, at: null })
  })

  test('a reported charge needs a person if its acknowledgement shows that the payment is short', () => {
    const dear = { ...answer, total_amount: '1520' }
    const { record, events } = observe(intended, status(801, PAID), {
      kind: 'acknowledged',
      answer: dear,
      at: null,
    })
    expect(events).toEqual(['succeeded', 'needs_attention'])
    expect(record).toMatchObject({ settled_at: SENT + MINUTE, answer: { total_amount: '1520' } })
  })

  test('a charge without acknowledgement is finally refused with the message of the gateway', () => {
    const counts = observe(intended, refuse, [SENT, unknown])
    expect(counts).toEqual({ record: refused, events: ['failed'], historyEntry: 'No.' })
    expectUnchanged(posted, refuse)
    const late: [number, Observation] = [SENT + 3 * MINUTE, unknown]
    expectUnchanged(refused, late, decided(SERVED), status(803), status(820))
  })

  test('a charge that is acknowledged after it was refused, as by an answer that took long, can be paid', () => {
    const { record, events } = observe(refused, { kind: 'acknowledged', answer, at: null })
    expect(record).toMatchObject({ phase: 'open', answer: { charge_request_id: answer.charge_request_id } })
    expect(events).toEqual([])
    expect(observe(record, status(801, PAID)).events).toEqual(['needs_attention'])
  })

  test('a charge that failed unacknowledged for no stated reason is refused after three queries in two minutes', () => {
    const failure = { status_code: 174, status_description: 'Generic failure', message: '' }
    const { record } = observe(intended, { kind: 'refused', why: 'No.', refusal: failure })
    expect(observe(record, unknown, unknown, [STOOD, unknown]).record.phase).toBe('refused')
    expect(observe(record, unknown, [STOOD, unknown]).record.phase).toBe('intended')
    expect(observe(record, unknown, unknown, unknown).record.phase).toBe('intended')
    // The payer may have been asked all the same.
    expect(observe(record, unknown, status(801, PAID)).events).toEqual(['succeeded'])
  })

  test.each<[string, Observation, string, string[]]>([
    ['paid', status(801, PAID), 'needs_attention', ['needs_attention']],
    ['paid in part', status(802, PART), 'needs_attention', ['needs_attention']],
    ['jammed', status(850), 'needs_attention', ['needs_attention']],
    ['in flight', status(803, [{ status: 703 }]), 'pending', []],
    ['pending', status(851), 'pending', []],
    ['reversed', status(840), 'reversed', ['reversed']],
  ])('a charge that was refused, and is %s, is open', (_, observation, outcome, events) => {
    const result = observe(refused, observation)
    expect(result).toMatchObject({ record: { phase: 'open' }, events })
    expect(determineOutcome(charge(result.record))).toMatchObject({ outcome })
    expect(observe(result.record, status(820)).events).not.toContain('failed')
  })

  test('a charge without acknowledgement is posted when the gateway reports it, and cannot be confirmed earlier', () => {
    expect(observe(intended, [SENT, status(801, PAID)])).toEqual({
      record: {
        ...posted,
        reported: toReportedState(payloadOf(801, PAID), SENT, 'KES'),
        settled_at: SENT,
        told: ['succeeded'],
        confirmation: { accepted: null, payments: [{ stage: 'open', payment_id: 'TX-0', by: 'event' }] },
      },
      events: ['succeeded'],
      historyEntry: 'The gateway says 801, 1500 received: succeeded.',
    })
    expectUnchanged(intended, decided(SERVED))
  })
})

describe('a posted charge', () => {
  test('a posted charge that is unknown after two minutes needs a person, once', () => {
    const first = observe(posted, [SENT, unknown])
    expect(first).toMatchObject({ events: [], historyEntry: null })
    expectUnchanged(first.record, [SENT + 2 * MINUTE - 1, unknown])
    const lost = observe(first.record, [SENT + 2 * MINUTE, unknown])
    expect(lost).toMatchObject({ events: ['needs_attention'], record: { alarm: { why: lost.historyEntry } } })
    expectUnchanged(lost.record, [SENT + 3 * MINUTE, unknown])
    // The gateway reports the charge again, which resolves the alarm.
    expect(observe(lost.record, status(803))).toMatchObject({ record: { alarm: null }, events: [] })
  })

  test("a posted charge is over by the gateway's clock, or without an expiry a day after its answer by that clock", () => {
    const ahead = { ...status(803), at: EXPIRES_AT }
    expect(observe(hosted, [LAST + DAY, ahead])).toMatchObject({ record: { settled_at: null }, events: [] })
    const over = { ...ahead, at: EXPIRES_AT + 2 * MINUTE }
    expect(observe(hosted, [SENT, over])).toMatchObject({ record: { settled_at: SENT }, events: ['failed'] })
    const { record } = observe(intended, { kind: 'acknowledged', answer, at: SENT + 9 * MINUTE })
    const early = { ...ahead, at: SENT + DAY + 11 * MINUTE - 1 }
    const late = { ...early, at: early.at + 1 }
    expect(observe(record, [LAST, early]).record).toMatchObject({ settled_at: null })
    expect(observe(record, early, [LAST, late]).record).toMatchObject({ settled_at: LAST })
  })

  test('a posted charge stays paid while what is left covers it', () => {
    const excess: Paid = { status: 700, amount: '300' }
    const left = statusOf(841, [...PAID, { ...excess, status: 705 }], { amount: '1500' })
    const { record, events } = observe(posted, status(801, [...PAID, excess]), left)
    expect(events).toEqual(['succeeded', 'overpaid', 'overpaid'])
    expect(determineOutcome(charge(record))).toMatchObject({ outcome: 'succeeded', discrepancy: null })
  })

  test('a posted charge is unchanged by the same report, and stores a report with other details', () => {
    const { record } = observe(posted, [SENT, status(801, PAID)])
    expectUnchanged(record, status(801, PAID))
    const more = observe(record, status(801, [...PAID, { status: 701 }]))
    expect(more).toMatchObject({ record: { settled_at: SENT + MINUTE, told: ['succeeded'] }, events: [] })
    expect(more.historyEntry).not.toBeNull()
  })

  test('a posted charge is settled by the same report after its session, and needs a person by one after it was unknown', () => {
    const over = EXPIRES_AT + 2 * MINUTE
    const { record, events } = observe(hosted, status(803), [over, status(803)])
    expect({ record, events }).toMatchObject({ record: { settled_at: over }, events: ['failed'] })
    const doubted = observe(posted, status(850), [SENT + 2 * MINUTE, unknown], status(850))
    expect(doubted.record).toMatchObject({ alarm: null, reported: { status: 850 } })
  })

  test.each<[(Observation | [askedAt: number, Observation])[], string]>([
    [[status(851), status(801, PAID), status(841)], 'succeeded, refunded'],
    [[status(850), status(803), status(850)], 'needs_attention, needs_attention'],
    [[status(820), status(803), status(820)], 'failed'],
    [[status(820), status(801, PAID)], 'failed, needs_attention'],
    [[status(801, PAID), [STOOD, status(803)], status(801, PAID)], 'succeeded, needs_attention'],
    // A part was paid; the part is jammed; the gateway no longer has it.
    [
      [status(802, PART), [STOOD, status(850)], [LAST, status(803)]],
      'needs_attention, needs_attention, needs_attention',
    ],
    [[status(801, PAID), [STOOD, status(803)], status(841)], 'succeeded, needs_attention, refunded'],
    [[REFUNDED, [STOOD, status(801, PAID)], REFUNDED], 'refunded, needs_attention'],
    [[status(820), status(850), status(801, PAID)], 'failed, needs_attention, needs_attention'],
  ])('a posted charge causes one event for each outcome: %#', (observations, listed) => {
    const events = listed.split(', ')
    const { record, ...result } = observe(posted, ...observations)
    expect(result.events).toEqual(events)
    expect(record.told).toEqual([...new Set(events)])
  })

  test('a posted charge keeps its reported state when it is contradicted, and needs a person whatever is repeated', () => {
    const paid = observe(posted, status(801, PAID)).record
    const why = 'The gateway said 803 after 801, which is kept.'
    const { record, ...result } = observe(paid, [STOOD, status(803)])
    expect(result).toEqual({ events: ['needs_attention'], historyEntry: why })
    expect(record).toEqual({
      ...paid,
      told: ['succeeded', 'needs_attention'],
      alarm: { why, until: 'returned' },
      consulted: { about: [expect.any(String)], says: null },
    })
    expectUnchanged(record, status(801, PAID), status(803), status(851))
    expect(observe(record, status(841)).record).toMatchObject({ alarm: null })
    const returned = observe(posted, REFUNDED, [STOOD, status(801, PAID)]).record
    expectUnchanged(returned, REFUNDED)
    // The decision of a person ends an alarm; the answer of the gateway does not.
    const served = observe(record, decided(SERVED)).record
    expect(determineOutcome(charge(served))).toMatchObject({ outcome: 'succeeded', attention: null })
    const doubted = observe(served, [STOOD, status(803)], tooLate(SERVED))
    expect(doubted).toMatchObject({ record: { alarm: { until: 'returned' } }, events: ['needs_attention'] })
  })

  test.each([
    ['that the gateway named', hosted, EXPIRES_AT],
    ['that is assumed', posted, SENT + DAY],
  ])(
    'a posted charge is asked about when the session ends %s, and when nothing can be in flight any more',
    (_, open, end) => {
      const deadlines = [0, 2 * MINUTE, DAY].map((ms) => end + ms + 1_000)
      expect(chargeKind.progressOf(charge(open))).toEqual({ stage: 'open', since: SENT, deadlines })
    },
  )

  test('a posted charge that is pending at its last deadline needs a person until it ends', () => {
    const { record, events } = observe(posted, overdue)
    expect(events).toEqual(['needs_attention'])
    expectUnchanged(record, overdue)
    expect(observe(record, status(851)).events).toEqual([])
    expect(observe(record, status(851), status(801, PAID))).toMatchObject({
      record: { alarm: null },
      events: ['succeeded'],
    })
    expect(observe(intended, overdue)).toMatchObject({
      record: { phase: 'intended' },
      events: ['needs_attention'],
    })
    expectUnchanged(refused, overdue)
  })
})

describe('a service confirmation', () => {
  const { record: paid } = observe(posted, status(801, PAID))

  test('a service confirmation is not stored for an accepted event while the charge does not count as paid', () => {
    const accepted: Observation = { kind: 'accepted', received: '1500' }
    expect(observe(paid, accepted).record).toMatchObject({
      confirmation: { payments: [{ stage: 'decided' }] },
    })
    for (const doubt of [status(801, PART), status(803)]) {
      const { record } = observe(paid, [STOOD, doubt])
      const kept = observe(record, accepted)
      expect(kept.record).toMatchObject({ confirmation: { accepted: '1500', payments: [{ stage: 'open' }] } })
      expect(observe(record, decided(SERVED)).record).toMatchObject({
        confirmation: { payments: [{ stage: 'decided' }] },
      })
    }
  })

  test('a service confirmation that the gateway refuses causes an event each time', () => {
    const first = observe(paid, decided(SERVED), tooLate(SERVED))
    expect(first).toMatchObject({ record: { settled_at: SENT + MINUTE }, events: ['needs_attention'] })
    const anew = observe(first.record, [SENT + 5, decided(SERVED)])
    expect(anew).toMatchObject({ record: { settled_at: SENT + MINUTE }, events: [] })
    expect(observe(anew.record, tooLate(SERVED)).events).toEqual(['needs_attention'])
  })

  test('a service confirmation that the gateway took needs a person if the payer is not refunded until the last deadline', () => {
    const decision = { status: 'FAILED', narration: 'Sold out.', payment_id: 'TX-0' } as const
    const taken: Observation = {
      kind: 'answered',
      answer: { stage: 'confirmed', decision, message: null },
    }
    const { record } = observe(paid, decided(decision), taken)
    const late = observe(record, overdue, status(801, [...PAID, { status: 701 }]))
    expect(late).toMatchObject({ record: { alarm: { until: 'refunded' } }, events: ['needs_attention'] })
    expect(observe(late.record, status(841))).toMatchObject({ record: { alarm: null }, events: ['refunded'] })
  })

  test('a service confirmation that is refused while a person is needed anyway causes an event, once', () => {
    const failed = { ...posted, told: ['failed'] }
    const doubted = observe(failed, status(801, PAID)).record
    const soldOut = { status: 'FAILED', narration: 'Sold out.' } as const
    const notServed = observe(doubted, decided(soldOut))
    expect(notServed.events).toEqual([])
    const late = observe(notServed.record, tooLate(soldOut))
    expect(late.events).toEqual(['needs_attention'])
    expect(observe(late.record, status(801, [...PAID, { status: 701 }])).events).toEqual([])
  })
})

test.each([
  { phase: 'refused', closed: { phase: 'refused', why: 'No.', refusal: null } },
  { phase: 'abandoned', closed: { phase: 'abandoned' } },
] as const)('a charge that was sent and is $phase is asked about like a settled one', ({ closed }) => {
  const record: ChargeRecord = { ...unsent, ...closed }
  expect(chargeKind.progressOf(charge(record))).toEqual({ stage: 'settled', at: SENT })
  expect(chargeKind.progressOf({ ...charge(record), sent_at: null })).toEqual({ stage: 'ended' })
})
