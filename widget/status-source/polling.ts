/**
 * Asks the BFF for the status, one question at a time, at the pace that the BFF sets.
 *
 * Nobody looking, or no network: no question and no timer. Coming back, or a hint that something happened:
 * asked at once, though never twice within a second.
 */

import type { Attention } from '../attention.ts'
import type { BffClient } from '../bff-client.ts'
import type { Clock } from '../clock.ts'
import type { StatusSource } from '../status-source.ts'

const SHORTEST_GAP_MS = 1_000
const LONGEST_GAP_MS = 60_000
/** [assumed] When the BFF does not say. */
const USUAL_GAP_MS = 5_000
const FIRST_BACKOFF_MS = 2_000

export interface PollingOptions {
  client: Pick<BffClient, 'status'>
  attention: Attention
  clock: Clock
  random: () => number
}

export function createPolling({ client, attention, clock, random }: PollingOptions): StatusSource {
  let isNudged = false
  let askedAt = -Infinity
  let hurry = () => {}

  return {
    async *follow(checkoutId, fresh, signal) {
      let gapMs = fresh ? USUAL_GAP_MS : 0
      let failures = 0
      for (;;) {
        await untilDue(gapMs, signal)
        if (signal.aborted) return
        isNudged = false
        askedAt = clock.now()
        const answer = await client.status(checkoutId, signal)
        if (signal.aborted) return
        yield answer
        if ('view' in answer && answer.view.settled) return
        failures = 'view' in answer ? 0 : failures + 1
        gapMs =
          failures === 0 ? paceMs(answer.retryAfterMs) : backoffMs(failures, answer.retryAfterMs, random)
      }
    },
    nudge() {
      isNudged = true
      hurry()
    },
  }

  function untilDue(gapMs: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      let cancel = () => {}
      const schedule = (ms: number) => {
        cancel()
        if (!isNudged && !attention.isThere()) return
        const waitMs = Math.max(ms, askedAt + SHORTEST_GAP_MS - clock.now())
        if (waitMs > 0) cancel = clock.after(waitMs, finish)
        else finish()
      }
      hurry = () => schedule(0)
      const unwatch = attention.watch(hurry)
      signal.addEventListener('abort', finish)
      if (signal.aborted) finish()
      else schedule(isNudged ? 0 : gapMs)

      function finish() {
        cancel()
        unwatch()
        hurry = () => {}
        signal.removeEventListener('abort', finish)
        resolve()
      }
    })
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
