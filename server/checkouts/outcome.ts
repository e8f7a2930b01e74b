/** Computes a checkout's outcome from its stored record. Pure. */

import type { CheckoutStatus } from '../contract/status.ts'
import type { PayInOutcome, PayInTerms } from '../payins/outcome.ts'
import type { Checkout, OpenCheckout } from './record.ts'
import { EXPIRY_GRACE_MS, isInFlight, determinePayInOutcome, payInOutcome } from '../payins/outcome.ts'

export function determineOutcome(checkout: Checkout): PayInOutcome {
  const { record, reference } = checkout
  switch (record.phase) {
    case 'intended':
      // A prompt whose response was lost is never sent again: a person has to check whether the payer was charged.
      return payInOutcome(record.stuck === null ? 'waiting' : 'review', false)
    case 'open': {
      const { reported, unknown_at, session } = record
      if (reported) return determinePayInOutcome(reported, termsOf(record, reference))
      const isGone = unknown_at !== null && unknown_at >= session.expires_at + EXPIRY_GRACE_MS
      return isGone ? payInOutcome('expired', true) : payInOutcome('waiting', false)
    }
    case 'refused':
      return payInOutcome(record.refusal && record.contradiction === null ? 'expired' : 'review', true)
    case 'abandoned':
      return payInOutcome(record.contradiction === null ? 'expired' : 'review', true)
  }
}

function termsOf({ requested, session, prompt }: OpenCheckout, reference: string): PayInTerms {
  const { checkout_reference, expires_at } = session
  return { ...requested, reference, checkout_reference, expires_at, is_prompt: prompt !== undefined }
}

/** Returns whether a checkout holds the shopper's money, or may still receive money from a payment in flight. */
export function holdsMoney({ record }: Checkout): boolean {
  if (record.phase === 'refused' || record.phase === 'abandoned') return record.contradiction !== null
  if (record.phase === 'intended' || record.reported === null) return false
  const { reported, contradiction } = record
  const statuses = contradiction === null ? [reported.status] : [reported.status, contradiction]
  const hasPayment = reported.payments.some(({ status }) => status === 700)
  return hasPayment || isInFlight(reported) || !statuses.every((status) => WITHOUT_MONEY.includes(status))
}

const WITHOUT_MONEY: readonly CheckoutStatus[] = [803, 820, 840, 841]
