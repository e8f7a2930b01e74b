import { describe, expect, test } from 'vitest'

import { GatewayError, GatewayRefusal } from '../../../server/gateway/errors.ts'
import { sendDecision } from '../../../server/payins/decide.ts'
import { heldIn, isAboutHeld, paymentOf } from '../../../server/payins/held-payments.ts'
import { payInProgress } from '../../../server/payins/progress.ts'
import { moneyOf } from '../../../server/payins/reported-money.ts'
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
import { pendingIn } from '../../../server/transactions/kind.ts'
import { createSeededRandom } from '../../support/seeded-random.ts'
import { SENT as AT } from '../../support/worlds/observed.ts'
import { payloadOf } from '../../support/worlds/open-checkout.ts'

import type { Confirmation } from '../../../server/contract/charge.ts'
import type { CheckoutStatus, PaymentStatus } from '../../../server/contract/status.ts'
import type { GatewayClient } from '../../../server/gateway/client.ts'
import type { ReportedState } from '../../../server/payins/reported-state.ts'
import type { Confirming, GatewayAnswer } from '../../../server/payins/service-confirmation.ts'
import type { Decision, PaymentConfirmation, ServiceConfirmation } from '../../../server/transactions/kind.ts'
import type { Resolution } from '../../../server/transactions/resolution.ts'
import type { SeededRandom } from '../../support/seeded-random.ts'

const decision = { status: 'SUCCESSFUL', narration: 'Delivered.', payment_id: '1' } as const
const failed = { ...decision, status: 'FAILED' } as const
const OPEN = { stage: 'open', payment_id: '1', by: 'event' } as const
const DECIDED = { stage: 'decided', decision, decided_at: AT } as const
const CONFIRMED = { stage: 'confirmed', decision, message: 'Taken.' } as const
const REFUSED = { stage: 'refused', decision, message: 'Too late.' } as const
const FAILED = { ...CONFIRMED, decision: failed } as const

/** The service confirmation of the payments with these. */
const of = (...payments: PaymentConfirmation[]): ServiceConfirmation => ({ accepted: null, payments })
/** The same confirmation, about another payment. */
function about<Confirmation extends PaymentConfirmation>(
  payment_id: string | null,
  confirmation: Confirmation,
): Confirmation {
  return confirmation.stage === 'open'
    ? { ...confirmation, payment_id }
    : { ...confirmation, decision: { ...confirmation.decision, payment_id } }
}

/** A report whose payments have the ids 1, 2 and so on. */
function reported(status: CheckoutStatus, payments: readonly PaymentStatus[] = [700]): ReportedState {
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

/** The same report, whose payments have this id. */
const named = (state: ReportedState, payment_id: string): ReportedState => ({
  ...state,
  payments: state.payments.map((payment) => ({ ...payment, payment_id })),
})
const alarm = { why: 'The gateway does not know it.', until: 'reported' } as const

/** Observes a pay-in about which a person has to check something. */
function observe(
  confirmation: ServiceConfirmation,
  reportedState: ReportedState | null,
  observation: Confirming,
  isPaid = false,
  resolution: Resolution | null = null,
) {
  const before = { confirmation, reported: reportedState, alarm, resolution }
  const { record, historyEntry } = transitionConfirmation(before, observation, isPaid, AT)
  return { confirmation: record.confirmation, alarm: record.alarm, historyEntry }
}

describe('a decision of the merchant', () => {
  const decide = (before: ServiceConfirmation, state: ReportedState | null) =>
    observe(before, state, { kind: 'decided', decision: SERVED })
  const served = (payment_id: string | null) =>
    ({ stage: 'decided', decision: { ...SERVED, payment_id }, decided_at: AT }) as const

  test.each<[PaymentConfirmation[], CheckoutStatus, PaymentStatus[], PaymentConfirmation[]]>([
    [[OPEN], 801, [700], [served('1')]],
    [[REFUSED], 802, [700], [served('1')]],
    [[{ ...OPEN, by: 'api' }], 801, [700], [served('1')]],
    // It is about each payment that is held and has none.
    [[about('2', OPEN), about('3', OPEN)], 801, [701, 700, 700], [served('2'), served('3')]],
    [[CONFIRMED, about('2', REFUSED)], 801, [700, 700], [CONFIRMED, served('2')]],
    [[CONFIRMED, about('2', OPEN)], 801, [700, 700], [CONFIRMED, served('2')]],
    [[FAILED, about('2', OPEN)], 801, [705, 700], [FAILED, served('2')]],
    // It is not about what went back.
    [[OPEN, about('2', OPEN)], 801, [702, 700], [OPEN, served('2')]],
    [[about(null, OPEN)], 801, [701, 703], [served(null)]],
    // The money counts, whatever the status says.
    ...([803, 820, 850, 851] as const).map(
      (status): [PaymentConfirmation[], CheckoutStatus, PaymentStatus[], PaymentConfirmation[]] => [
        [OPEN],
        status,
        [700],
        [served('1')],
      ],
    ),
  ])('is stored for %j of %i, %j', (before, status, payments, decided) => {
    expect(decide(of(...before), reported(status, payments))).toEqual({
      confirmation: of(...decided),
      // A person has checked the pay-in.
      alarm: null,
      historyEntry: `The merchant says SUCCESSFUL: ${SERVED.narration}`,
    })
  })

  test.each<[PaymentConfirmation[], CheckoutStatus | null, PaymentStatus[]]>([
    // A decision exists already.
    [[DECIDED], 801, [700]],
    [[CONFIRMED], 801, [700]],
    [[FAILED, about('2', FAILED)], 801, [700, 700]],
    // Nothing is paid, or it was returned.
    [[], null, []],
    [[OPEN], 801, [702]],
    ...([803, 820, 850, 851] as const).map(
      (status): [PaymentConfirmation[], CheckoutStatus, PaymentStatus[]] => [[], status, []],
    ),
    ...([840, 841] as const).map((status): [PaymentConfirmation[], CheckoutStatus, PaymentStatus[]] => [
      [OPEN],
      status,
      [700],
    ]),
  ])('changes nothing for %j of %s, %j', (before, status, payments) => {
    const state = status && reported(status, payments)
    const confirmation = of(...before)
    expect(decide(confirmation, state)).toEqual({ confirmation, alarm, historyEntry: null })
  })

  test('about a contradiction that a person has resolved keeps its alarm', () => {
    const resolution = { says: 'paid', by: 'Asha', note: '', at: AT } as const
    const contradiction = {
      why: 'The gateway said 803 after 801, which is kept.',
      until: 'returned',
    } as const
    const before = { confirmation: of(OPEN), reported: reported(801), alarm: contradiction, resolution }
    const made = { kind: 'decided', decision: SERVED } as const
    expect(transitionConfirmation(before, made, false, AT).record.alarm).toEqual(contradiction)
  })
})

const accepted = (received: string) => ({ kind: 'accepted', received }) as const

describe('an accepted event about a payment', () => {
  const accept = (before: ServiceConfirmation, isPaid: boolean) =>
    observe(before, reported(801), accepted('1500'), isPaid)

  test('is the decision SUCCESSFUL, if there is no decision and the payment counts as paid', () => {
    expect(accept(of(OPEN), true).confirmation?.payments).toMatchObject([
      { stage: 'decided', decision: SERVED },
    ])
    for (const payment of [DECIDED, CONFIRMED, REFUSED]) {
      expect(accept(of(payment), true)).toEqual({ confirmation: of(payment), alarm, historyEntry: null })
    }
  })

  test('is kept while the payment does not count as paid, once', () => {
    const kept = { accepted: '1500', payments: [OPEN] }
    const historyEntry = expect.stringContaining('It is confirmed when it does again.')
    expect(accept(of(OPEN), false)).toEqual({ confirmation: kept, alarm, historyEntry })
    expect(accept(kept, false)).toEqual({ confirmation: kept, alarm, historyEntry: null })
    expect(accept(kept, true).confirmation).toMatchObject({
      accepted: null,
      payments: [{ stage: 'decided', decision: SERVED }],
    })
  })

  test('is kept also before a payment is heard of, as after the recovery of a backup', () => {
    const result = observe(of(), null, accepted('1500'), false)
    expect(result.confirmation).toEqual({ accepted: '1500', payments: [] })
  })

  test.each<[string, received: string, PaymentConfirmation[], PaymentStatus[], decided: string[]]>([
    ['what it tells of', '3000', [OPEN, about('2', OPEN)], [700, 700], ['1', '2']],
    ['what was paid after a part', '3000', [CONFIRMED, about('2', OPEN)], [700, 700], ['2']],
    ['not what came after it', '1500', [OPEN, about('2', OPEN)], [700, 700], ['1']],
    ['not what came after a part, again', '1500', [CONFIRMED, about('2', OPEN)], [700, 700], []],
    ['in the order of hearing, not of the report', '1500', [about('2', OPEN), OPEN], [700, 700], ['2']],
    ['not what only the API decides about', '1500', [{ ...OPEN, by: 'api' }], [700], []],
    ['not what took the place of a payment', '1500', [OPEN, about('2', OPEN)], [702, 700], []],
    ['what is left of two that it told of', '3000', [OPEN, about('2', OPEN)], [702, 700], ['2']],
    ['the first payment, whose amount was corrected since', '1000', [OPEN], [700], ['1']],
  ])('confirms %s', (_, received, before, payments, decided) => {
    const { confirmation } = observe(of(...before), reported(801, payments), accepted(received), true)
    const made = confirmation?.payments.filter(({ stage }) => stage === 'decided')
    expect(made?.map(trackedPayment)).toEqual(decided)
  })
})

const trackedPayment = (confirmation: PaymentConfirmation) => trackedFulfilmentOf(of(confirmation)).payment_id

describe('held money waits for a person', () => {
  const why = (payments: PaymentConfirmation[], statuses: PaymentStatus[], told: string[], isPaid = true) =>
    whyUnserved({ confirmation: of(...payments), reported: reported(801, statuses), told }, isPaid)
  const both = [CONFIRMED, about('2', OPEN)]

  test('after the merchant was told of an end, also if a part of it was confirmed', () => {
    expect(why(both, [700, 700], ['succeeded', 'refunded', 'ended'])).toContain('told of its end')
    expect(why(both, [700, 700], ['succeeded'])).toBe(null)
    expect(why([CONFIRMED], [700], ['succeeded', 'ended'])).toBe(null)
  })

  test.each<[PaymentConfirmation[], PaymentStatus[], isCalled: boolean]>([
    [[OPEN, about('2', OPEN)], [702, 700], true],
    [both, [702, 700], true],
    // Heard of before the one that went back, or decided, or after all went back, which the merchant was told.
    [[OPEN, about('2', OPEN)], [700, 705], false],
    [[CONFIRMED, about('2', DECIDED)], [702, 700], false],
    [[CONFIRMED, { ...about('2', OPEN), by: 'api' }], [702, 700], false],
  ])('that took the place of a payment which went back: %j, %j', (payments, statuses, isCalled) => {
    const reason = why(payments, statuses, ['succeeded'])
    expect(reason?.includes('another one is held') ?? false).toBe(isCalled)
  })

  test('about which the gateway has refused a decision, while it is held', () => {
    expect(why([CONFIRMED, about('2', REFUSED)], [700, 700], ['succeeded'])).toBe('Too late.')
    expect(why([CONFIRMED, about('2', REFUSED)], [700, 705], ['succeeded'])).toBe(null)
  })

  test('that was paid in full after FAILED', () => {
    expect(why([FAILED, about('2', { ...DECIDED, decision: failed })], [705, 700], [])).toContain('refused')
  })
})

test('a person who resolves a pay-in withdraws what the gateway has not answered, and which decision it was is kept', () => {
  expect(withdrawn(null)).toBe(null)
  const message = expect.stringContaining('A person resolved it')
  expect(withdrawn({ accepted: '1500', payments: [OPEN, DECIDED, CONFIRMED, REFUSED] })).toEqual(
    of({ ...OPEN, by: 'api' }, { stage: 'refused', decision, message }, CONFIRMED, REFUSED),
  )
})

describe('the answer of the gateway', () => {
  const answer = (before: PaymentConfirmation, given: GatewayAnswer) =>
    observe(of(before, about('2', CONFIRMED)), null, { kind: 'answered', answer: given })
  const beside = about('2', CONFIRMED)

  test.each([
    [CONFIRMED, 'The gateway accepted SUCCESSFUL.'],
    [REFUSED, 'Too late.'],
  ] as const)('is that about the payment that the decision names: %j', (given, historyEntry) => {
    expect(answer(DECIDED, given)).toEqual({ confirmation: of(given, beside), alarm, historyEntry })
    for (const before of [OPEN, CONFIRMED]) {
      expect(answer(before, given)).toEqual({ confirmation: of(before, beside), alarm, historyEntry: null })
    }
  })

  test('counts if the gateway takes what was withdrawn meanwhile', () => {
    expect(answer(REFUSED, CONFIRMED).confirmation).toEqual(of(CONFIRMED, beside))
  })

  test.each([failed, { ...decision, narration: 'Sold out.' }, { ...decision, payment_id: '3' }])(
    'does not count for another decision: %j',
    (other) => {
      const later = { ...DECIDED, decision: other }
      const historyEntry = expect.stringContaining('an earlier decision')
      expect(answer(later, CONFIRMED)).toEqual({ confirmation: of(later, beside), alarm, historyEntry })
    },
  )
})

test('the next decision is another one after each failure, and one without an id waits for the others', () => {
  const second = about('2', DECIDED)
  const pending = of(CONFIRMED, about(null, DECIDED), second, about('3', DECIDED))
  const next = (failures: number) => pendingIn(pending, failures)?.decision.payment_id
  expect(next(0)).toBe('2')
  expect(next(1)).toBe('3')
  expect(next(2)).toBe('2')
  expect(pendingIn(of(about(null, DECIDED)), 1)).toEqual(about(null, DECIDED))
  expect(pendingIn(of(CONFIRMED), 1)).toBe(null)
})

test('a confirmation is under way only between decision and answer', () => {
  const times = { created_at: AT, updated_at: AT }
  const settled = { reported: null, settled_at: AT, resolution: null }
  const stages = [null, of(), of(OPEN), of(CONFIRMED, about('2', DECIDED)), of(CONFIRMED), of(REFUSED)].map(
    (confirmation) => payInProgress({ confirmation, ...settled }, times, AT).stage,
  )
  expect(stages).toEqual(['settled', 'settled', 'settled', 'confirming', 'settled', 'settled'])
})

test('a refund is due when FAILED was confirmed and the money is still there', () => {
  const isDue = (confirmation: ServiceConfirmation | null, state: ReportedState | null) =>
    isRefundDue({ confirmation, reported: state })
  for (const status of [801, 802, 803] as const) {
    expect(isDue(of(FAILED), reported(status))).toBe(true)
  }

  // An excess is refused, and what it exceeds is held.
  const excess = of(CONFIRMED, about('2', FAILED))
  expect(isDue(excess, reported(801, [700, 700]))).toBe(true)
  expect(isDue(excess, { ...reported(841, [700, 705]), most: '3000' })).toBe(false)
  // The gateway lists no payment.
  expect(isDue(of(FAILED), reported(801, []))).toBe(true)

  expect(isDue(of(FAILED), reported(803, []))).toBe(false)
  expect(isDue(of(FAILED), reported(841))).toBe(false)
  expect(isDue(of(FAILED), null)).toBe(false)
  expect(isDue(null, reported(801))).toBe(false)
  expect(isDue(of(CONFIRMED), reported(801))).toBe(false)
  expect(isDue(of({ ...DECIDED, decision: failed }), reported(801))).toBe(false)
})

test.each<[PaymentConfirmation[], object]>([
  [[], { stage: 'open', status: null, narration: null, payment_id: null, message: null }],
  [[OPEN], { stage: 'open', status: null, narration: null, payment_id: null, message: null }],
  [[about('2', DECIDED), FAILED], { stage: 'decided', ...decision, payment_id: '2', message: null }],
  [[CONFIRMED, about('2', OPEN)], { stage: 'confirmed', ...decision, message: 'Taken.' }],
  [[FAILED, about('2', REFUSED)], { stage: 'refused', ...decision, payment_id: '2', message: 'Too late.' }],
])('the merchant sees of %j the stage, the decision and the words of the gateway', (payments, shown) => {
  expect(trackedFulfilmentOf(of(...payments))).toEqual(shown)
})

/** Returns the confirmations of the payments after a report. */
const after = (
  payments: PaymentConfirmation[],
  state: ReportedState,
  before: ReportedState | null = null,
  resolution: Resolution | null = null,
) => confirmationAfter({ confirmation: of(...payments), reported: before, resolution }, state, AT)?.payments

describe('the payments after a report', () => {
  const RESOLVED = { says: 'paid', by: 'Asha', note: '', at: AT } as const

  test('are those that were ever held, in the order in which they were heard of', () => {
    expect(after([], reported(803, [701]))).toEqual([])
    expect(after([], reported(801, [701, 700, 700]))).toEqual([about('2', OPEN), about('3', OPEN)])
    const second = about('2', CONFIRMED)
    expect(after([second], reported(801, [700, 700]))).toEqual([second, OPEN])
    expect(after([CONFIRMED], reported(801, [702, 700]))).toEqual([CONFIRMED, about('2', OPEN)])
    expect(after([OPEN], reported(840, [702]))).toEqual([OPEN])
  })

  test('wait for the API if they come after all went back, or after a person has resolved the pay-in', () => {
    const waiting = { ...about('2', OPEN), by: 'api' }
    const back = reported(840, [702])
    expect(after([CONFIRMED], reported(801, [702, 700]), back)).toEqual([CONFIRMED, waiting])
    expect(after([CONFIRMED], reported(801, [700, 700]), null, RESOLVED)).toEqual([CONFIRMED, waiting])
  })

  test('have a new id if the gateway lists them under none, or another one, and nothing went back', () => {
    expect(after([about(null, DECIDED)], reported(801, [701]))).toEqual([about(null, DECIDED)])
    expect(after([about(null, DECIDED)], reported(801))).toEqual([DECIDED])
    expect(after([about('another', CONFIRMED)], reported(801))).toEqual([CONFIRMED])
    const before = named(reported(801), 'another')
    expect(after([about('another', CONFIRMED)], reported(801, [700, 700]), before)).toEqual([
      CONFIRMED,
      about('2', OPEN),
    ])
    // What a nameless payment was worth is what is named now: two payments of one, or one of two.
    const nameless = { ...reported(801, []), amount: '3000' }
    expect(after([about(null, DECIDED)], reported(801, [700, 700]), nameless)).toEqual([
      DECIDED,
      about('2', DECIDED),
    ])
    expect(after([about(null, DECIDED)], reported(801, [700, 700]), { ...nameless, amount: '1500' })).toEqual(
      [DECIDED, about('2', OPEN)],
    )
    const back = reported(840, [])
    expect(after([about('another', CONFIRMED)], reported(801), back)).toEqual([
      about('another', CONFIRMED),
      { ...OPEN, by: 'api' },
    ])
  })

  test('keep their ids if another payment takes their place, or has another amount', () => {
    const lost = about('another', CONFIRMED)
    const before = named(reported(801), 'another')
    const returned = { ...reported(801), before_return: ['another'] }
    expect(after([lost], returned, before)).toEqual([lost, OPEN])
    const part = reported(801, [700]).payments.map((each) => ({ ...each, amount: '40' }))
    expect(after([lost], { ...reported(801), payments: part }, before)).toEqual([lost, OPEN])
  })

  test('without a name stand beside those with one', () => {
    const both = reported(801, [700, 700])
    const [first, second] = both.payments
    const half = { ...both, payments: [first!, { ...second!, payment_id: null }] }
    expect(after([], half)).toEqual([OPEN, about(null, OPEN)])
    const unnamed = about(null, DECIDED)
    expect(after([unnamed], half, reported(801, []))).toEqual([unnamed, OPEN])
  })

  test('went back if all of them is returned under their ids, and not if a part is', () => {
    const listed = (returned: string) => {
      const state = reported(801, [700, 705])
      const [paid, back] = state.payments
      return { ...state, payments: [paid!, { ...back!, payment_id: '1', amount: returned }] }
    }
    expect(isRefundDue({ confirmation: of(FAILED), reported: listed('500') })).toBe(true)
    expect(isRefundDue({ confirmation: of(FAILED), reported: listed('1500') })).toBe(false)
  })

  test('without a name are one', () => {
    const unnamed = [about(null, OPEN)]
    expect(after([], reported(801, []))).toEqual(unnamed)
    expect(after(unnamed, reported(801, []))).toEqual(unnamed)
    expect(after([CONFIRMED], reported(801, []))).toEqual([CONFIRMED])
  })

  test('are refused as the first one was, unless a person has resolved the pay-in', () => {
    const next = { stage: 'decided', decision: { ...failed, payment_id: '2' }, decided_at: AT }
    expect(after([FAILED], reported(801, [700, 700]))).toEqual([FAILED, next])
    expect(after([FAILED], reported(801, [705, 700]))).toEqual([FAILED, next])
    expect(after([FAILED], reported(801, [700, 700]), null, RESOLVED)).toMatchObject([{}, { stage: 'open' }])
    // An excess was refused, and the service provided.
    const excess = [CONFIRMED, about('2', FAILED)]
    expect(after(excess, reported(801, [700, 705, 700]))).toEqual([...excess, about('3', OPEN)])
  })

  test('are not those that count for another transaction, also after FAILED', () => {
    const both = reported(801, [700, 700])
    const [own, other] = both.payments.map((payment, index) =>
      index === 0 ? payment : { ...payment, counted_for: 'C-9' },
    )
    const before = { confirmation: of(FAILED), reported: reported(802), resolution: null }
    const after = confirmationAfter(before, { ...both, payments: [own!, other!] }, AT)
    expect(after?.payments).toEqual([FAILED])
    const unheard = { confirmation: of(), reported: null, resolution: null }
    expect(confirmationAfter(unheard, { ...both, payments: [other!] }, AT)?.payments).toEqual([])
  })

  test('that went back are not decided any more', () => {
    const gone = { stage: 'refused', decision, message: expect.stringContaining('went back') }
    expect(after([DECIDED], reported(801, [702, 700]))).toEqual([gone, about('2', OPEN)])
    expect(after([DECIDED], reported(840, []))).toEqual([gone])
    expect(after([CONFIRMED], reported(840, []))).toEqual([CONFIRMED])
  })
})

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

  test('waits while the gateway has not named the payment', async () => {
    await expect(send(unnamed, async () => '')).rejects.toThrow('named no payment to confirm')
  })

  test('stays unchanged when the response is lost', async () => {
    const lost = new GatewayError('gateway_timeout', 'No answer.')
    await expect(send(decision, () => Promise.reject(lost))).rejects.toBe(lost)
  })
})

describe('whatever is reported, decided and accepted, in whichever order,', () => {
  const STORIES = 1_000
  const UNDOUBTED = { alarm: null, resolution: null }
  const decidedAs = (status: 'SUCCESSFUL' | 'FAILED') =>
    ({ kind: 'decided', decision: { status, narration: 'Said.' } }) as const

  /** Returns a report of up to three payments, each of which may be held, have gone back or have failed. */
  function randomReport(random: SeededRandom, before: ReportedState | null): ReportedState {
    const count = random.between(before?.payments.length ?? 1, 3)
    const statuses = Array.from({ length: count }, () => random.pick([700, 700, 702, 705, 701] as const))
    const state = reported(801, statuses)
    return {
      ...state,
      // The total states nothing, and the payments may be listed by the date of their last change.
      amount: '0',
      payments: random.happens(0.5) ? state.payments.toReversed() : state.payments,
    }
  }

  /** Tells a story. Returns its last state, and what the merchant said and the gateway took. */
  function tell(seed: number) {
    const random = createSeededRandom(seed)
    let state = { confirmation: of(), reported: null as ReportedState | null }
    const taken: Decision[] = []
    const sums = ['0']
    let hasRefused = false

    const apply = (observation: Confirming) => {
      const { record } = transitionConfirmation({ ...state, ...UNDOUBTED }, observation, true, AT)
      state = { ...state, confirmation: record.confirmation }
    }

    for (let step = 0; step < 14; step++) {
      const pending = pendingIn(state.confirmation)
      const letter = random.pick(['report', 'report', 'accept', 'decide', 'take', 'take'])
      if (letter === 'report') {
        const heard = randomReport(random, state.reported)
        const confirmation = confirmationAfter({ ...state, resolution: null }, heard, AT)
        state = { confirmation: confirmation ?? of(), reported: heard }
        sums.push(moneyOf(heard).received)
      } else if (letter === 'accept') {
        apply(accepted(random.pick(sums)))
      } else if (letter === 'decide') {
        const status = random.pick(['SUCCESSFUL', 'FAILED'] as const)
        hasRefused ||= status === 'FAILED'
        apply(decidedAs(status))
      } else if (pending) {
        taken.push(pending.decision)
        apply({
          kind: 'answered',
          answer: { stage: 'confirmed', decision: pending.decision, message: null },
        })
      }
    }

    return { state, taken, hasRefused }
  }

  test('the gateway takes one decision about a payment, and FAILED only if the merchant said so', () => {
    for (let seed = 0; seed < STORIES; seed++) {
      const { taken, hasRefused } = tell(seed)
      const ids = taken.map(({ payment_id }) => payment_id)
      expect(new Set(ids).size, `story ${seed}`).toBe(ids.length)
      if (!hasRefused) {
        expect(
          taken.filter(({ status }) => status === 'FAILED'),
          `story ${seed}`,
        ).toEqual([])
      }
    }
  })

  test('a held payment is decided, or can be', () => {
    for (let seed = 0; seed < STORIES; seed++) {
      const { state } = tell(seed)
      const before = { ...state, ...UNDOUBTED }
      const { record } = transitionConfirmation(before, decidedAs('SUCCESSFUL'), true, AT)
      const open = record.confirmation.payments.filter((each) => each.stage === 'open')
      expect(
        open.filter((each) => isAboutHeld(each, state.reported)),
        `story ${seed}`,
      ).toEqual([])
      const known = record.confirmation.payments.map(paymentOf)
      const held = state.reported === null ? [] : heldIn(state.reported)
      expect(known, `story ${seed}`).toEqual(expect.arrayContaining(held))
    }
  })
})
