/**
 * When to ask the gateway again of its own accord. Pure.
 *
 * Callbacks must not be the only source of truth [spec: What the service does, 1], and after settlement nothing
 * promises one at all: reversals, refunds and late money are found by asking again for a month. [assumed]
 */

export const SECOND = 1_000
export const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** [assumed] */
const AFTER_SETTLEMENT = [HOUR, 6 * HOUR, DAY, 2 * DAY, 7 * DAY, 30 * DAY]
/** By age: how long until the next question. */
const WHILE_OPEN: readonly [olderThan: number, pause: number][] = [
  [7 * DAY, DAY],
  [DAY, 6 * HOUR],
  [2 * HOUR, HOUR],
  [30 * MINUTE, 5 * MINUTE],
  [5 * MINUTE, MINUTE],
  [0, 20 * SECOND],
]
/** Three questions before anything unacknowledged is given up or sent again, two minutes after it was sent. */
const WHILE_UNSENT = 41 * SECOND

export function whileOpen(createdAt: number, now: number): number {
  const pause = WHILE_OPEN.find(([olderThan]) => now - createdAt >= olderThan)?.[1] ?? 20 * SECOND
  return now + pause
}

/** `null` when nothing more is expected to happen. */
export function afterSettlement(settledAt: number, now: number): number | null {
  return AFTER_SETTLEMENT.map((pause) => settledAt + pause).find((at) => at > now) ?? null
}

export function whileUnacknowledged(now: number): number {
  return now + WHILE_UNSENT
}

/**
 * For how long an answer about something open is fresh enough for whoever asks, by age. Pages without a stream ask at
 * this pace: 86 times in the first quarter of an hour.
 */
const FRESH_WHILE_OPEN: readonly [olderThan: number, pause: number][] = [
  [5 * MINUTE, 20 * SECOND],
  [2 * MINUTE, 10 * SECOND],
  [30 * SECOND, 4 * SECOND],
]

export function freshWhileOpenMs(createdAt: number, now: number): number {
  return FRESH_WHILE_OPEN.find(([olderThan]) => now - createdAt >= olderThan)?.[1] ?? 2 * SECOND
}

/** The same about something settled. */
export const FRESH_SETTLED_MS = MINUTE
