/**
 * When the gateway is queried next without anybody's asking, and for how long an answer is fresh. Pure.
 *
 * Callbacks must not be the only source of truth [spec: What the service does, 1], and after settlement none is
 * promised: reversals, refunds and late money are found by querying for a month. [assumed]
 */

import type { Transaction } from '../store.ts'

export const SECOND = 1_000
export const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

/** How far a transaction is, as far as its schedule depends on it. */
export type Progress =
  /** Sent or about to be sent, and not acknowledged. */
  | { stage: 'unacknowledged' }
  /** @property since When it began, or when the change that it waits for was asked for. */
  | { stage: 'open'; since: number; deadlines?: readonly number[] }
  /** The merchant's service confirmation is still to be sent. */
  | { stage: 'confirming' }
  | { stage: 'settled'; at: number }
  /** Nothing more can be learned. */
  | { stage: 'ended' }

/** Three queries within two minutes, before the submission policy decides. */
const WHILE_UNACKNOWLEDGED = 41 * SECOND
/** By age: how long until the next query. */
const WHILE_OPEN: readonly Pace[] = [
  [7 * DAY, DAY],
  [DAY, 6 * HOUR],
  [2 * HOUR, HOUR],
  [30 * MINUTE, 5 * MINUTE],
  [5 * MINUTE, MINUTE],
  [0, 20 * SECOND],
]
/** [assumed] After settlement. */
const AFTER_SETTLEMENT = [HOUR, 6 * HOUR, DAY, 2 * DAY, 7 * DAY, 30 * DAY]

/**
 * By age: for how long an answer about an open transaction is fresh. Pages without a stream poll at this pace: 86 times
 * in the first quarter of an hour.
 */
const FRESH_WHILE_OPEN: readonly Pace[] = [
  [5 * MINUTE, 20 * SECOND],
  [2 * MINUTE, 10 * SECOND],
  [30 * SECOND, 4 * SECOND],
  [0, 2 * SECOND],
]
/** For how long an answer about a settled transaction is fresh. */
export const FRESH_SETTLED_MS = MINUTE

type Pace = readonly [olderThan: number, pause: number]

/**
 * When to query next; `null` for never.
 *
 * @param now Milliseconds since the Unix epoch, as all times here.
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

/** For how long, in milliseconds, the last answer is fresh. */
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
