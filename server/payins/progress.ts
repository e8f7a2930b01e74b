/** When an acknowledged pay-in is asked about next. Pure. */

import { REPORT_LAG_MS, SECOND } from '../transactions/schedule.ts'
import { isRefundDue } from './fulfilment.ts'
import { LONGEST_IN_FLIGHT_MS } from './outcome.ts'
import { decisionOf, undeliveredIn } from './service-confirmation.ts'

import type { Transaction } from '../store/transactions.ts'
import type { Progress } from '../transactions/schedule.ts'
import type { Confirmable } from './service-confirmation.ts'

/**
 * Returns the progress of an acknowledged pay-in. The progress determines the time of the next status query. A pay-in
 * begins when it was sent last or when the gateway first answered about it, each by its clock, whichever is later: one of
 * the clocks may have been behind, and an order may be started again long after its row was created.
 *
 * @param expires_at When the session ends, in milliseconds since the Unix epoch. After this time, the same status can
 * mean another outcome. A status query is therefore due at this time, after the grace period, and when no payment is in
 * flight any more.
 */
export function payInProgress(
  record: Confirmable & { settled_at: number | null; answered_at: number },
  { created_at, sent_at, updated_at }: Pick<Transaction, 'created_at' | 'sent_at' | 'updated_at'>,
  expires_at: number,
): Progress {
  const { settled_at, answered_at, resolution } = record
  const undelivered = undeliveredIn(record)
  if (undelivered.length > 0) {
    const since = Math.min(...undelivered.map(({ decided_at }) => decided_at))
    const next = decisionOf(record)
    const times = next && { decided_at: next.decided_at, sent_at: next.sent_at }
    return { stage: 'confirming', since, next: times }
  }
  if (settled_at === null) {
    const deadlines = [0, REPORT_LAG_MS, LONGEST_IN_FLIGHT_MS].map((ms) => expires_at + ms + SECOND)
    return { stage: 'open', since: Math.max(sent_at ?? created_at, answered_at), deadlines }
  }
  if (resolution !== null) {
    return { stage: 'settled', at: resolution.at }
  }
  // The gateway's acceptance of FAILED, which requests the refund, sets `updated_at`. A later change of the record,
  // which is a new report of the gateway, makes the pauses short again, and moves the last deadline.
  if (isRefundDue(record)) {
    return { stage: 'open', since: updated_at }
  }
  return { stage: 'settled', at: settled_at }
}
