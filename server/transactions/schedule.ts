/**
 * Computes when the gateway is queried next, and how long a response stays fresh. Pure.
 *
 * Callbacks must not be the only source of truth [spec: What the service does, 1], and after settlement no callback is
 * promised: queries for a month detect reversals, refunds and late money. [assumed]
 */

import type { Transaction } from '../store.ts'

export const SECOND = 1_000
export const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

/** Progress of a transaction: the input of the query schedule. */
export type Progress =
  /** Not acknowledged by the gateway; sent, or about to be sent. */
  | { stage: 'unacknowledged' }
  /** `since`: when the transaction began, or when the pending change was requested. */
  | { stage: 'open'; since: number; deadlines?: readonly number[] }
  /** The merchant's service confirmation has not been delivered to the gateway. */
  | { stage: 'confirming' }
  | { stage: 'settled'; at: number }
  /** No further change is possible: never queried again. */
  | { stage: 'ended' }

/** The progress of an acknowledged transaction. */
export function progressSince(created_at: number, settled_at: number | null): Progress {
  return settled_at === null ? { stage: 'open', since: created_at } : { stage: 'settled', at: settled_at }
}

/** Pause between queries: three queries fit into the two minutes before the submission policy decides. */
const WHILE_UNACKNOWLEDGED = 41 * SECOND
/** Pause until the next query, by the transaction's age. */
const WHILE_OPEN: readonly Pace[] = [
  [7 * DAY, DAY],
  [DAY, 6 * HOUR],
  [2 * HOUR, HOUR],
  [30 * MINUTE, 5 * MINUTE],
  [5 * MINUTE, MINUTE],
  [0, 20 * SECOND],
]
/** [assumed] Times of the queries after settlement. */
const AFTER_SETTLEMENT = [HOUR, 6 * HOUR, DAY, 2 * DAY, 7 * DAY, 30 * DAY]

/**
 * How long a response about an open transaction stays fresh, by the transaction's age. Pages without an event stream
 * poll at this interval: 86 times in the first 15 minutes.
 */
const FRESH_WHILE_OPEN: readonly Pace[] = [
  [5 * MINUTE, 20 * SECOND],
  [2 * MINUTE, 10 * SECOND],
  [30 * SECOND, 4 * SECOND],
  [0, 2 * SECOND],
]
/** How long a response about a settled transaction stays fresh. */
export const FRESH_SETTLED_MS = MINUTE

type Pace = readonly [olderThan: number, pause: number]

/**
 * Returns when to query next; `null` for never.
 *
 * @param now Milliseconds since the Unix epoch, like all times here.
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

/** Returns how long the last response stays fresh, in milliseconds. */
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
