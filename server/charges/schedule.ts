/** When to ask about a charge again, which is also when its confirmation is sent. Pure. */

import type { Charge } from './record.ts'
import { isRefundDue, toConfirm } from '../payments/fulfilment.ts'
import {
  askAfterSettlement,
  askWhileOpen,
  askWhileUnsent,
  FRESH_SETTLED_MS,
  freshWhileOpenMs,
} from '../transactions/schedule.ts'
import { judge } from './outcome.ts'

/** When to ask next after an answer; `null` when nothing more can be learned. */
export function askAt(
  { record, created_at }: Pick<Charge, 'record' | 'created_at'>,
  now: number,
): number | null {
  switch (record.phase) {
    case 'intended':
      return record.stuck === null ? askWhileUnsent(now) : askWhileOpen(created_at, now)
    case 'refused':
      return null
    case 'posted': {
      const { settled_at, fulfilment, seen } = record
      if (toConfirm(fulfilment)) return now
      if (settled_at === null) return askWhileOpen(created_at, now)
      return isRefundDue(fulfilment, seen)
        ? askWhileOpen(settled_at, now)
        : askAfterSettlement(settled_at, now)
    }
  }
}

/** For how long, in milliseconds, an answer is fresh enough for whoever asks. */
export function freshForMs(charge: Charge, now: number): number {
  const { record } = charge
  if (record.phase === 'posted' && isRefundDue(record.fulfilment, record.seen))
    return freshWhileOpenMs(charge.updated_at, now)
  return judge(charge).settled ? FRESH_SETTLED_MS : freshWhileOpenMs(charge.created_at, now)
}
