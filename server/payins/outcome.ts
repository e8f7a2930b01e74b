/**
 * What a status means: one pure function of what the gateway said, what was asked, and when.
 *
 * Nothing here is optimistic about money: only 801 in agreement with what was asked is `paid`, and nothing is an
 * end while money may still be on its way. [assumed] The spec lists the codes; the meaning over time is ours.
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

/** What was asked for, as far as an answer can agree with it. */
export interface PayInTerms {
  /** Decimal text in whole units of the currency. */
  amount: string
  currency: string
  account_number: string
  reference: string
  /** `null` where the gateway named none before. */
  checkout_reference: string | null
  /** When it can no longer be paid, in milliseconds since the Unix epoch; `null` where nobody said. */
  expires_at: number | null
}

/** A prompt that was answered in the last second reaches the gateway's books within this. [assumed] */
export const EXPIRY_GRACE_MS = 2 * 60_000
/** An attempt still on its way this long after expiry no longer keeps a checkout from being settled. [assumed] */
const LONGEST_IN_FLIGHT_MS = 24 * 3_600_000

export function determinePayInOutcome(reported: ReportedState, terms: PayInTerms): PayInOutcome {
  switch (reported.status) {
    case 801: {
      const discrepancy = findDiscrepancy(reported, terms)
      const agrees = discrepancy === null || discrepancy === 'excess'
      return { outcome: agrees ? 'paid' : 'review', settled: true, discrepancy }
    }
    case 802:
      return payInOutcome('partial', isOver(reported, terms, 0))
    case 803:
      if (isOver(reported, terms, EXPIRY_GRACE_MS)) return payInOutcome('unpaid', true)
      return payInOutcome(latestAttempt(reported)?.status === 701 ? 'unpaid' : 'waiting', false)
    case 820:
      return payInOutcome('expired', true)
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

/** What one attempt to pay came to, for people. [spec: Payment status inside checkout payment records] */
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
 * Whether some attempt is neither done nor failed: a prompt is open, an operator has yet to decide, or money was
 * received that an "unpaid" or "expired" does not count yet. [assumed]
 */
export function isInFlight({ status, payments }: ReportedState): boolean {
  const open: PaymentOutcome[] = ['waiting', 'jammed']
  if (status === 803 || status === 820) open.push('successful')
  return payments.some((payment) => open.includes(PAYMENT_OUTCOME[payment.status]))
}

/** Whether the gateway was asked after the end, and nothing is on its way any more. */
function isOver(reported: ReportedState, { expires_at }: PayInTerms, graceMs: number): boolean {
  if (expires_at === null) return false
  return reported.at - expires_at >= (isInFlight(reported) ? LONGEST_IN_FLIGHT_MS : graceMs)
}

/** [assumed] Records come oldest first where their dates do not say otherwise. */
function latestAttempt(reported: ReportedState): Payment | undefined {
  return reported.payments.reduce<Payment | undefined>((latest, payment) => {
    const isEarlier = latest?.paid_at && payment.paid_at && payment.paid_at < latest.paid_at
    return isEarlier ? latest : payment
  }, undefined)
}

/** How "full payment received" differs from what was asked; the gravest difference first. */
function findDiscrepancy(reported: ReportedState, asked: PayInTerms): Discrepancy | null {
  const received = reported.payments.filter((payment) => payment.status === 700)
  const differs = (found: string | null, expected: string | null) =>
    found !== null && expected !== null && found !== expected

  if (differs(reported.checkout_reference, asked.checkout_reference)) return 'reference'
  if (received.some((payment) => differs(payment.external_reference, asked.reference))) return 'reference'
  if (reported.currency !== asked.currency) return 'currency'
  if (received.some((payment) => differs(payment.currency, asked.currency))) return 'currency'
  if (received.some((payment) => differs(payment.account_number, asked.account_number))) return 'account'

  const total = sum(received.map((payment) => payment.amount))
  if (compare(total, reported.amount) !== 0) return 'amount'
  const order = compare(total, asked.amount)
  return order < 0 ? 'short' : order > 0 ? 'excess' : null
}
