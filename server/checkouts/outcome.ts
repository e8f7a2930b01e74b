/** Computes a checkout's outcome from its stored record. Pure. */

import type { Money } from '../payins/money.ts'
import type { PayInOutcome, PayInTerms } from '../payins/outcome.ts'
import type { Checkout, OpenCheckout } from './record.ts'
import { moneyOf } from '../payins/money.ts'
import { EXPIRY_GRACE_MS, determinePayInOutcome, payInOutcome } from '../payins/outcome.ts'

export function determineOutcome(checkout: Checkout): PayInOutcome {
  const { record, reference } = checkout
  switch (record.phase) {
    case 'intended':
      // A prompt whose response was lost is never sent again: a person has to check whether the payer was charged.
      return payInOutcome(record.stuck === null ? 'waiting' : 'review', false)
    case 'open': {
      const { reported, unknown_at, session } = record
      // A gateway that no longer knows the checkout leaves its last report as it is, while time passes.
      const at = Math.max(reported?.at ?? 0, unknown_at ?? 0)
      if (reported) return determinePayInOutcome({ ...reported, at }, termsOf(record, reference))
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

/** Returns the money of a checkout. Until a contradiction is resolved, the money of which it speaks cannot be read. */
export function moneyOfCheckout({ record }: Checkout): Money {
  const money = moneyOf(record.phase === 'open' ? record.reported : null)
  const isContradicted = record.phase !== 'intended' && record.contradiction !== null
  return isContradicted ? { ...money, unreadable: true } : money
}
