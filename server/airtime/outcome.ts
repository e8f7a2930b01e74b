/**
 * Computes the outcome of one airtime recipient, and the outcome of several recipients together. Pure. [spec: Airtime
 * service_status]
 */

import type { AirtimeStatus } from '../contract/status.ts'
import type { TrackedOutcome } from '../api/tracked.ts'
import type { AirtimeOutcome, AirtimeSummary, Share } from '../api/airtime.ts'
import type { Standing } from '../transactions/transition.ts'
import type { AirtimeRecord, Recipient } from './record.ts'
import { add, canonical } from '../contract/decimal.ts'
import { standing, standingOf } from '../transactions/transition.ts'

/**
 * The outcome for each service status. The spec says that 601 and 604 are not final. 600 (not started) and 607 (will be
 * retried) are not final either, because the gateway has yet to process the recipient.
 */
export const MEANING = {
  600: 'pending',
  601: 'pending',
  602: 'succeeded',
  603: 'failed',
  604: 'needs_attention',
  605: 'reversed',
  606: 'refunded',
  607: 'pending',
} as const satisfies Record<AirtimeStatus, TrackedOutcome>

export function determineOutcome(record: AirtimeRecord, recipient: Recipient): Standing {
  const { reported } = recipient
  switch (record.phase) {
    case 'intended':
      return standing('sending', record.stuck)
    case 'rejected':
      return standing(record.is_confirmed ? 'failed' : 'sending')
    case 'accepted':
      // If a person has to check the recipient, it stays unsettled, so that its status is queried again.
      return standingOf(reported ? MEANING[reported.service_status] : 'pending', recipient)
  }
}

export function isSettled(record: AirtimeRecord): boolean {
  return record.recipients.every((recipient) => determineOutcome(record, recipient).settled)
}

/** Counts the recipients and adds up their requested amounts, for each outcome and in total. */
export function summarise(records: readonly AirtimeRecord[]): AirtimeSummary {
  const summary: AirtimeSummary = {
    total: NOTHING,
    sending: NOTHING,
    pending: NOTHING,
    succeeded: NOTHING,
    failed: NOTHING,
    reversed: NOTHING,
    refunded: NOTHING,
    needs_attention: NOTHING,
  }
  for (const record of records) {
    for (const recipient of record.recipients) {
      const { outcome } = determineOutcome(record, recipient)
      summary.total = counted(summary.total, recipient)
      summary[outcome] = counted(summary[outcome], recipient)
    }
  }
  return summary
}

const NOTHING: Share = { count: 0, amount: '0' }

function counted({ count, amount }: Share, recipient: Recipient): Share {
  return {
    count: count + 1,
    amount: recipient.amount === null ? amount : canonical(add(amount, recipient.amount)),
  }
}

/**
 * Returns the outcome of all recipients together. Checks the outcomes `needs_attention`, `sending` and `pending` in
 * this order, and returns the first outcome that any recipient has. If no recipient has any of these outcomes, returns
 * `succeeded` if all recipients succeeded, `partial` if some succeeded, or `failed` if none succeeded.
 */
export function outcomeOf(summary: AirtimeSummary): AirtimeOutcome {
  if (summary.needs_attention.count > 0) return 'needs_attention'
  if (summary.sending.count > 0) return 'sending'
  if (summary.pending.count > 0) return 'pending'
  if (summary.succeeded.count === summary.total.count) return 'succeeded'
  return summary.succeeded.count > 0 ? 'partial' : 'failed'
}
