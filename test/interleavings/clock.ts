/** A clock that moves only when told. */

import type { Clock } from '../../server/work/clock.ts'

interface Timer {
  at: number
  wake: () => void
}

export type VirtualClock = ReturnType<typeof createVirtualClock>

export function createVirtualClock(start: number) {
  let now = start
  const timers = new Set<Timer>()

  return {
    now: () => now,

    sleep: (ms: number, signal?: AbortSignal) =>
      new Promise<void>((resolve, reject) => {
        if (signal?.aborted) {
          return reject(signal.reason)
        }

        const timer = { at: now + Math.max(ms, 0), wake }
        timers.add(timer)
        signal?.addEventListener('abort', abort)

        function wake() {
          signal?.removeEventListener('abort', abort)
          resolve()
        }

        function abort() {
          timers.delete(timer)
          signal?.removeEventListener('abort', abort)
          reject(signal?.reason)
        }
      }),

    /** Moves the clock, and wakes those whose time has come. */
    advance(ms: number): void {
      now += ms
      for (const timer of timers) {
        if (timer.at > now) {
          continue
        }

        timers.delete(timer)
        timer.wake()
      }
    },

    /** The time until somebody wakes; `null` if nobody sleeps. */
    get untilNext(): number | null {
      if (timers.size === 0) {
        return null
      }
      return Math.max(0, Math.min(...[...timers].map(({ at }) => at)) - now)
    },
  } satisfies Clock & Record<string, unknown>
}
