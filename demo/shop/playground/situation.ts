/** One way into a state of the tag: what the page gives, and what the payment server says when it is asked. */

import type { ProblemCode } from '../../../server/api/problem-codes.ts'
import type { CheckoutView, PaymentView } from '../../../server/api/view.ts'

/** What the payment server says when it is asked; `broken` is a line that breaks, `silent` one on which nothing comes. */
export type Answer = { view: Partial<CheckoutView> } | { problem: Refusal } | 'broken' | 'silent'

export interface Refusal {
  status: number
  code: ProblemCode
  retryable?: boolean
  errors?: { path: string }[]
}

export interface Situation {
  label: string
  /** What happened, in a sentence or two. */
  tells: string
  /** How the tag gets there: not at all, by a press of its button, or by taking up a checkout that exists. */
  by: 'itself' | 'press' | 'checkout-id'
  /** Whether the form is sent as soon as it opens. */
  submits?: true
  /** Attributes that this takes; `null` for one that must be missing. */
  needs?: Record<string, string | null>
  /** One for each question, and the last one for all that follow. */
  answers: readonly [Answer, ...Answer[]]
  /** What becomes of the pop-up, where that is not left to the browser. */
  popup?: 'open' | 'blocked' | 'closed'
  /** Whether the network goes when the first answer has come. */
  isOffline?: true
}

const PAID_AT = '2026-03-02T09:24:00Z'

export const KNOWN = {
  'payer-name': 'Asha Mwangi',
  'payer-email': 'asha@example.com',
  'payer-msisdn': '+254700000001',
}

/** What the gateway said of a checkout that exists. */
export function reported(
  label: string,
  tells: string,
  settled: boolean,
  view: Partial<CheckoutView>,
): Situation {
  return { label, tells, by: 'checkout-id', answers: [{ view: { ...view, settled } }] }
}

export function contradicted(
  discrepancy: NonNullable<CheckoutView['discrepancy']>,
  tells: string,
  paid?: string,
): Situation {
  return reported(discrepancy, tells, true, { ...received(801, 'review', paid), discrepancy })
}

export function refused(tells: string, problem: Refusal): Situation {
  return { label: problem.code, tells, by: 'press', needs: KNOWN, popup: 'open', answers: [{ problem }] }
}

type Confirmed = Pick<CheckoutView, 'status' | 'outcome' | 'payments'>

export function received(
  status: CheckoutView['status'],
  outcome: CheckoutView['outcome'],
  amount = '1500',
): Partial<CheckoutView> {
  return { ...tried(status, outcome, payment(700, 'successful', amount)), amount_paid: amount }
}

export function tried(
  status: CheckoutView['status'],
  outcome: CheckoutView['outcome'],
  last: PaymentView,
): Confirmed {
  return { status, outcome, payments: [last] }
}

export function payment(
  status: PaymentView['status'],
  outcome: PaymentView['outcome'],
  amount = '1500',
): PaymentView {
  const isOpen = outcome === 'waiting' || outcome === 'jammed'
  return { status, outcome, amount, currency: 'KES', method: 'M-Pesa', paid_at: isOpen ? null : PAID_AT }
}
