/** When to ask about a payout again. Pure. */

import type { Payout } from './record.ts'
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
  { record, created_at }: Pick<Payout, 'record' | 'created_at'>,
  now: number,
): number | null {
  switch (record.phase) {
    case 'intended':
      return record.stuck === null ? whileUnacknowledged(now) : whileOpen(created_at, now)
    case 'rejected':
      return record.was_resent ? afterSettlement(record.rejected_at, now) : null
    case 'accepted':
      return record.settled_at === null ? whileOpen(created_at, now) : afterSettlement(record.settled_at, now)
  }
}

/** For how long, in milliseconds, an answer is fresh enough for whoever asks. */
export function freshForMs({ record, created_at }: Payout, now: number): number {
  return determineOutcome(record).settled ? FRESH_SETTLED_MS : freshWhileOpenMs(created_at, now)
}
