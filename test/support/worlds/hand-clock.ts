import type { Clock } from '../../../widget/button/environment.ts'

interface HandClock extends Clock {
  advance(ms: number): void
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
        if (next === undefined) {
          break
        }

        timers.delete(next)
        nowMs = Math.max(nowMs, next.at)
        next.run()
      }

      nowMs = end
    },
    get timers() {
      return timers.size
    },
  }
}
