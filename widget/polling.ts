/**
 * Asks for the status, one question at a time, at the pace that the BFF sets.
 *
 * Nobody looking, or no network: no question and no timer. Coming back, or a hint that something happened:
 * asked at once, though never twice within a second.
 */

import type { Answer } from './bff-client.ts'
import type { Environment } from './environment.ts'

const SHORTEST_GAP_MS = 1_000
const LONGEST_GAP_MS = 60_000
/** [assumed] When the BFF does not say. */
const USUAL_GAP_MS = 5_000
const FIRST_BACKOFF_MS = 2_000

/** Looks whether to ask now; when it is urgent, asks even though nobody is looking. */
export type Hurry = (isUrgent: boolean) => void

/**
 * Runs until `signal` aborts.
 *
 * @param isFresh whether a view has just arrived, so that the first question can wait.
 */
export function poll(
  ask: () => Promise<Answer>,
  { clock, random, window }: Environment,
  isFresh: boolean,
  signal: AbortSignal,
): Hurry {
  let failures = 0
  let askedAt = -Infinity
  let isAsking = false
  let isHinted = false
  let cancel = () => {}

  const wait = (gapMs: number) => {
    cancel()
    const isThere = isHinted || (!window.document.hidden && window.navigator.onLine)
    if (isAsking || !isThere || signal.aborted) return
    const waitMs = Math.max(isHinted ? 0 : gapMs, askedAt + SHORTEST_GAP_MS - clock.now())
    if (waitMs > 0) cancel = clock.after(waitMs, () => void question())
    else void question()
  }
  const question = async () => {
    isAsking = true
    isHinted = false
    askedAt = clock.now()
    const answer = await ask()
    isAsking = false
    failures = 'view' in answer ? 0 : failures + 1
    wait(failures > 0 ? backoffMs(failures, answer.retryAfterMs, random) : paceMs(answer.retryAfterMs))
  }
  signal.addEventListener('abort', () => cancel())
  wait(isFresh ? USUAL_GAP_MS : 0)
  return (isUrgent) => {
    isHinted ||= isUrgent
    wait(0)
  }
}

/** @param retryAfterMs what the BFF wishes, or zero. */
export function paceMs(retryAfterMs: number): number {
  return Math.min(Math.max(retryAfterMs || USUAL_GAP_MS, SHORTEST_GAP_MS), LONGEST_GAP_MS)
}

/** Doubles with each failure up to a minute, and is spread so that many pages do not return as one. */
export function backoffMs(failures: number, retryAfterMs: number, random: () => number): number {
  const ceiling = Math.min(FIRST_BACKOFF_MS * 2 ** (failures - 1), LONGEST_GAP_MS)
  return Math.max(ceiling * (0.5 + random() / 2), Math.min(retryAfterMs, LONGEST_GAP_MS))
}
