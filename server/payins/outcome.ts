/**
 * What a report means for the requested terms, and how it differs from them. The codes of statuses are those of
 * `contract/status.ts`. Pure.
 */

import { compare } from '../contract/decimal.ts'
import { contradicts } from '../contract/fields.ts'
import { PAYMENT_STATUS } from '../contract/status.ts'
import { DAY, REPORT_LAG_MS } from '../transactions/schedule.ts'
import { idOf, paymentsOf, sumOf } from './payment.ts'
import { isReceived, moneyOf } from './reported-money.ts'

import type { Discrepancy, Outcome } from '../api/view.ts'
import type { Payment } from './payment.ts'
import type { ReportedState } from './reported-state.ts'

export interface PayInOutcome {
  outcome: Outcome
  settled: boolean
  discrepancy: Discrepancy | null
}

/** The requested terms and the session, with which a reported state is compared. */
interface PayInTerms {
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
 * The time from the session's expiry until a pay-in with a payment in flight ends as `review`, in milliseconds.
 * [assumed] The operator completes each payment within this time.
 */
export const LONGEST_IN_FLIGHT_MS = DAY

/**
 * Returns what a reported state means. The outcome is `paid` only if the gateway reports status 801 and the reported
 * payments match the requested terms; a larger amount is accepted. It stays `paid` if only a part went back (840, 841), and
 * what is left covers the requested amount [assumed]. It is `partial` only if the gateway reports status
 * 802 and the payments match, except that they cover a part of the amount. Money that is received or cannot be read is
 * never `unpaid` or `expired`: the outcome is `review`, and a person looks.
 *
 * The spec does not say when a status is final. [assumed] An unpaid (803) or partly paid (802) pay-in is settled only
 * {@link REPORT_LAG_MS} after its session has expired, because the gateway then has reported every payment that was made
 * before expiry; an expired one (820) once the gateway has said so for as long; with money in flight, up to
 * {@link LONGEST_IN_FLIGHT_MS} later.
 */
export function determinePayInOutcome(reported: ReportedState, terms: PayInTerms): PayInOutcome {
  const { status, payments } = reported
  const money = moneyOf(reported)
  const { in_flight } = money
  // After this time, nothing that was paid in the session is still unreported.
  const isPast = reported.at - terms.expires_at >= (in_flight ? LONGEST_IN_FLIGHT_MS : REPORT_LAG_MS)
  const isOver = isPast || (terms.is_prompt && payments.length > 0 && !in_flight)
  switch (status) {
    case 801: {
      const discrepancy = findDiscrepancy(reported, terms)
      return { outcome: isEnough(discrepancy) ? 'paid' : 'review', settled: true, discrepancy }
    }
    case 802: {
      const discrepancy = findDiscrepancy(reported, terms)
      const isUnclear = in_flight || money.unreadable
      // While the session is open, the shopper can still pay.
      if (discrepancy === 'short' && !(isOver && isUnclear)) {
        return payInOutcome('partial', isOver)
      }
      return { outcome: isOver ? 'review' : 'partial', settled: isOver, discrepancy: discrepancy ?? 'amount' }
    }
    case 803:
    case 820: {
      // When the gateway says that a session has ended, the payment of its last minute may be unreported, whatever end it
      // named before. A prompt ends when the payer is no longer asked.
      const isUnasked = terms.is_prompt && reported.at < terms.expires_at
      const isSeen = reported.at - reported.since >= REPORT_LAG_MS
      const isEnded = isPast || (status === 820 && !in_flight && (isUnasked || isSeen))
      if (isReceived(money)) {
        return { outcome: 'review', settled: isEnded, discrepancy: 'amount' }
      }
      if (in_flight && isPast) {
        return payInOutcome('review', true)
      }
      if (status === 820 && isEnded) {
        return payInOutcome('expired', true)
      }
      if (status === 820) {
        return payInOutcome(in_flight ? 'pending' : 'waiting', false)
      }
      if (isOver) {
        return payInOutcome('unpaid', true)
      }

      return payInOutcome(
        payments.at(-1)?.payment_status === PAYMENT_STATUS.failed ? 'unpaid' : 'waiting',
        false,
      )
    }
    case 840:
    case 841: {
      const discrepancy = findOtherTerm(reported, terms) ?? compareAmounts(money.received, terms.amount)
      if (!money.returned && money.unreadable) {
        return { outcome: 'review', settled: true, discrepancy: 'amount' }
      }
      if (!money.returned && isEnough(discrepancy)) {
        return { outcome: 'paid', settled: true, discrepancy }
      }
      // The payer pays again.
      if (in_flight) {
        return payInOutcome(isPast ? 'review' : 'pending', isPast)
      }
      return payInOutcome(status === 840 ? 'reversed' : 'refunded', true)
    }
    case 850:
      return isPast ? payInOutcome('review', true) : payInOutcome('jammed', false)
    case 851:
      return isPast ? payInOutcome('review', true) : payInOutcome('pending', false)
  }
}

/** Returns an outcome without a discrepancy. */
export function payInOutcome(outcome: Outcome, settled: boolean): PayInOutcome {
  return { outcome, settled, discrepancy: null }
}

/**
 * Returns the most serious difference between the payments that the gateway reported and the requested terms; `null` if
 * there is no difference.
 */
function findDiscrepancy(reported: ReportedState, requested: PayInTerms): Discrepancy | null {
  return findOtherTerm(reported, requested) ?? findAmountDiscrepancy(reported, requested)
}

/** Returns the most serious difference in another term than the amount; `null` if there is none. */
function findOtherTerm(reported: ReportedState, requested: PayInTerms): Discrepancy | null {
  const received = paymentsOf(reported, 'successful')
  if (contradicts(reported.checkout_reference, requested.checkout_reference)) {
    return 'reference'
  }
  if (received.some((payment) => contradicts(payment.external_reference, requested.reference))) {
    return 'reference'
  }
  if (contradicts(reported.currency, requested.currency)) {
    return 'currency'
  }
  if (received.some((payment) => contradicts(payment.currency_code, requested.currency))) {
    return 'currency'
  }
  if (received.some((payment) => contradicts(payment.account_number, requested.account_number))) {
    return 'account'
  }
  if (received.some((payment) => contradicts(payment.service_code, requested.service_code))) {
    return 'service'
  }
  return null
}

function findAmountDiscrepancy(reported: ReportedState, requested: PayInTerms): Discrepancy | null {
  const received = paymentsOf(reported, 'successful')
  if (mayBeOne(received) || received.some(({ amount }) => compare(amount, '0') <= 0)) {
    return 'amount'
  }

  // A payment that is also listed as failed, reversed or refunded may not have been made, or have been returned.
  const ids = new Set(received.map(idOf))
  const others = paymentsOf(reported, 'failed', 'reversed', 'refunded')
  if (others.some((payment) => payment.payment_id !== null && ids.has(idOf(payment)))) {
    return 'amount'
  }

  const total = sumOf(received)
  // A total of 0 states nothing: the payments are what was received, unless there is none, or there may be others.
  const isStated = compare(reported.amount, '0') !== 0
  const isUnknown = reported.unreadable > 0 || received.length === 0
  if (isStated ? compare(total, moneyOf(reported).received) !== 0 : isUnknown) {
    return 'amount'
  }
  return compareAmounts(total, requested.amount)
}

function compareAmounts(held: string, requested: string): Discrepancy | null {
  const order = compare(held, requested)
  if (order < 0) {
    return 'short'
  }
  return order > 0 ? 'excess' : null
}

function isEnough(discrepancy: Discrepancy | null): boolean {
  return discrepancy === null || discrepancy === 'excess'
}

/**
 * Returns whether several records may describe a single payment: they have one id, no id, or one reference of the
 * operator's.
 */
function mayBeOne(payments: readonly Payment[]): boolean {
  const references = payments.flatMap(({ same_reference_as: place }) => (place === null ? [] : [place]))
  return hasRepetition(payments.map(idOf)) || hasRepetition(references)
}

function hasRepetition(values: readonly (string | number | null)[]): boolean {
  return new Set(values).size < values.length
}
