/** When to ask about a charge again, which is also when its confirmation is sent. Pure. */

import type { Charge } from './record.ts'
import { isRefundDue, pendingDecision } from '../payins/service-confirmation.ts'
import {
  afterSettlement,
  whileOpen,
  whileUnacknowledged,
  FRESH_SETTLED_MS,
  freshWhileOpenMs,
} from '../transactions/schedule.ts'
import { determineOutcome } from './outcome.ts'

/** When to ask next after an answer; `null` when nothing more can be learned. */
export function nextQueryAt(
  { record, created_at }: Pick<Charge, 'record' | 'created_at'>,
  now: number,
): number | null {
  switch (record.phase) {
    case 'intended':
      return record.stuck === null ? whileUnacknowledged(now) : whileOpen(created_at, now)
    case 'refused':
      return null
    case 'posted': {
      const { settled_at, fulfilment, reported } = record
      if (pendingDecision(fulfilment)) return now
      if (settled_at === null) return whileOpen(created_at, now)
      return isRefundDue(fulfilment, reported) ? whileOpen(settled_at, now) : afterSettlement(settled_at, now)
    }
  }
}

/** For how long, in milliseconds, an answer is fresh enough for whoever asks. */
export function freshForMs(charge: Charge, now: number): number {
  const { record } = charge
  if (record.phase === 'posted' && isRefundDue(record.fulfilment, record.reported))
    return freshWhileOpenMs(charge.updated_at, now)
  return determineOutcome(charge).settled ? FRESH_SETTLED_MS : freshWhileOpenMs(charge.created_at, now)
}
