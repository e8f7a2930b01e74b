/**
 * Computes the outcome of one airtime recipient, and the outcome of several recipients together. Pure. [spec: Airtime
 * service_status]
 */

import type { AirtimeStatus } from '../contract/status.ts'
import type { TrackedState } from '../api/tracked.ts'
import type { AirtimeOutcome, AirtimeSummary, Share } from '../api/airtime.ts'
import type { AirtimeRecord, Recipient } from './record.ts'
import { add } from '../contract/decimal.ts'

/**
 * The outcome for each service status, and whether the outcome is final. The spec says that 601 and 604 are not final.
 * 600 (not started) and 607 (will be retried) are not final either, because the gateway has yet to process the
 * recipient.
 */
const MEANING = {
  600: { outcome: 'pending', settled: false },
  601: { outcome: 'pending', settled: false },
  602: { outcome: 'succeeded', settled: true },
  603: { outcome: 'failed', settled: true },
  604: { outcome: 'needs_attention', settled: false },
  605: { outcome: 'reversed', settled: true },
  606: { outcome: 'refunded', settled: true },
  607: { outcome: 'pending', settled: false },
} as const satisfies Record<AirtimeStatus, TrackedState>

export function determineOutcome(record: AirtimeRecord, { reported, attention }: Recipient): TrackedState {
  switch (record.phase) {
    case 'intended':
      return { outcome: record.stuck === null ? 'sending' : 'needs_attention', settled: false }
    case 'rejected':
      return { outcome: record.is_confirmed ? 'failed' : 'sending', settled: record.is_confirmed }
    case 'accepted':
      // If a report contradicts the request or an earlier report, a person has to check the recipient. The recipient
      // stays unsettled, so that the status is queried again.
      if (attention !== null) return { outcome: 'needs_attention', settled: false }
      return reported === null ? { outcome: 'pending', settled: false } : MEANING[reported.service_status]
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

const NOTHING: Share = { count: 0, amount: '0.00' }

function counted({ count, amount }: Share, recipient: Recipient): Share {
  return { count: count + 1, amount: recipient.amount === null ? amount : add(amount, recipient.amount) }
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
