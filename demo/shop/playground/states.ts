// The situations of the playground: for each state of the element, what leads to it and what the payment server
// answers.

import { FAILURE_REASONS } from '../../../server/contract/failure-reason.ts'

import type { ProblemCode } from '../../../server/api/problem-codes.ts'
import type { CheckoutView, FailureReason, PaymentView } from '../../../server/api/view.ts'
import type { CheckoutState } from '../../../widget/state/state.ts'

/** A response of the simulated BFF. `broken`: the connection fails. `silent`: no response arrives. */
export type Answer = { view: Partial<CheckoutView> } | { problem: Refusal } | 'broken' | 'silent'

export interface Refusal {
  status: number
  code: ProblemCode
  retryable?: boolean
  errors?: { path: string }[]
}

export interface Situation {
  /** What starts the element: nothing but its creation, the press of its button, or the id of a checkout. */
  by: 'itself' | 'press' | 'checkout-id'
  /** The phone number that is typed into the form. */
  types?: string
  /** Whether the form is submitted as it is. */
  submits?: true
  /** The attributes that the situation sets on the element; `null` removes an attribute. */
  attributes?: Record<string, string | null>
  /** The responses to the element's requests, in order. The last response is repeated. */
  answers: readonly [Answer, ...Answer[]]
  /** What becomes of the pop-up; by default, it stays open. */
  popup?: 'blocked' | 'closed'
  /** Whether the device is offline after the first response. */
  isOffline?: true
}

/** The attributes of a shopper whom the shop knows. */
export const PAYER = {
  'payer-name': 'Asha Mwangi',
  'payer-email': 'asha@example.com',
  'payer-msisdn': '+254700000001',
}

const NO_PAYER = { 'payer-name': null, 'payer-email': null, 'payer-msisdn': null }
const PAID_AT = '2026-03-02T09:24:00Z'

const NEW_CHECKOUT: Answer = { view: {} }
const PART_PAID = received(802, 'partial', '600')
const failed = (reason: FailureReason) => tried(803, 'unpaid', { ...payment(701, 'failed'), reason })

/** The attribute of a tag that asks the payer on the phone. */
const BY_PROMPT = { method: 'prompt' }
/** What such a checkout says of its prompt. */
const PROMPT = {
  method: 'MOMO_KEN',
  methods: [
    { code: 'MOMO_KEN', name: 'MoMo', dial: '*334#' },
    { code: 'WAVELET_KEN', name: 'Wavelet' },
  ],
}
const ASKED_LONG_AGO = '2026-03-02T09:24:30Z'

/** What the element shows in each state, by the name of the situation that leads to it. */
export const STATES: Record<CheckoutState, Record<string, Situation>> = {
  idle: {
    ready: { by: 'itself', answers: [NEW_CHECKOUT] },
    disabled: { by: 'itself', attributes: { disabled: '' }, answers: [NEW_CHECKOUT] },
  },
  details: {
    nobody: { by: 'press', attributes: NO_PAYER, answers: [NEW_CHECKOUT] },
    mistaken: { by: 'press', attributes: NO_PAYER, submits: true, answers: [NEW_CHECKOUT] },
    phone: { by: 'press', attributes: { 'payer-msisdn': null }, answers: [NEW_CHECKOUT] },
    operator: {
      by: 'press',
      attributes: { ...BY_PROMPT, 'payer-msisdn': null },
      types: '+254 700 000',
      answers: [NEW_CHECKOUT],
    },
    away: {
      by: 'press',
      attributes: { ...BY_PROMPT, 'payer-msisdn': null },
      types: '+254 730 000',
      answers: [NEW_CHECKOUT],
    },
    refused: {
      by: 'press',
      attributes: { 'payer-msisdn': '+254 70 000' },
      answers: [{ problem: { status: 422, code: 'invalid_request', errors: [{ path: 'payer_msisdn' }] } }],
    },
  },
  starting: { asked: { by: 'press', answers: ['silent'] } },
  blocked: { popup: { by: 'press', popup: 'blocked', answers: [NEW_CHECKOUT] } },
  waiting: {
    away: { by: 'checkout-id', answers: [NEW_CHECKOUT] },
    open: { by: 'press', answers: [NEW_CHECKOUT] },
    closed: { by: 'press', popup: 'closed', answers: [NEW_CHECKOUT] },
    prompted: open(tried(803, 'waiting', payment(703, 'waiting'))),
    checking: { by: 'checkout-id', answers: ['silent'] },
    offline: { by: 'checkout-id', isOffline: true, answers: [NEW_CHECKOUT] },
    trouble: {
      by: 'checkout-id',
      answers: [NEW_CHECKOUT, { problem: { status: 503, code: 'store_unavailable', retryable: true } }],
    },
    test: open({ environment: 'sandbox' }),
    pin: byPrompt(open({ prompt: PROMPT })),
    unanswered: byPrompt(open({ prompt: PROMPT, updated_at: ASKED_LONG_AGO })),
  },
  paid: {
    full: ended(received(801, 'paid')),
    excess: ended({ ...received(801, 'paid', '1700'), discrepancy: 'excess' }),
    test: ended({ ...received(801, 'paid'), environment: 'sandbox' }),
  },
  partial: { open: open(PART_PAID), ended: ended(PART_PAID) },
  unpaid: {
    open: open(failed('unknown')),
    ended: ended({ ...failed('unknown'), expires_at: PAID_AT }),
    ...Object.fromEntries(FAILURE_REASONS.map((reason) => [reason, ended(failed(reason))])),
    prompt: byPrompt(ended({ ...failed('wrong_pin'), prompt: PROMPT })),
    prompt_poor: byPrompt(ended({ ...failed('not_enough_money'), prompt: PROMPT })),
    prompt_away: byPrompt(ended({ ...failed('operator_unavailable'), prompt: PROMPT })),
  },
  expired: { session: ended({ status: 820, outcome: 'expired' }) },
  reversed: { taken: ended(tried(840, 'reversed', payment(702, 'reversed'))) },
  refunded: { given: ended(tried(841, 'refunded', payment(705, 'refunded'))) },
  jammed: { held: open(tried(850, 'jammed', payment(704, 'jammed'))) },
  pending: { coming: open(tried(851, 'pending', payment(703, 'waiting'))) },
  review: {
    short: contradicted('short', '1400'),
    amount: contradicted('amount'),
    currency: contradicted('currency'),
    account: contradicted('account'),
    reference: contradicted('reference'),
  },
  error: {
    network: { by: 'press', answers: ['broken'] },
    unavailable: refused({ status: 503, code: 'gateway_unavailable', retryable: true }),
    unknown: refused({ status: 404, code: 'order_unknown' }),
    expired: refused({ status: 409, code: 'order_expired' }),
    closed: refused({ status: 409, code: 'order_not_payable' }),
    changed: refused({ status: 409, code: 'order_changed' }),
    refused: refused({ status: 502, code: 'gateway_refused' }),
    origin: refused({ status: 403, code: 'origin_not_allowed' }),
    checkout: { by: 'checkout-id', answers: [{ problem: { status: 404, code: 'unknown_checkout' } }] },
    tag: { by: 'press', attributes: { order: null }, answers: ['silent'] },
  },
}

/** Every situation under the name of its state and its own, such as "paid.full". */
export const SITUATIONS: ReadonlyMap<string, Situation> = new Map(
  Object.entries(STATES).flatMap(([state, situations]) =>
    Object.entries(situations).map(([name, situation]) => [`${state}.${name}`, situation]),
  ),
)

function open(view: Partial<CheckoutView>): Situation {
  return { by: 'checkout-id', answers: [{ view }] }
}

function byPrompt(situation: Situation): Situation {
  return { ...situation, attributes: BY_PROMPT }
}

function ended(view: Partial<CheckoutView>): Situation {
  return open({ ...view, settled: true })
}

function contradicted(discrepancy: NonNullable<CheckoutView['discrepancy']>, paid?: string): Situation {
  return ended({ ...received(801, 'review', paid), discrepancy })
}

function refused(problem: Refusal): Situation {
  return { by: 'press', answers: [{ problem }] }
}

/** The view of a checkout after a payment of this amount. */
function received(status: CheckoutView['status'], outcome: CheckoutView['outcome'], amount = '1500') {
  return { ...tried(status, outcome, payment(700, 'successful', amount)), amount_paid: amount }
}

/** The view of a checkout after one payment record. */
function tried(status: CheckoutView['status'], outcome: CheckoutView['outcome'], last: PaymentView) {
  return { status, outcome, payments: [last] }
}

function payment(status: PaymentView['status'], outcome: PaymentView['outcome'], amount = '1500') {
  const isOpen = outcome === 'waiting' || outcome === 'jammed'
  return { status, outcome, amount, currency: 'KES', method: 'M-Pesa', paid_at: isOpen ? null : PAID_AT }
}
