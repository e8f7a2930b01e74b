/** Computes a checkout's outcome from its stored record. Pure. */

import type { Money } from '../payins/money.ts'
import type { PayInOutcome, PayInTerms } from '../payins/outcome.ts'
import type { Checkout, OpenCheckout } from './record.ts'
import { moneyOf } from '../payins/money.ts'
import { EXPIRY_GRACE_MS, determinePayInOutcome, payInOutcome } from '../payins/outcome.ts'

export function determineOutcome({ record, reference }: Checkout): PayInOutcome {
  switch (record.phase) {
    case 'intended':
      // A prompt whose response was lost is never sent again: a person has to check whether the payer was charged.
      return payInOutcome(record.stuck === null ? 'waiting' : 'review', false)
    case 'open': {
      const { reported, unknown_at, session, is_overdue } = record
      // A gateway that no longer knows the checkout leaves its last report as it is, while time passes.
      const at = Math.max(reported?.at ?? 0, unknown_at ?? 0)
      const isGone = unknown_at !== null && unknown_at >= session.expires_at + EXPIRY_GRACE_MS
      const unreported = isGone ? payInOutcome('expired', true) : payInOutcome('waiting', false)
      const outcome = reported
        ? determinePayInOutcome({ ...reported, at }, termsOf(record, reference))
        : unreported
      return is_overdue && !outcome.settled ? payInOutcome('review', true) : outcome
    }
    case 'refused':
      return payInOutcome(record.refusal && record.alarm === null ? 'expired' : 'review', true)
    case 'abandoned':
      return payInOutcome(record.alarm === null ? 'expired' : 'review', true)
  }
}

function termsOf({ requested, session, prompt }: OpenCheckout, reference: string): PayInTerms {
  const { checkout_reference, expires_at } = session
  return { ...requested, reference, checkout_reference, expires_at, is_prompt: prompt !== undefined }
}

/** Returns the money of a checkout. While a person has to check the checkout, the money of which the alarm speaks cannot be read. */
export function moneyOfCheckout({ record }: Checkout): Money {
  const money = moneyOf(record.phase === 'open' ? record.reported : null)
  const isAlarmed = record.phase !== 'intended' && record.alarm !== null
  return isAlarmed ? { ...money, unreadable: true } : money
}
