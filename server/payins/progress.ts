/** When an acknowledged pay-in is asked about next. Pure. */

import { pendingIn } from '../transactions/kind.ts'
import { REPORT_LAG_MS, SECOND } from '../transactions/schedule.ts'
import { LONGEST_IN_FLIGHT_MS } from './outcome.ts'
import { isRefundDue } from './service-confirmation.ts'

import type { Transaction } from '../store/store.ts'
import type { Resolution } from '../transactions/resolution.ts'
import type { Progress } from '../transactions/schedule.ts'
import type { Reported } from './service-confirmation.ts'

/**
 * Returns the progress of an acknowledged pay-in. The progress determines the time of the next status query.
 *
 * @param expires_at When the session ends, in milliseconds since the Unix epoch. After this time, the same status can
 * mean another outcome. A status query is therefore due at this time, after the grace period, and when no payment is in
 * flight any more.
 */
export function payInProgress(
  {
    confirmation,
    reported,
    settled_at,
    resolution,
  }: Reported & { settled_at: number | null; resolution: Resolution | null },
  { created_at, updated_at }: Pick<Transaction, 'created_at' | 'updated_at'>,
  expires_at: number,
): Progress {
  const pending = confirmation && pendingIn(confirmation)
  if (pending) {
    return { stage: 'confirming', since: pending.decided_at }
  }
  if (resolution !== null) {
    return { stage: 'settled', at: resolution.at }
  }
  if (settled_at === null) {
    const deadlines = [0, REPORT_LAG_MS, LONGEST_IN_FLIGHT_MS].map((ms) => expires_at + ms + SECOND)
    return { stage: 'open', since: created_at, deadlines }
  }
  // The gateway's acceptance of FAILED, which requests the refund, sets `updated_at`. A later change of the record,
  // which is a new report of the gateway, makes the pauses short again, and moves the last deadline.
  if (isRefundDue({ confirmation, reported })) {
    return { stage: 'open', since: updated_at }
  }
  return { stage: 'settled', at: settled_at }
}
