/**
 * Computes when the gateway is queried next about a transaction, and how long a stored state stays fresh, so that no
 * query is needed. Pure.
 *
 * Callbacks must not be the only source of truth [spec: What the service does, 1]. After settlement the spec promises
 * no callback: queries for 30 days detect reversals, refunds and late payments. [assumed]
 */

import type { Transaction } from '../store.ts'

export const SECOND = 1_000
export const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

/**
 * Progress of a transaction, from which its next query is computed. All times are in milliseconds since the Unix epoch.
 */
export type Progress =
  /** Not yet acknowledged by the gateway. The request was sent or is about to be sent. */
  | { stage: 'unacknowledged' }
  /**
   * Not settled: acknowledged, stuck without an acknowledgement, or waiting for a refund. `since`: when the transaction
   * was created, or when the refund was requested. `deadlines`: additional times for queries.
   */
  | { stage: 'open'; since: number; deadlines?: readonly number[] }
  /** The merchant's service confirmation is stored, but the gateway has not answered it yet. */
  | { stage: 'confirming' }
  /** Settled at the time `at`. */
  | { stage: 'settled'; at: number }
  /** Nothing can change any more. The transaction is never queried again. */
  | { stage: 'ended' }

/**
 * Returns the progress of an acknowledged transaction. Both times are in milliseconds since the Unix epoch;
 * `settled_at` is `null` while the transaction is unsettled.
 */
export function progressSince(created_at: number, settled_at: number | null): Progress {
  return settled_at === null ? { stage: 'open', since: created_at } : { stage: 'settled', at: settled_at }
}

/**
 * Pause between queries of an unacknowledged transaction, in milliseconds. Three queries fit into the two minutes after
 * which the submission policy decides.
 */
const WHILE_UNACKNOWLEDGED = 41 * SECOND
/** Pause until the next query of an open transaction, by the transaction's age. */
const WHILE_OPEN: readonly Pace[] = [
  [7 * DAY, DAY],
  [DAY, 6 * HOUR],
  [2 * HOUR, HOUR],
  [30 * MINUTE, 5 * MINUTE],
  [5 * MINUTE, MINUTE],
  [0, 20 * SECOND],
]
/** Times of the queries of a settled transaction, in milliseconds after settlement. [assumed] */
const AFTER_SETTLEMENT = [HOUR, 6 * HOUR, DAY, 2 * DAY, 7 * DAY, 30 * DAY]

/**
 * How long the stored state of an open transaction stays fresh, by the transaction's age. Pages without an event stream
 * poll at this interval: 86 times in the first 15 minutes.
 */
const FRESH_WHILE_OPEN: readonly Pace[] = [
  [5 * MINUTE, 20 * SECOND],
  [2 * MINUTE, 10 * SECOND],
  [30 * SECOND, 4 * SECOND],
  [0, 2 * SECOND],
]
/** How long the stored state of a settled transaction stays fresh, in milliseconds. */
export const FRESH_SETTLED_MS = MINUTE

/** From an age (inclusive), the pause or interval. Both are in milliseconds. */
type Pace = readonly [olderThan: number, pause: number]

/**
 * Returns when to query the transaction next, in milliseconds since the Unix epoch; `null` if it is never queried
 * again.
 *
 * @param now Milliseconds since the Unix epoch.
 */
export function nextQueryAt(progress: Progress, now: number): number | null {
  switch (progress.stage) {
    case 'unacknowledged':
      return now + WHILE_UNACKNOWLEDGED
    case 'open': {
      const deadlines = (progress.deadlines ?? []).filter((at) => at > now)
      return Math.min(now + paceAt(WHILE_OPEN, now - progress.since), ...deadlines)
    }
    case 'confirming':
      return now
    case 'settled':
      return AFTER_SETTLEMENT.map((pause) => progress.at + pause).find((at) => at > now) ?? null
    case 'ended':
      return null
  }
}

/** Returns how long the stored state of a transaction stays fresh after a query, in milliseconds. */
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
