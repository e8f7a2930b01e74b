/**
 * Time as an argument. Everything that reads the time, waits, or gives up waiting takes a {@link Clock}, so a
 * whole world of servers can run on a virtual one.
 */

export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number
  /** Resolves after `ms` milliseconds; rejects with the signal's reason when it aborts first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}

/** The longest delay that a platform timer takes; a longer one would fire at once. */
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
