/**
 * Computes the outcome of a pay-in from its reported state and the requested terms. Pure.
 *
 * The outcome is `paid` only if the gateway reports status 801 and the reported payments match the requested terms. A
 * larger amount than requested is accepted. The outcome is `partial` only if the gateway reports status 802 and the
 * payments match, except that they cover only a part of the amount. Money that is received or cannot be read is never
 * `unpaid` or `expired`: the outcome is `review`, and a person looks.
 *
 * The spec lists the status codes, but does not say when a status is final. [assumed] An unpaid (803) or partly paid
 * (802) pay-in is settled only after its session has expired. While money is in flight, a pay-in stays unsettled, at most
 * until 24 hours after the session's expiry. Then it ends as `review`, because the money may still arrive.
 */

import type { Discrepancy, Outcome } from '../api/view.ts'
import type { ReportedState } from './reported-state.ts'
import { compare } from '../contract/decimal.ts'
import { isReceived, moneyOf, paymentsOf, sumOf } from './reported-state.ts'

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
  /** When the session expires, in milliseconds since the Unix epoch. */
  expires_at: number
  /**
   * Whether the gateway prompts the payer, without a hosted page. [assumed] The gateway prompts the payer only once, so
   * the payer's answer ends the pay-in.
   */
  is_prompt: boolean
}

/**
 * The time from the session's expiry until a pay-in without a payment in flight is settled, in milliseconds. [assumed]
 * Within this time, the gateway reports every payment that was made before expiry.
 */
export const EXPIRY_GRACE_MS = 2 * 60_000
/**
 * Milliseconds from the session's expiry until a pay-in is settled even if a payment is in flight. [assumed] The
 * operator completes each payment within this time.
 */
export const LONGEST_IN_FLIGHT_MS = 24 * 3_600_000

export function determinePayInOutcome(reported: ReportedState, terms: PayInTerms): PayInOutcome {
  const { status, payments } = reported
  const money = moneyOf(reported)
  const { in_flight } = money
  const isPast = reported.at - terms.expires_at >= (in_flight ? LONGEST_IN_FLIGHT_MS : EXPIRY_GRACE_MS)
  const isOver = isPast || (terms.is_prompt && payments.length > 0 && !in_flight)
  switch (status) {
    case 801: {
      const discrepancy = findDiscrepancy(reported, terms)
      const agrees = discrepancy === null || discrepancy === 'excess'
      return { outcome: agrees ? 'paid' : 'review', settled: true, discrepancy }
    }
    case 802: {
      const discrepancy = findDiscrepancy(reported, terms)
      const isUnclear = in_flight || money.unreadable
      // While the session is open, the shopper can still pay.
      if (discrepancy === 'short' && !(isOver && isUnclear)) return payInOutcome('partial', isOver)
      return { outcome: isOver ? 'review' : 'partial', settled: isOver, discrepancy: discrepancy ?? 'amount' }
    }
    case 803:
    case 820: {
      const isEnded = isPast || (status === 820 && !in_flight)
      if (isReceived(money)) return { outcome: 'review', settled: isEnded, discrepancy: 'amount' }
      if (in_flight && isPast) return payInOutcome('review', true)
      if (status === 820) return isEnded ? payInOutcome('expired', true) : payInOutcome('pending', false)
      if (isOver) return payInOutcome('unpaid', true)
      return payInOutcome(payments.at(-1)?.payment_status === 701 ? 'unpaid' : 'waiting', false)
    }
    case 840:
      return payInOutcome('reversed', true)
    case 841:
      return payInOutcome('refunded', true)
    case 850:
      return isPast ? payInOutcome('review', true) : payInOutcome('jammed', false)
    case 851:
      return isPast ? payInOutcome('review', true) : payInOutcome('pending', false)
  }
}

export function payInOutcome(outcome: Outcome, settled: boolean): PayInOutcome {
  return { outcome, settled, discrepancy: null }
}

/**
 * Returns the most serious difference between the payments that the gateway reported and the requested terms; `null` if
 * there is no difference.
 */
function findDiscrepancy(reported: ReportedState, requested: PayInTerms): Discrepancy | null {
  const received = paymentsOf(reported, 'successful')
  const differs = (found: string | null, expected: string | null) =>
    found !== null && expected !== null && found !== expected

  if (differs(reported.checkout_reference, requested.checkout_reference)) return 'reference'
  if (received.some((payment) => differs(payment.external_reference, requested.reference))) return 'reference'
  if (reported.currency !== requested.currency) return 'currency'
  if (received.some((payment) => differs(payment.currency_code, requested.currency))) return 'currency'
  if (received.some((payment) => differs(payment.account_number, requested.account_number))) return 'account'
  if (received.some((payment) => differs(payment.service_code, requested.service_code))) return 'service'

  // Two records with equal ids, or without ids, may describe a single payment.
  const ids = new Set(received.map(({ payment_id }) => payment_id))
  if (ids.size < received.length || received.some(({ amount }) => compare(amount, '0') <= 0)) return 'amount'
  // A payment that is also listed as reversed or refunded may have been returned to the shopper.
  const returned = paymentsOf(reported, 'reversed', 'refunded')
  if (returned.some(({ payment_id }) => payment_id !== null && ids.has(payment_id))) return 'amount'
  const total = sumOf(received)
  if (compare(total, reported.amount) !== 0) return 'amount'
  const order = compare(total, requested.amount)
  return order < 0 ? 'short' : order > 0 ? 'excess' : null
}
