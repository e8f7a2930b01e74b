import { describe, expect, test } from 'vitest'

import { GatewayError, GatewayRefusal } from '../../../server/gateway/errors.ts'
import { sendDecision } from '../../../server/payins/decide.ts'
import { payInProgress } from '../../../server/payins/progress.ts'
import {
  confirmationAfter,
  isRefundDue,
  SERVED,
  trackedFulfilmentOf,
  transitionConfirmation,
  whyUnserved,
  withdrawn,
} from '../../../server/payins/service-confirmation.ts'
import { toReportedState } from '../../../server/payins/status-answer.ts'
import { SENT as AT } from '../../support/worlds/observed.ts'
import { payloadOf } from '../../support/worlds/open-checkout.ts'

import type { Confirmation } from '../../../server/contract/charge.ts'
import type { CheckoutStatus, PaymentStatus } from '../../../server/contract/status.ts'
import type { GatewayClient } from '../../../server/gateway/client.ts'
import type { Confirming } from '../../../server/payins/service-confirmation.ts'
import type { Decision, ServiceConfirmation } from '../../../server/transactions/kind.ts'
import type { Resolution } from '../../../server/transactions/resolution.ts'

const decision = { status: 'SUCCESSFUL', narration: 'Delivered.', payment_id: '771200' } as const
const failed = { ...decision, status: 'FAILED' } as const
const OPEN = { stage: 'open', acceptance: 'none' } as const
const OUTDATED = { stage: 'open', acceptance: 'outdated' } as const
const DECIDED = { stage: 'decided', decision, decided_at: AT } as const
const CONFIRMED = { stage: 'confirmed', decision, message: 'Taken.' } as const
const REFUSED = { stage: 'refused', decision, message: 'Too late.' } as const
const STAGES = [OPEN, DECIDED, CONFIRMED, REFUSED] as const

function reported(status: CheckoutStatus, payments: readonly PaymentStatus[] = [700]) {
  const payload = payloadOf(
    status,
    payments.map((payment) => ({ status: payment })),
  )
  const state = toReportedState(payload, AT, 'KES')
  return {
    ...state,
    payments: state.payments.map((payment, index) => ({ ...payment, payment_id: `${index + 1}` })),
  }
}

type Reported = ReturnType<typeof reported>
const alarm = { why: 'The gateway does not know it.', until: 'reported' } as const

/** Observes a pay-in about which a person has to check something. */
function observe(
  confirmation: ServiceConfirmation,
  reportedState: Reported | null,
  observation: Confirming,
  isPaid = false,
  resolution: Resolution | null = null,
) {
  const before = { confirmation, reported: reportedState, alarm, resolution }
  const { record, historyEntry } = transitionConfirmation(before, observation, isPaid, AT)
  return { confirmation: record.confirmation, alarm: record.alarm, historyEntry }
}

describe('a decision of the merchant', () => {
  const decide = (before: ServiceConfirmation, state: Reported | null) =>
    observe(before, state, { kind: 'decided', decision: SERVED })

  test.each([
    [OPEN, 801, [700], '1'],
    [REFUSED, 802, [700], '1'],
    [OUTDATED, 801, [700], '1'],
    // Of several successful payments, the decision is sent about the first one first.
    [OPEN, 801, [701, 700, 700], '2'],
    // The payments before a refused one are confirmed, and so is the first one before it was decided about the second.
    [{ ...REFUSED, decision: { ...decision, payment_id: '2' } }, 801, [700, 700], '2'],
    [{ ...CONFIRMED, decision: { ...decision, payment_id: '1' } }, 801, [700, 700], '2'],
    [OPEN, 801, [701, 703], null],
    // The money counts, whatever the status says.
    ...([803, 820, 850, 851] as const).map((status) => [OPEN, status, [700], '1'] as const),
  ] as const)(
    'a decision of the merchant is stored where nothing stands yet: %j, %i, %j',
    (before, status, payments, payment_id) => {
      expect(decide(before, reported(status, payments))).toEqual({
        confirmation: { stage: 'decided', decision: { ...SERVED, payment_id }, decided_at: AT },
        // A person has checked the pay-in.
        alarm: null,
        historyEntry: `The merchant says SUCCESSFUL: ${SERVED.narration}`,
      })
    },
  )

  test.each([
    // A decision exists already.
    [DECIDED, 801],
    [CONFIRMED, 801],
    [{ ...CONFIRMED, decision: { ...failed, payment_id: '1' } }, 801, [700, 700]],
    // Nothing is paid, or it was returned.
    [OPEN, null],
    ...([803, 820, 850, 851] as const).map((status) => [OPEN, status, []] as const),
    ...([840, 841] as const).map((status) => [OPEN, status, [700]] as const),
  ] as const)(
    'a decision of the merchant changes nothing: %j, %s, %j',
    (confirmation, status, payments = [700]) => {
      const state = status && reported(status, payments)
      expect(decide(confirmation, state)).toEqual({ confirmation, alarm, historyEntry: null })
    },
  )
})

const accepted = (received: string | null) => ({ kind: 'accepted', received }) as const

describe('an accepted event about a payment', () => {
  const accept = (before: ServiceConfirmation, isPaid: boolean) =>
    observe(before, reported(801), accepted('1500'), isPaid)

  test('an accepted event is the decision SUCCESSFUL, if there is no decision and the payment counts as paid', () => {
    expect(accept(OPEN, true).confirmation).toMatchObject({ stage: 'decided', decision: SERVED })
    for (const before of [DECIDED, CONFIRMED, REFUSED]) {
      expect(accept(before, true)).toEqual({ confirmation: before, alarm, historyEntry: null })
    }
  })

  test('an accepted event about a payment is kept while the payment does not count as paid, once', () => {
    const kept = { stage: 'open', acceptance: 'given' } as const
    const historyEntry = expect.stringContaining('It is confirmed when it does again.')
    expect(accept(OPEN, false)).toEqual({ confirmation: kept, alarm, historyEntry })
    expect(accept(kept, false)).toEqual({ confirmation: kept, alarm, historyEntry: null })
    expect(accept(kept, true).confirmation).toMatchObject({ stage: 'decided', decision: SERVED })
  })
})

test('an accepted event confirms what was paid after a part whose service was provided', () => {
  const part = { ...CONFIRMED, decision: { ...decision, payment_id: '1' } }
  const whole = reported(801, [700, 700])
  expect(observe(part, whole, accepted('3000'), true).confirmation).toMatchObject({
    stage: 'decided',
    decision: { status: 'SUCCESSFUL', payment_id: '2' },
  })
  expect(observe(part, whole, accepted('3000'), false)).toMatchObject({ confirmation: part })
  // The event is about the first payment, or it does not say about which.
  for (const received of ['1500', null]) {
    expect(observe(part, whole, accepted(received), true).confirmation).toEqual(part)
  }
})

test('an accepted event about money that went back is about none that is paid later', () => {
  expect(observe(OUTDATED, reported(801), accepted('1500'), true)).toEqual({
    confirmation: OUTDATED,
    alarm,
    historyEntry: null,
  })
})

test('money that is held after the merchant was told of an end waits for a person, also if a part of it was confirmed', () => {
  const confirmation = { ...CONFIRMED, decision: { ...decision, payment_id: '1' } }
  const state = { confirmation, reported: reported(801, [700, 700]) }
  expect(whyUnserved({ ...state, told: ['succeeded', 'refunded', 'ended'] }, true)).toContain(
    'told of its end',
  )
  expect(whyUnserved({ ...state, told: ['succeeded'] }, true)).toBe(null)
  const first = { confirmation, reported: reported(801) }
  expect(whyUnserved({ ...first, told: ['succeeded', 'ended'] }, true)).toBe(null)
})

describe('a payment that replaced the one before between two reports', () => {
  const first = { ...reported(801), payments: reported(801).payments }
  const second = reported(801, [702, 700])
  const next = (confirmation: ServiceConfirmation) =>
    confirmationAfter({ confirmation, reported: first, resolution: null }, second, AT)
  const about = (payment_id: string) => ({ ...decision, payment_id })
  const REPLACED = { stage: 'open', acceptance: 'replaced' } as const

  test.each([OPEN, { stage: 'open', acceptance: 'given' } as const])(
    'is not confirmed by an accepted event from before, and waits for a person: %j',
    (before) => {
      expect(next(before)).toEqual(REPLACED)
      expect(observe(REPLACED, second, accepted('1500'), true).confirmation).toEqual(REPLACED)
      const told = { reported: second, told: ['succeeded'] }
      expect(whyUnserved({ confirmation: REPLACED, ...told }, true)).toContain('another one is held')
      const decided = observe(REPLACED, second, { kind: 'decided', decision: SERVED }, true)
      expect(decided.confirmation).toMatchObject({ decision: { payment_id: '2' } })
    },
  )

  test('is not what a decision from before is about, also if the gateway takes it', () => {
    const made = { ...DECIDED, decision: about('1') }
    const withdrawnDecision = { stage: 'refused', decision: about('1'), message: expect.any(String) } as const
    expect(next(made)).toEqual(withdrawnDecision)
    const taken = { kind: 'answered', answer: { ...CONFIRMED, decision: about('1') } } as const
    const refused = { ...REFUSED, decision: about('1') }
    expect(observe(refused, second, taken).confirmation).toEqual(taken.answer)
    expect(observe(made, second, taken).confirmation).toEqual(taken.answer)
  })

  test('is none if the other payment is a part, or was there before', () => {
    const excess = { reported: reported(801, [700, 700]), confirmation: OPEN, resolution: null }
    expect(confirmationAfter(excess, reported(801, [700, 705]), AT)).toEqual(OPEN)
    expect(confirmationAfter(excess, reported(801, [700, 700, 700]), AT)).toEqual(OPEN)
  })
})

test('a decision about a contradiction that a person has resolved keeps its alarm', () => {
  const resolution = { says: 'paid', by: 'Asha', note: '', at: AT } as const
  const contradiction = { why: 'The gateway said 803 after 801, which is kept.', until: 'returned' } as const
  const before = { confirmation: OPEN, reported: reported(801), alarm: contradiction, resolution }
  const decide = { kind: 'decided', decision: SERVED } as const
  expect(transitionConfirmation(before, decide, false, AT).record.alarm).toEqual(contradiction)
})

test('a decision is sent about each held payment, from the first to the last', () => {
  const about = (payment_id: string) => ({ ...decision, payment_id })
  const decided = { ...DECIDED, decision: about('1') }
  const answer = (payment_id: string) =>
    ({ kind: 'answered', answer: { ...CONFIRMED, decision: about(payment_id) } }) as const
  const payments = reported(801, [700, 701, 700])
  const next = observe(decided, payments, answer('1')).confirmation
  expect(next).toEqual({ ...DECIDED, decision: about('3') })
  expect(observe({ ...DECIDED, decision: about('3') }, payments, answer('3')).confirmation).toEqual(
    answer('3').answer,
  )
})

test('a person who resolves a pay-in withdraws what the gateway has not answered, and which decision it was is kept', () => {
  expect(withdrawn(null)).toBe(null)
  expect(withdrawn(OPEN)).toEqual(OUTDATED)
  expect(withdrawn(DECIDED)).toEqual({
    stage: 'refused',
    decision,
    message: expect.stringContaining('A person resolved it'),
  })
  expect(withdrawn(CONFIRMED)).toEqual(CONFIRMED)
  expect(withdrawn(REFUSED)).toEqual(REFUSED)
})

test('the answer of the gateway confirms or refuses the decision that was sent', () => {
  for (const [answer, historyEntry] of [
    [CONFIRMED, 'The gateway accepted SUCCESSFUL.'],
    [REFUSED, 'Too late.'],
  ] as const) {
    const answered = { kind: 'answered', answer } as const
    expect(observe(DECIDED, null, answered)).toEqual({ confirmation: answer, alarm, historyEntry })
    for (const before of [OPEN, CONFIRMED]) {
      const unchanged = { confirmation: before, alarm, historyEntry: null }
      expect(observe(before, reported(801), answered, true)).toEqual(unchanged)
    }

    // What the gateway takes counts, also if the decision was withdrawn meanwhile.
    expect(observe(REFUSED, null, answered).confirmation).toEqual(answer)

    for (const other of [
      failed,
      { ...decision, narration: 'Sold out.' },
      { ...decision, payment_id: null },
    ]) {
      const later = { stage: 'decided', decision: other, decided_at: AT } as const
      const historyEntry = expect.stringContaining('an earlier decision')
      expect(observe(later, reported(801), answered, true)).toEqual({
        confirmation: later,
        alarm,
        historyEntry,
      })
    }
  }
})

test('a confirmation is under way only between decision and answer', () => {
  const times = { created_at: AT, updated_at: AT }
  const settled = { reported: null, settled_at: AT, resolution: null }
  const stages = [null, ...STAGES].map(
    (confirmation) => payInProgress({ confirmation, ...settled }, times, AT).stage,
  )
  expect(stages).toEqual(['settled', 'settled', 'confirming', 'settled', 'settled'])
})

test('a refund is due when FAILED was confirmed and the money is still there', () => {
  const refund = { ...CONFIRMED, decision: failed }
  const isDue = (confirmation: ServiceConfirmation | null, state: Reported | null) =>
    isRefundDue({ confirmation, reported: state })
  for (const status of [801, 802, 803] as const) {
    expect(isDue(refund, reported(status))).toBe(true)
  }

  // An excess is refused, and what it exceeds is held.
  const excess = { ...refund, decision: { ...failed, payment_id: '2' } }
  expect(isDue(excess, reported(801, [700, 700]))).toBe(true)
  expect(isDue(excess, { ...reported(841, [700, 705]), most: '3000' })).toBe(false)
  // The gateway lists no payment.
  expect(isDue(refund, reported(801, []))).toBe(true)

  expect(isDue(refund, reported(803, []))).toBe(false)
  expect(isDue(refund, reported(841))).toBe(false)
  expect(isDue(refund, null)).toBe(false)
  expect(isDue(null, reported(801))).toBe(false)
  expect(isDue(CONFIRMED, reported(801))).toBe(false)
  expect(isDue({ stage: 'decided', decision: failed, decided_at: AT }, reported(801))).toBe(false)
})

test('the merchant sees the stage, the decision and the words of the gateway', () => {
  expect(STAGES.map(trackedFulfilmentOf)).toEqual([
    { stage: 'open', status: null, narration: null, payment_id: null, message: null },
    { stage: 'decided', ...decision, message: null },
    { stage: 'confirmed', ...decision, message: 'Taken.' },
    { stage: 'refused', ...decision, message: 'Too late.' },
  ])
})

const after = (
  confirmation: ServiceConfirmation,
  state: Reported,
  resolution: Parameters<typeof confirmationAfter>[0]['resolution'] = null,
) => confirmationAfter({ confirmation, reported: null, resolution }, state, AT)

describe('a decision', () => {
  const unnamed = { ...decision, payment_id: null }
  const refusal = { status_code: 174, status_description: 'Generic failure', message: '' }
  const refused = new GatewayRefusal('POST /acknowledge', refusal)
  const why = 'The gateway refused POST /acknowledge: 174 Generic failure.'

  async function send(decision: Decision, answer: () => Promise<string>) {
    const sent: Confirmation[] = []
    const client: Pick<GatewayClient, 'confirmService'> = {
      async confirmService(body, context) {
        expect(context).toEqual({ traceId: 'trace' })
        sent.push(body)
        return { payment_id: body.payment_id, message: await answer() }
      },
    }
    const observation = await sendDecision({ trace_id: 'trace' }, decision, { client })
    return { sent, observation }
  }

  test.each<[Decision, answer: () => Promise<string>, sent: object[], answer: object]>([
    [decision, async () => 'Taken.', [decision], CONFIRMED],
    [decision, () => Promise.reject(refused), [decision], { ...REFUSED, message: why }],
  ])('is sent, and the answer observed: %j, %s, %j, %j', async (made, given, sent, answer) => {
    expect(await send(made, given)).toMatchObject({ sent, observation: { kind: 'answered', answer } })
  })

  test('waits while the gateway has not named the payment, and is then about the payment that it names', async () => {
    await expect(send(unnamed, async () => '')).rejects.toThrow('named no payment to confirm')
    const waiting = { stage: 'decided', decision: unnamed, decided_at: AT } as const
    const named = { ...waiting, decision: { ...unnamed, payment_id: '1' } }
    expect(after(waiting, reported(801, [701]))).toEqual(waiting)
    expect(after(waiting, reported(801))).toEqual(named)
    expect(after(named, reported(801, [700, 700]))).toEqual(named)
  })

  test('to refuse a service is sent about each held payment, one after the other', () => {
    const first = { ...CONFIRMED, decision: { ...failed, payment_id: '1' } }
    const second = { stage: 'decided', decision: { ...failed, payment_id: '2' }, decided_at: AT }
    const more = reported(801, [700, 700])
    expect(after(first, more)).toEqual(second)
    expect(after(first, { ...reported(841, [705, 700]), most: '3000' })).toEqual(second)
    // There is no other, all has gone back, or the payment has got another id.
    expect(after(first, reported(801))).toEqual(first)
    expect(after(first, reported(841, [705, 705]))).toEqual(first)
    const renamed = { ...first, decision: { ...failed, payment_id: 'another' } }
    expect(after(renamed, more)).toEqual(renamed)
    // A person has found out what became of the money, or the service was provided.
    expect(after(first, more, { says: 'returned', by: 'Asha', note: '', at: AT })).toEqual(first)
    const served = { ...CONFIRMED, decision: { ...decision, payment_id: '1' } }
    expect(after(served, more)).toEqual(served)
  })

  test('is to be made anew about money that comes after it went back', () => {
    const confirmation = { stage: 'confirmed', decision, message: null } as const
    const back = { confirmation, reported: reported(840, [702]) }
    expect(confirmationAfter({ ...back, resolution: null }, reported(801), AT)).toEqual(OUTDATED)
    expect(confirmationAfter({ ...back, resolution: null }, reported(840, [702, 701]), AT)).toEqual(
      confirmation,
    )
  })

  test('stays unchanged when the response is lost', async () => {
    const lost = new GatewayError('gateway_timeout', 'No answer.')
    await expect(send(decision, () => Promise.reject(lost))).rejects.toBe(lost)
  })
})
