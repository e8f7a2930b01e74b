/**
 * What a checkout's status means: one pure function of what the gateway said, what was asked, and when.
 *
 * Nothing here is optimistic about money: only 801 in agreement with what was asked is `paid`, and nothing is an
 * end while money may still be on its way. [assumed] The spec lists the codes; the meaning over time is ours.
 */

import type { CheckoutStatus, PaymentStatus } from '../contract/status.ts'
import type { Discrepancy, Outcome, PaymentOutcome } from '../contract/view.ts'
import type { Asked, Checkout, OpenCheckout, Payment, Seen, Session } from './record.ts'
import { compare, sum } from '../contract/decimal.ts'

export interface Verdict {
  outcome: Outcome
  settled: boolean
  discrepancy: Discrepancy | null
}

/** A prompt that was answered in the last second reaches the gateway's books within this. [assumed] */
export const EXPIRY_GRACE_MS = 2 * 60_000
/** An attempt still on its way this long after expiry no longer keeps a checkout from being settled. [assumed] */
const LONGEST_IN_FLIGHT_MS = 24 * 3_600_000

export function judge(checkout: Checkout): Verdict {
  const { record, reference } = checkout
  switch (record.phase) {
    case 'intended':
      return verdict('waiting', false)
    case 'open':
      return judgeOpen(record, reference)
    case 'refused':
      return verdict(record.refusal ? 'expired' : 'review', true)
    case 'abandoned':
      return verdict('expired', true)
  }
}

function judgeOpen({ seen, asked, session, lost_at }: OpenCheckout, reference: string): Verdict {
  if (!seen) {
    const isGone = lost_at !== null && lost_at >= session.expires_at + EXPIRY_GRACE_MS
    return isGone ? verdict('expired', true) : verdict('waiting', false)
  }
  switch (seen.status) {
    case 801: {
      const discrepancy = findDiscrepancy(seen, asked, session, reference)
      const agrees = discrepancy === null || discrepancy === 'excess'
      return { outcome: agrees ? 'paid' : 'review', settled: true, discrepancy }
    }
    case 802:
      return verdict('partial', isOver(seen, session, 0))
    case 803:
      if (isOver(seen, session, EXPIRY_GRACE_MS)) return verdict('unpaid', true)
      return verdict(latestAttempt(seen)?.status === 701 ? 'unpaid' : 'waiting', false)
    case 820:
      return verdict('expired', true)
    case 840:
      return verdict('reversed', true)
    case 841:
      return verdict('refunded', true)
    case 850:
      return verdict('jammed', false)
    case 851:
      return verdict('pending', false)
  }
}

function verdict(outcome: Outcome, settled: boolean): Verdict {
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

/** Whether a checkout holds, or may yet hold, the customer's money. */
export function holdsMoney({ record }: Checkout): boolean {
  if (record.phase !== 'open' || record.seen === null) return false
  const { seen, contradiction } = record
  return (
    HOLDS_MONEY[seen.status] || isInFlight(seen) || (contradiction !== null && HOLDS_MONEY[contradiction])
  )
}

const HOLDS_MONEY = {
  801: true,
  802: true,
  803: false,
  820: false,
  840: false,
  841: false,
  850: true,
  851: true,
} as const satisfies Record<CheckoutStatus, boolean>

/**
 * Whether some attempt is neither done nor failed: a prompt is open, an operator has yet to decide, or money was
 * received that an "unpaid" or "expired" does not count yet. [assumed]
 */
function isInFlight({ status, payments }: Seen): boolean {
  const open: PaymentOutcome[] = ['waiting', 'jammed']
  if (status === 803 || status === 820) open.push('successful')
  return payments.some((payment) => open.includes(PAYMENT_OUTCOME[payment.status]))
}

/** Whether the gateway was asked after the session's end, and nothing is on its way any more. */
function isOver(seen: Seen, session: Session, graceMs: number): boolean {
  const past = seen.at - session.expires_at
  return past >= (isInFlight(seen) ? LONGEST_IN_FLIGHT_MS : graceMs)
}

/** [assumed] Records come oldest first where their dates do not say otherwise. */
function latestAttempt(seen: Seen): Payment | undefined {
  return seen.payments.reduce<Payment | undefined>((latest, payment) => {
    const isEarlier = latest?.paid_at && payment.paid_at && payment.paid_at < latest.paid_at
    return isEarlier ? latest : payment
  }, undefined)
}

/** How "full payment received" differs from what was asked; the gravest difference first. */
function findDiscrepancy(seen: Seen, asked: Asked, session: Session, reference: string): Discrepancy | null {
  const received = seen.payments.filter((payment) => payment.status === 700)
  const differs = (found: string | null, expected: string) => found !== null && found !== expected

  if (seen.checkout_reference !== session.checkout_reference) return 'reference'
  if (received.some((payment) => differs(payment.external_reference, reference))) return 'reference'
  if (seen.currency !== asked.currency) return 'currency'
  if (received.some((payment) => differs(payment.currency, asked.currency))) return 'currency'
  if (received.some((payment) => differs(payment.account_number, asked.account_number))) return 'account'

  const total = sum(received.map((payment) => payment.amount))
  if (compare(total, seen.amount) !== 0) return 'amount'
  const order = compare(total, asked.amount)
  return order < 0 ? 'short' : order > 0 ? 'excess' : null
}
