/**
 * Answers one question: what does a reported state say about the payer's money? Pure.
 *
 * The outcome, a new attempt of an order, the view, the service confirmation and pruning ask {@link moneyOf} and nothing
 * else.
 */

import type { PaymentOutcome } from '../api/view.ts'
import type { PaymentStatus } from '../contract/status.ts'
import type { Payment, ReportedState } from './reported-state.ts'
import { compare, sum } from '../contract/decimal.ts'

export interface Money {
  /** The amount that the gateway holds: decimal text in major units of the reported currency. */
  received: string
  /** Whether a payment waits for the payer or the operator, or is stuck at the operator. */
  in_flight: boolean
  /** Whether the gateway says that the money was reversed or refunded. */
  returned: boolean
  /** Whether the gateway reports money that cannot be read. */
  unreadable: boolean
}

/** The outcome of a payment for each payment status. [spec: Payment status inside checkout payment records] */
export const PAYMENT_OUTCOME = {
  700: 'successful',
  701: 'failed',
  702: 'reversed',
  703: 'waiting',
  704: 'jammed',
  705: 'refunded',
  706: 'waiting',
  707: 'waiting',
  708: 'waiting',
} as const satisfies Record<PaymentStatus, PaymentOutcome>

/**
 * Returns what a report says about money. The stated total counts as well as the payment records: what either of them
 * shows is money, whatever the status says. If the total is 0, the successful payments are what was received.
 *
 * [assumed] After a reversal or a refund, the total is what is left. If it equals the sum of the returned payments, it is
 * what was received before.
 */
export function moneyOf(reported: ReportedState | null): Money {
  if (reported === null) return { received: '0', in_flight: false, returned: false, unreadable: false }
  const { status, amount } = reported
  const successful = paymentsOf(reported, 'successful')
  const returned = status === 840 || status === 841
  const isGone = returned && compare(amount, sumOf(paymentsOf(reported, 'reversed', 'refunded'))) === 0
  const received = compare(amount, '0') > 0 && !isGone ? amount : sumOf(successful)
  const isClaimed = status === 801 || status === 802 || successful.length > 0
  return {
    received,
    in_flight: status === 850 || status === 851 || paymentsOf(reported, 'waiting', 'jammed').length > 0,
    returned,
    unreadable: reported.unreadable > 0 || (isClaimed && compare(received, '0') <= 0),
  }
}

/** Returns whether the gateway holds money, or reports money that cannot be read. */
export function isReceived({ received, unreadable }: Money): boolean {
  return unreadable || compare(received, '0') > 0
}

/** Returns whether the gateway holds or moves money, or reports money that cannot be read. */
export function hasMoney(money: Money): boolean {
  return money.in_flight || isReceived(money)
}

/** Returns the payments with one of these outcomes, in the order of the report. */
export function paymentsOf({ payments }: ReportedState, ...outcomes: PaymentOutcome[]): Payment[] {
  return payments.filter(({ payment_status }) => outcomes.includes(PAYMENT_OUTCOME[payment_status]))
}

export function sumOf(payments: readonly Payment[]): string {
  return sum(payments.map(({ amount }) => amount))
}
