/** The clock as a dependency. Code that reads the time or waits takes a {@link Clock}; tests pass a virtual clock. */

/** Reads the time and waits. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number
  /** Resolves after `ms` milliseconds; rejects with the signal's reason when it aborts first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}

/** The longest delay that `setTimeout` accepts. A longer delay fires at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

/** The system clock, which is the default. */
export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason)
      const timer = setTimeout(wake, Math.min(Math.max(ms, 0), LONGEST_TIMER_MS))
      signal?.addEventListener('abort', abort, { once: true })
      function wake() {
        signal?.removeEventListener('abort', abort)
        resolve()
      }
      function abort() {
        clearTimeout(timer)
        reject(signal?.reason)
      }
    }),
}
