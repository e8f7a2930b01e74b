/** When to ask about a checkout again. Pure. */

import type { Checkout } from './record.ts'
import { isRefundDue, pendingDecision } from '../payins/service-confirmation.ts'
import { EXPIRY_GRACE_MS } from '../payins/outcome.ts'
import {
  afterSettlement,
  whileOpen,
  whileUnacknowledged,
  FRESH_SETTLED_MS,
  freshWhileOpenMs,
  SECOND,
} from '../transactions/schedule.ts'
import { determineOutcome } from './outcome.ts'

/** When to ask next after an answer; `null` when nothing more can be learned. */
export function nextQueryAt(
  { record, created_at }: Pick<Checkout, 'record' | 'created_at'>,
  now: number,
): number | null {
  switch (record.phase) {
    case 'refused':
    case 'abandoned':
      return null
    case 'intended':
      return whileUnacknowledged(now)
    case 'open': {
      const { session, settled_at, fulfilment, reported } = record
      if (fulfilment && pendingDecision(fulfilment)) return now
      if (settled_at !== null) {
        const isOpen = fulfilment !== null && isRefundDue(fulfilment, reported)
        return isOpen ? whileOpen(settled_at, now) : afterSettlement(settled_at, now)
      }
      // The end of the session changes what an answer means, so it is not left to chance when it is noticed.
      const turns = [session.expires_at, session.expires_at + EXPIRY_GRACE_MS].map((at) => at + SECOND)
      return Math.min(whileOpen(created_at, now), ...turns.filter((at) => at > now))
    }
  }
}

/** For how long, in milliseconds, an answer is fresh enough for the shopper's page. */
export function freshForMs(checkout: Checkout, now: number): number {
  return determineOutcome(checkout).settled ? FRESH_SETTLED_MS : freshWhileOpenMs(checkout.created_at, now)
}
