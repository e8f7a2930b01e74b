/**
 * Computes the outcome of a pay-in from its reported state and the requested terms. Pure.
 *
 * The outcome is `paid` only if the gateway reports status 801 and the reported payments match the requested terms. A
 * larger amount than requested is accepted. The outcome is `partial` only if the gateway reports status 802 and the
 * payments match, except that they cover only a part of the amount. The spec lists the status codes, but does not say
 * when a status is final. [assumed] An unpaid (803) or partly paid (802) pay-in is settled only after its session has
 * expired. While the operator is still processing a payment, an unpaid, partly paid or expired (820) pay-in stays
 * unsettled, at most until 24 hours after the session's expiry.
 */

import type { PaymentStatus } from '../contract/status.ts'
import type { Discrepancy, Outcome, PaymentOutcome } from '../api/view.ts'
import type { Payment, ReportedState } from './reported-state.ts'
import { compare, sum } from '../contract/decimal.ts'

export interface PayInOutcome {
  outcome: Outcome
  settled: boolean
  discrepancy: Discrepancy | null
}

/** The requested terms and the session, with which a reported state is compared. */
export interface PayInTerms {
  /** The requested amount: decimal text in major units of `currency`. */
  amount: string
  currency: string
  account_number: string
  service_code: string
  reference: string
  /** The gateway's reference for the session; `null` if the gateway has not reported a reference for the session. */
  checkout_reference: string | null
  /** When the session expires, in milliseconds since the Unix epoch; `null` if unknown. */
  expires_at: number | null
  /**
   * Whether the gateway prompts the payer, without a hosted page. [assumed] The gateway prompts the payer only once, so
   * the payer's answer ends the pay-in.
   */
  is_prompt?: boolean
}

/**
 * The time from the session's expiry until an unpaid or partly paid pay-in is settled, in milliseconds. [assumed]
 * Within this time, the gateway reports every payment that was made before expiry.
 */
export const EXPIRY_GRACE_MS = 2 * 60_000
/**
 * Milliseconds from the session's expiry until an unpaid or partly paid pay-in is settled even if a payment is in
 * flight (see {@link isInFlight}). [assumed] The operator completes each payment within this time.
 */
const LONGEST_IN_FLIGHT_MS = 24 * 3_600_000

export function determinePayInOutcome(reported: ReportedState, terms: PayInTerms): PayInOutcome {
  switch (reported.status) {
    case 801: {
      const discrepancy = findDiscrepancy(reported, terms)
      const agrees = discrepancy === null || discrepancy === 'excess'
      return { outcome: agrees ? 'paid' : 'review', settled: true, discrepancy }
    }
    case 802: {
      const settled = isOver(reported, terms)
      const discrepancy = findDiscrepancy(reported, terms)
      if (discrepancy === 'short') return payInOutcome('partial', settled)
      // While the session is open, the shopper can still pay.
      return { outcome: settled ? 'review' : 'partial', settled, discrepancy: discrepancy ?? 'amount' }
    }
    case 803:
      if (isOver(reported, terms)) return payInOutcome('unpaid', true)
      return payInOutcome(latestPayment(reported)?.status === 701 ? 'unpaid' : 'waiting', false)
    case 820: {
      const isLost = !isInFlight(reported) || isOver(reported, terms)
      return isLost ? payInOutcome('expired', true) : payInOutcome('pending', false)
    }
    case 840:
      return payInOutcome('reversed', true)
    case 841:
      return payInOutcome('refunded', true)
    case 850:
      return payInOutcome('jammed', false)
    case 851:
      return payInOutcome('pending', false)
  }
}

export function payInOutcome(outcome: Outcome, settled: boolean): PayInOutcome {
  return { outcome, settled, discrepancy: null }
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
 * Returns whether any payment is in flight: the payment waits for the payer or the operator, or is stuck at the
 * operator. [assumed] If `status` is 803 (unpaid) or 820 (expired), a successful payment is in flight too, because
 * `status` does not include this payment yet.
 */
export function isInFlight({ status, payments }: ReportedState): boolean {
  const open: PaymentOutcome[] = ['waiting', 'jammed']
  if (status === 803 || status === 820) open.push('successful')
  return payments.some((payment) => open.includes(PAYMENT_OUTCOME[payment.status]))
}

/** Returns whether the gateway reports that the payer paid, or that a payment is in flight. */
export function showsMoney(reported: ReportedState): boolean {
  return (reported.status !== 803 && reported.status !== 820) || isInFlight(reported)
}

/**
 * Returns whether the gateway was queried late enough for a final outcome: at least two minutes after the session's
 * expiry or, if a payment is in flight, at least 24 hours after the session's expiry. Returns `false` if the time of
 * expiry is unknown. A prompt is also over once the payer has answered it.
 */
function isOver(reported: ReportedState, { expires_at, is_prompt = false }: PayInTerms): boolean {
  if (is_prompt && reported.payments.length > 0 && !isInFlight(reported)) return true
  if (expires_at === null) return false
  return reported.at - expires_at >= (isInFlight(reported) ? LONGEST_IN_FLIGHT_MS : EXPIRY_GRACE_MS)
}

/**
 * Returns the latest payment; `undefined` if there is none. [assumed] The gateway lists payments in order of time. If
 * the dates of the payments show another order, the dates decide.
 */
function latestPayment(reported: ReportedState): Payment | undefined {
  return reported.payments.reduce<Payment | undefined>((latest, payment) => {
    const isEarlier = latest?.paid_at && payment.paid_at && payment.paid_at < latest.paid_at
    return isEarlier ? latest : payment
  }, undefined)
}

/**
 * Returns the most serious difference between the payments that the gateway reported and the requested terms; `null` if
 * there is no difference.
 */
function findDiscrepancy(reported: ReportedState, requested: PayInTerms): Discrepancy | null {
  const received = reported.payments.filter((payment) => payment.status === 700)
  const differs = (found: string | null, expected: string | null) =>
    found !== null && expected !== null && found !== expected

  if (differs(reported.checkout_reference, requested.checkout_reference)) return 'reference'
  if (received.some((payment) => differs(payment.external_reference, requested.reference))) return 'reference'
  if (reported.currency !== requested.currency) return 'currency'
  if (received.some((payment) => differs(payment.currency, requested.currency))) return 'currency'
  if (received.some((payment) => differs(payment.account_number, requested.account_number))) return 'account'
  if (received.some((payment) => differs(payment.service_code, requested.service_code))) return 'service'

  // Two records with equal ids, or without ids, may describe a single payment.
  const ids = new Set(received.map(({ payment_id }) => payment_id))
  if (ids.size < received.length || received.some(({ amount }) => compare(amount, '0') <= 0)) return 'amount'
  // A payment that is also listed as reversed or refunded may have been returned to the shopper.
  const returned = reported.payments.filter(({ status }) => status === 702 || status === 705)
  if (returned.some(({ payment_id }) => payment_id !== null && ids.has(payment_id))) return 'amount'
  const total = sum(received.map((payment) => payment.amount))
  if (compare(total, reported.amount) !== 0) return 'amount'
  const order = compare(total, requested.amount)
  return order < 0 ? 'short' : order > 0 ? 'excess' : null
}
