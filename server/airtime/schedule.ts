/** When to ask about a request of airtime again. Pure. */

import type { Airtime } from './record.ts'
import {
  afterSettlement,
  whileOpen,
  whileUnacknowledged,
  FRESH_SETTLED_MS,
  freshWhileOpenMs,
} from '../transactions/schedule.ts'
import { isSettled } from './outcome.ts'

/** When to ask next after an answer; `null` when nothing more can be learned. */
export function nextQueryAt(
  { record, created_at }: Pick<Airtime, 'record' | 'created_at'>,
  now: number,
): number | null {
  switch (record.phase) {
    case 'intended':
      return record.stuck === null ? whileUnacknowledged(now) : whileOpen(created_at, now)
    case 'rejected':
      return record.is_confirmed ? null : whileUnacknowledged(now)
    case 'accepted':
      return record.settled_at === null ? whileOpen(created_at, now) : afterSettlement(record.settled_at, now)
  }
}

/** For how long, in milliseconds, an answer is fresh enough for whoever asks. */
export function freshForMs({ record, created_at }: Airtime, now: number): number {
  return isSettled(record) ? FRESH_SETTLED_MS : freshWhileOpenMs(created_at, now)
}
