/** What became of a checkout, from its phase and what the gateway last said. Pure. */

import type { CheckoutStatus } from '../contract/status.ts'
import type { Verdict } from '../payins/outcome.ts'
import type { Checkout, OpenCheckout } from './record.ts'
import { EXPIRY_GRACE_MS, isInFlight, determinePayInOutcome, verdict } from '../payins/outcome.ts'

export function determineOutcome(checkout: Checkout): Verdict {
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

function judgeOpen({ reported, asked, session, lost_at }: OpenCheckout, reference: string): Verdict {
  if (reported) return determinePayInOutcome(reported, { ...asked, ...session, reference })
  const isGone = lost_at !== null && lost_at >= session.expires_at + EXPIRY_GRACE_MS
  return isGone ? verdict('expired', true) : verdict('waiting', false)
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
