/**
 * When to ask the gateway again, of its own accord or for whoever asks. Pure.
 *
 * Callbacks must not be the only source of truth [spec: What the service does, 1], and after settlement nothing
 * promises one at all: reversals, refunds and late money are found by asking again for a month. [assumed]
 */

import type { Checkout } from './record.ts'
import { EXPIRY_GRACE_MS, judge } from './outcome.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** After settlement. [assumed] */
const AFTER_SETTLEMENT = [HOUR, 6 * HOUR, DAY, 2 * DAY, 7 * DAY, 30 * DAY]
/** By age of the checkout: how long until the next question of ours. A month and more later, once a day. */
const WHILE_OPEN: readonly [olderThan: number, pause: number][] = [
  [7 * DAY, DAY],
  [DAY, 6 * HOUR],
  [2 * HOUR, HOUR],
  [30 * MINUTE, 5 * MINUTE],
  [5 * MINUTE, MINUTE],
  [0, 20 * SECOND],
]
/** An unsent or unanswered intent: three questions before it is given up after two minutes. */
const WHILE_INTENDED = 41 * SECOND

/** When to ask next after an answer; `null` when nothing more can be learned. */
export function askAt(checkout: Pick<Checkout, 'record' | 'created_at'>, now: number): number | null {
  const age = now - checkout.created_at
  switch (checkout.record.phase) {
    case 'refused':
    case 'abandoned':
      return null
    case 'intended':
      return now + WHILE_INTENDED
    case 'open': {
      const { session, settled_at } = checkout.record
      if (settled_at !== null) {
        const next = AFTER_SETTLEMENT.map((pause) => settled_at + pause).find((at) => at > now)
        return next ?? null
      }
      const regular = now + pauseAt(age)
      // The end of the session changes what an answer means, so it is not left to chance when it is noticed.
      const turns = [session.expires_at, session.expires_at + EXPIRY_GRACE_MS].map((at) => at + SECOND)
      return Math.min(regular, ...turns.filter((at) => at > now))
    }
  }
}

/** For how long an answer is fresh enough for the shopper's page. Pages poll at this pace. */
export function freshForMs(checkout: Checkout, now: number): number {
  if (judge(checkout).settled) return MINUTE
  const age = now - checkout.created_at
  if (age < 2 * MINUTE) return 2 * SECOND
  return age < 10 * MINUTE ? 5 * SECOND : 15 * SECOND
}

function pauseAt(age: number): number {
  return WHILE_OPEN.find(([olderThan]) => age >= olderThan)?.[1] ?? 20 * SECOND
}
