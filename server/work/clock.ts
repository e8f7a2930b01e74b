/** Defines the clock, an argument of all code that reads the time or waits. Tests pass a virtual clock. */

export interface Clock {
  /** Returns the current time, in milliseconds since the Unix epoch. */
  now(): number
  /** Resolves after `ms` milliseconds. Rejects with the signal's reason if the signal aborts first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}

/**
 * The maximum delay that `setTimeout` accepts, in milliseconds. With a longer delay, a timer would fire immediately.
 */
const LONGEST_TIMER_MS = 2 ** 31 - 1

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
