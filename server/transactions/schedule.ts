/**
 * Computes when the gateway is queried next about a transaction, and how long pages show the stored state before the
 * gateway is queried again. Pure.
 *
 * Callbacks must not be the only source of truth. [spec: What the service does, 1] The spec promises no callback after
 * settlement.
 *
 * [assumed] Queries for 30 days after settlement detect reversals, refunds and late payments.
 */

import type { Transaction } from '../store.ts'

export const SECOND = 1_000
export const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

/**
 * The progress of a transaction, which determines the time of the next status query. All times are in milliseconds
 * since the Unix epoch.
 */
export type Progress =
  /**
   * The gateway has not acknowledged the transaction. The request was sent or is about to be sent. `since` is the time
   * of the last send; if the transaction was never sent, the time of its creation.
   */
  | { stage: 'unacknowledged'; since: number }
  /**
   * The transaction is not settled, or a requested refund is pending. `since` is the time at which the transaction was
   * created or last sent, or the refund was requested. `deadlines` are the times of additional queries.
   */
  | { stage: 'open'; since: number; deadlines?: readonly number[] }
  /** The merchant's service confirmation is stored. The gateway has neither accepted nor refused the confirmation. */
  | { stage: 'confirming' }
  /** The transaction was settled at the time `at`. */
  | { stage: 'settled'; at: number }
  /** The transaction can no longer change, and is never queried again. */
  | { stage: 'ended' }

/**
 * Returns the progress of an acknowledged transaction. A payout may be sent again long after its creation, so the age
 * of an open transaction counts from the last send (`sent_at`).
 *
 * @param settled_at Milliseconds since the Unix epoch; `null` while the transaction is unsettled.
 */
export function progressSince(
  { created_at, sent_at }: Pick<Transaction, 'created_at' | 'sent_at'>,
  settled_at: number | null,
): Progress {
  return settled_at === null
    ? { stage: 'open', since: sent_at ?? created_at }
    : { stage: 'settled', at: settled_at }
}

/**
 * The pauses between queries about an unacknowledged transaction, by the time since the request was sent.
 *
 * The first query runs 20 seconds after the send, so that the transaction's state is soon known if this server crashed
 * before it received the acknowledgement. The third query runs about two minutes after the send. The submission policy
 * then decides whether to send the request again or to give up.
 */
const WHILE_UNACKNOWLEDGED: readonly Pace[] = [
  [15 * SECOND, 51 * SECOND],
  [0, 20 * SECOND],
]
/** The pauses between queries about an open transaction, by the time since its creation or refund request. [assumed] */
const WHILE_OPEN: readonly Pace[] = [
  [7 * DAY, DAY],
  [DAY, 6 * HOUR],
  [2 * HOUR, HOUR],
  [30 * MINUTE, 5 * MINUTE],
  [5 * MINUTE, MINUTE],
  [0, 20 * SECOND],
]
/** The times of queries about a settled transaction, in milliseconds after settlement. [assumed] */
const AFTER_SETTLEMENT = [HOUR, 6 * HOUR, DAY, 2 * DAY, 7 * DAY, 30 * DAY]
/** The time from settlement to the last scheduled query, in milliseconds. */
export const LAST_QUERY_AFTER_MS = Math.max(...AFTER_SETTLEMENT)
/** The time after which a person has to check a transaction that is still open, in milliseconds. [assumed] */
export const LAST_DEADLINE_MS = 30 * DAY

/**
 * How long a page shows the stored state of an unsettled transaction before the gateway is queried again, by the time
 * since the transaction was created or its refund was requested. In the first 15 minutes, a page therefore causes up to
 * 86 queries.
 */
const FRESH_WHILE_OPEN: readonly Pace[] = [
  [5 * MINUTE, 20 * SECOND],
  [2 * MINUTE, 10 * SECOND],
  [30 * SECOND, 4 * SECOND],
  [0, 2 * SECOND],
]
/**
 * How long a page shows the stored state of a settled transaction before the gateway is queried again, in milliseconds.
 */
const FRESH_SETTLED_MS = MINUTE

/**
 * An entry of a table of pauses. `pause` applies from the age `olderThan` on. Both are in milliseconds. A table lists
 * the highest age first.
 */
type Pace = readonly [olderThan: number, pause: number]

/**
 * Returns the time of the next query, in milliseconds since the Unix epoch; `null` if the transaction is never queried
 * again.
 *
 * @param now The current time, in milliseconds since the Unix epoch.
 */
export function nextQueryAt(progress: Progress, now: number): number | null {
  switch (progress.stage) {
    case 'unacknowledged':
      return now + paceAt(WHILE_UNACKNOWLEDGED, now - progress.since)
    case 'open': {
      const deadlines = [...(progress.deadlines ?? []), progress.since + LAST_DEADLINE_MS]
      return Math.min(now + paceAt(WHILE_OPEN, now - progress.since), ...deadlines.filter((at) => at > now))
    }
    case 'confirming':
      return now
    case 'settled':
      return AFTER_SETTLEMENT.map((pause) => progress.at + pause).find((at) => at > now) ?? null
    case 'ended':
      return null
  }
}

/** Returns whether a transaction has not ended until its last deadline. */
export function isOverdue(progress: Progress, now: number): boolean {
  const isOpen = progress.stage === 'unacknowledged' || progress.stage === 'open'
  return isOpen && now - progress.since >= LAST_DEADLINE_MS
}

/**
 * Returns how long a page shows the stored state of a transaction before the gateway is queried again, in milliseconds.
 *
 * @param now The current time, in milliseconds since the Unix epoch.
 */
export function freshForMs(
  progress: Progress,
  { created_at }: Pick<Transaction, 'created_at'>,
  now: number,
): number {
  switch (progress.stage) {
    case 'settled':
    case 'ended':
      return FRESH_SETTLED_MS
    case 'open':
      return paceAt(FRESH_WHILE_OPEN, now - progress.since)
    case 'unacknowledged':
    case 'confirming':
      return paceAt(FRESH_WHILE_OPEN, now - created_at)
  }
}

function paceAt(paces: readonly Pace[], age: number): number {
  return paces.find(([olderThan]) => age >= olderThan)?.[1] ?? SECOND
}
