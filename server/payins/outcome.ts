/**
 * What a report means for the requested terms, how it differs from them, and whether the payer can still pay
 * ({@link canBePaid}), which is decided here alone. The codes of statuses are those of `contract/status.ts`. Pure.
 */

import { compare } from '../contract/decimal.ts'
import { CHECKOUT_STATUS, PAYMENT_STATUS } from '../contract/status.ts'
import { contradicts } from '../gateway/echo.ts'
import { DAY, REPORT_LAG_MS } from '../transactions/schedule.ts'
import { isReturn, ledgerOf, paidBeforeLeft } from './ledger.ts'
import { idOf, paymentsOf, sumOf, whyElsewhere } from './payment.ts'
import { isReceived, moneyOf, returnOf } from './reported-money.ts'

import type { Discrepancy, Outcome } from '../api/view.ts'
import type { Payment } from './payment.ts'
import type { ReportedState } from './reported-state.ts'

export interface PayInOutcome {
  outcome: Outcome
  /** Whether no other outcome is expected. Settled pay-ins are asked about less often, and then no more. */
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
 * The time from the session's expiry until a pay-in with a payment in flight ends as `review`, in milliseconds.
 * [assumed] The operator completes each payment within this time.
 */
export const LONGEST_IN_FLIGHT_MS = DAY

/**
 * Returns what a reported state means for the requested terms.
 *
 * - `paid`: the gateway reports 801, and the payments match the terms; a larger amount is accepted. [assumed] It stays
 *   `paid` if only a part went back (840, 841), and what is left covers the requested amount.
 * - `partial`: the gateway reports 802, and the payments match, except that they cover a part of the amount.
 * - `reversed` or `refunded`: all that was paid went back, by the status or by the list of payments.
 * - Never `unpaid` or `expired`, but `review`, while there is money that was received or cannot be read.
 *
 * The spec does not say when a status is final. [assumed] A pay-in is settled
 *
 * - 803 and 802: {@link REPORT_LAG_MS} after its session has expired. Until then, the gateway may still report a payment
 *   of the session's last minute;
 * - 820: once the gateway has said so for {@link REPORT_LAG_MS};
 * - with a payment in flight: {@link LONGEST_IN_FLIGHT_MS} after its session has expired.
 */
export function determinePayInOutcome(reported: ReportedState, terms: PayInTerms): PayInOutcome {
  if (!isReturn(reported.status) && moneyOf(reported).returned) {
    const returned = paymentsOf(reported, 'reversed', 'refunded')
    return payInOutcome(returnOf(reported.status, returned), hasEnded(reported, terms))
  }

  switch (reported.status) {
    case CHECKOUT_STATUS.paid:
      return outcomeOfPaid(reported, terms)
    case CHECKOUT_STATUS.partial:
      return outcomeOfPartial(reported, terms)
    case CHECKOUT_STATUS.unpaid:
      return outcomeOfUnpaid(reported, terms)
    case CHECKOUT_STATUS.expired:
      return outcomeOfExpired(reported, terms)
    case CHECKOUT_STATUS.reversed:
      return outcomeOfReturn('reversed', reported, terms)
    case CHECKOUT_STATUS.refunded:
      return outcomeOfReturn('refunded', reported, terms)
    case CHECKOUT_STATUS.jammed:
      return outcomeOfMoving('jammed', reported, terms)
    case CHECKOUT_STATUS.pending:
      return outcomeOfMoving('pending', reported, terms)
  }
}

/**
 * Returns whether the payer can still pay, as far as the gateway's latest answer says. It
 * follows from the session and its end, and not from the outcome, because a person may have resolved what was reported
 * while the page is open.
 *
 * @param reported What was last reported. Its time `at` is that of the latest answer, also if that says nothing new.
 */
export function canBePaid(reported: ReportedState, terms: PayInTerms): boolean {
  const { at, since, status, payments } = reported
  const hasAnswered = terms.is_prompt && payments.length > 0 && !moneyOf(reported).in_flight
  if (hasAnswered || at - terms.expires_at >= REPORT_LAG_MS) {
    return false
  }

  switch (status) {
    // [assumed] A return ends the session.
    case CHECKOUT_STATUS.reversed:
    case CHECKOUT_STATUS.refunded:
      return false
    // A prompt that expires before its session is not shown to the payer any more.
    case CHECKOUT_STATUS.expired:
      return at - since < REPORT_LAG_MS && !(terms.is_prompt && at < terms.expires_at)
    case CHECKOUT_STATUS.paid:
    case CHECKOUT_STATUS.partial:
    case CHECKOUT_STATUS.unpaid:
    case CHECKOUT_STATUS.jammed:
    case CHECKOUT_STATUS.pending:
      return true
  }
}

/** Returns an outcome without a discrepancy. */
export function payInOutcome(outcome: Outcome, settled: boolean): PayInOutcome {
  return { outcome, settled, discrepancy: null }
}

function outcomeOfPaid(reported: ReportedState, terms: PayInTerms): PayInOutcome {
  const discrepancy = findDiscrepancy(reported, terms)
  return { outcome: isEnough(discrepancy) ? 'paid' : 'review', settled: true, discrepancy }
}

/**
 * While more may be paid, a part is `partial`, whatever else is wrong with it. A part that is left of the whole amount is
 * none: the rest went back.
 */
function outcomeOfPartial(reported: ReportedState, terms: PayInTerms): PayInOutcome {
  const { in_flight, unreadable } = moneyOf(reported)
  const discrepancy = findDiscrepancy(reported, terms)
  const isShort = discrepancy === 'short' && !in_flight && !unreadable
  if (isShort && compare(paidBeforeLeft(reported), terms.amount) >= 0) {
    const returned = paymentsOf(reported, 'reversed', 'refunded')
    return payInOutcome(returnOf(reported.status, returned), hasEnded(reported, terms))
  }
  if (!hasEnded(reported, terms)) {
    return {
      outcome: 'partial',
      settled: false,
      discrepancy: discrepancy === 'short' ? null : (discrepancy ?? 'amount'),
    }
  }
  if (isShort) {
    return payInOutcome('partial', true)
  }
  return { outcome: 'review', settled: true, discrepancy: discrepancy ?? 'amount' }
}

function outcomeOfUnpaid(reported: ReportedState, terms: PayInTerms): PayInOutcome {
  const money = moneyOf(reported)
  const isComplete = isReportedCompletely(reported, terms)
  if (isReceived(money)) {
    return { outcome: 'review', settled: isComplete, discrepancy: 'amount' }
  }
  if (money.in_flight && isComplete) {
    return payInOutcome('review', true)
  }
  if (hasEnded(reported, terms)) {
    return payInOutcome('unpaid', true)
  }

  const lastPayment = reported.payments.at(-1)
  return payInOutcome(lastPayment?.payment_status === PAYMENT_STATUS.failed ? 'unpaid' : 'waiting', false)
}

/** The gateway may report that a session has ended before it reports a payment of the session's last minute. */
function outcomeOfExpired(reported: ReportedState, terms: PayInTerms): PayInOutcome {
  const money = moneyOf(reported)
  const isEnded = hasEnded(reported, terms)
  if (isReceived(money)) {
    return { outcome: 'review', settled: isEnded, discrepancy: 'amount' }
  }
  if (money.in_flight) {
    return isEnded ? payInOutcome('review', true) : payInOutcome('pending', false)
  }
  return isEnded ? payInOutcome('expired', true) : payInOutcome('waiting', false)
}

function outcomeOfReturn(
  outcome: 'reversed' | 'refunded',
  reported: ReportedState,
  terms: PayInTerms,
): PayInOutcome {
  const money = moneyOf(reported)
  const discrepancy = findOtherDifference(reported, terms) ?? compareAmounts(money.received, terms.amount)
  if (!money.returned && money.unreadable) {
    return { outcome: 'review', settled: true, discrepancy: 'amount' }
  }
  if (!money.returned && isEnough(discrepancy)) {
    return { outcome: 'paid', settled: true, discrepancy }
  }
  if (money.in_flight) {
    // Beside what went back, the payer pays again.
    return outcomeOfMoving('pending', reported, terms)
  }
  return payInOutcome(outcome, true)
}

/** Money that moves for too long is for a person. */
function outcomeOfMoving(
  outcome: 'jammed' | 'pending',
  reported: ReportedState,
  terms: PayInTerms,
): PayInOutcome {
  return isReportedCompletely(reported, terms) ? payInOutcome('review', true) : payInOutcome(outcome, false)
}

/** Returns whether the session ended so long ago that the gateway has reported everything that was paid in it. */
function isReportedCompletely(reported: ReportedState, terms: PayInTerms): boolean {
  const { in_flight } = moneyOf(reported)
  return reported.at - terms.expires_at >= (in_flight ? LONGEST_IN_FLIGHT_MS : REPORT_LAG_MS)
}

/** Returns whether nothing more can be paid, and no payment is in flight any more. */
function hasEnded(reported: ReportedState, terms: PayInTerms): boolean {
  const { in_flight } = moneyOf(reported)
  return !canBePaid(reported, terms) && (!in_flight || isReportedCompletely(reported, terms))
}

/**
 * Returns the most serious difference between the payments that the gateway reported and the requested terms; `null` if
 * there is no difference.
 */
function findDiscrepancy(reported: ReportedState, requested: PayInTerms): Discrepancy | null {
  return findOtherDifference(reported, requested) ?? findAmountDiscrepancy(reported, requested)
}

/** Returns the first difference in another term than the amount, the most serious one first; `null` if there is none. */
function findOtherDifference(reported: ReportedState, requested: PayInTerms): Discrepancy | null {
  const received = paymentsOf(reported, 'successful')
  if (contradicts(reported.checkout_reference, requested.checkout_reference)) {
    return 'reference'
  }
  if (whyElsewhere(reported) !== null) {
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

  // Perhaps a payment was not made, if it is also listed as failed.
  const ids = new Set(received.map(idOf))
  const failed = paymentsOf(reported, 'failed')
  if (failed.some((payment) => payment.payment_id !== null && ids.has(idOf(payment)))) {
    return 'amount'
  }

  const { held, isUnclear } = ledgerOf(reported)
  const isMoreThanListed = compare(held, sumOf(received)) > 0
  if (isUnclear || isMoreThanListed) {
    return 'amount'
  }
  // Without a stated total, the listed payments are what was received, unless none can be read, or not all.
  if (reported.amount === null && (received.length === 0 || reported.unreadable > 0)) {
    return 'amount'
  }
  return compareAmounts(held, requested.amount)
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

/** Returns whether two records may describe one payment: both have the same id, no id, or the same receipt. */
function mayBeOne(payments: readonly Payment[]): boolean {
  const receipts = payments.map((payment) => payment.same_reference_as).filter((place) => place !== null)
  return hasRepetition(payments.map(idOf)) || hasRepetition(receipts)
}

function hasRepetition(values: readonly (string | number | null)[]): boolean {
  return new Set(values).size < values.length
}
