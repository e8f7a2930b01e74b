/** Derives a checkout's outcome from its stored state. Pure. */

import type { CheckoutStatus } from '../contract/status.ts'
import type { PayInOutcome } from '../payins/outcome.ts'
import type { Checkout, OpenCheckout } from './record.ts'
import { EXPIRY_GRACE_MS, isInFlight, determinePayInOutcome, payInOutcome } from '../payins/outcome.ts'

export function determineOutcome(checkout: Checkout): PayInOutcome {
  const { record, reference } = checkout
  switch (record.phase) {
    case 'intended':
      return payInOutcome('waiting', false)
    case 'open':
      return determineOpen(record, reference)
    case 'refused':
      return payInOutcome(record.refusal ? 'expired' : 'review', true)
    case 'abandoned':
      return payInOutcome('expired', true)
  }
}

function determineOpen(
  { reported, requested, session, unknown_at }: OpenCheckout,
  reference: string,
): PayInOutcome {
  if (reported) return determinePayInOutcome(reported, { ...requested, ...session, reference })
  const isGone = unknown_at !== null && unknown_at >= session.expires_at + EXPIRY_GRACE_MS
  return isGone ? payInOutcome('expired', true) : payInOutcome('waiting', false)
}

/** Whether a checkout holds, or may yet hold, the customer's money. */
export function holdsMoney({ record }: Checkout): boolean {
  if (record.phase !== 'open' || record.reported === null) return false
  const { reported, contradiction } = record
  return (
    HOLDS_MONEY[reported.status] ||
    isInFlight(reported) ||
    (contradiction !== null && HOLDS_MONEY[contradiction])
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
