/** A clock for the element that only the test moves. */

import type { Clock } from '../../widget/clock.ts'

export interface HandClock extends Clock {
  /** Moves the clock by `ms` milliseconds and runs each due timer at its time. */
  advance(ms: number): void
  /** Moves the clock by `ms` milliseconds like a sleeping device: due timers do not run until `advance`. */
  sleep(ms: number): void
  /** The number of pending timers. */
  readonly timers: number
}

export function createHandClock(startMs = Date.parse('2026-11-21T09:00:00Z')): HandClock {
  let nowMs = startMs
  const timers = new Set<{ at: number; run: () => void }>()
  return {
    now: () => nowMs,
    after(ms, run) {
      const timer = { at: nowMs + ms, run }
      timers.add(timer)
      return () => timers.delete(timer)
    },
    advance(ms) {
      const end = nowMs + ms
      for (;;) {
        const [next] = [...timers].filter(({ at }) => at <= end).toSorted((a, b) => a.at - b.at)
        if (next === undefined) break
        timers.delete(next)
        nowMs = Math.max(nowMs, next.at)
        next.run()
      }
      nowMs = end
    },
    sleep: (ms) => void (nowMs += ms),
    get timers() {
      return timers.size
    },
  }
}
