import type { ProblemCode } from '../../../server/api/problem-codes.ts'
import type { CheckoutView, PaymentView } from '../../../server/api/view.ts'

/** A response of the simulated BFF. `broken`: the connection fails. `silent`: no response arrives. */
export type Answer = { view: Partial<CheckoutView> } | { problem: Refusal } | 'broken' | 'silent'

export interface Refusal {
  status: number
  code: ProblemCode
  retryable?: boolean
  errors?: { path: string }[]
}

export interface Situation {
  label: string
  tells: string
  by: 'itself' | 'press' | 'checkout-id'
  submits?: true
  /** The attributes that the situation sets on the element; `null` removes an attribute. */
  needs?: Record<string, string | null>
  /**
   * The responses to the element's requests, in order. If the element sends more requests, the last response is
   * repeated.
   */
  answers: readonly [Answer, ...Answer[]]
  popup?: 'open' | 'blocked' | 'closed'
  isOffline?: true
}

const PAID_AT = '2026-03-02T09:24:00Z'

export const KNOWN = {
  'payer-name': 'Asha Mwangi',
  'payer-email': 'asha@example.com',
  'payer-msisdn': '+254700000001',
}

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
