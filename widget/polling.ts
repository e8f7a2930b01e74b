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

/**
 * Runs until `signal` aborts. What it returns asks at once, if somebody is looking.
 *
 * @param isFresh whether a view has just arrived, so that the first question can wait.
 */
export function poll(
  ask: () => Promise<Answer>,
  { clock, random, window }: Environment,
  isFresh: boolean,
  signal: AbortSignal,
): () => void {
  let failures = 0
  let askedAt = -Infinity
  let isAsking = false
  let cancel = () => {}

  const wait = (gapMs: number) => {
    cancel()
    const isThere = !window.document.hidden && window.navigator.onLine
    if (isAsking || !isThere || signal.aborted) return
    const waitMs = Math.max(gapMs, askedAt + SHORTEST_GAP_MS - clock.now())
    if (waitMs > 0) cancel = clock.after(waitMs, () => void question())
    else void question()
  }
  const question = async () => {
    isAsking = true
    askedAt = clock.now()
    const answer = await ask()
    isAsking = false
    failures = 'view' in answer ? 0 : failures + 1
    wait(paceMs(answer.retryAfterMs, failures, random))
  }
  signal.addEventListener('abort', () => cancel())
  wait(isFresh ? USUAL_GAP_MS : 0)
  return () => wait(0)
}

/**
 * The BFF's wish, within reason. After failures the gap doubles with each, up to a minute, and is spread so that
 * many pages do not return as one.
 *
 * @param wishMs zero for none.
 */
export function paceMs(wishMs: number, failures: number, random: () => number): number {
  const backoffMs = Math.min(FIRST_BACKOFF_MS * 2 ** (failures - 1), LONGEST_GAP_MS) * (0.5 + random() / 2)
  const gapMs = failures > 0 ? Math.max(backoffMs, wishMs) : wishMs || USUAL_GAP_MS
  return Math.min(Math.max(gapMs, SHORTEST_GAP_MS), LONGEST_GAP_MS)
}
