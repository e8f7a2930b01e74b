/** The element's clock, moved by hand. */

import type { Clock } from '../../widget/clock.ts'

export interface HandClock extends Clock {
  /** Runs everything that comes due within `ms`, each at its time. */
  advance(ms: number): void
  /** The device sleeps: what comes due meanwhile runs when time next passes. */
  sleep(ms: number): void
  /** How many timers are running. */
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
