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
      if (signal?.aborted) {
        return reject(signal.reason)
      }

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

/**
 * {@link withTimeout} aborts its timer with this error when the work has ended. All calls use the same error, because
 * creating an error is expensive.
 */
const DONE = new Error('The work is done.')

/**
 * Runs `work` and resolves with its result. Rejects with `late` if `work` takes longer than `ms` milliseconds; `work`
 * then continues in the background.
 *
 * @param late The error with which the promise rejects, or the message of this error.
 */
export async function withTimeout<T>(
  ms: number,
  clock: Clock,
  work: () => T | Promise<T>,
  late: string | Error,
): Promise<T> {
  const working = work()
  if (!isThenable(working)) {
    return working
  }

  const done = new AbortController()
  const deadline = clock.sleep(ms, done.signal).then(
    () => {
      throw typeof late === 'string' ? new Error(late) : late
    },
    () => new Promise<never>(() => {}),
  )
  try {
    return await Promise.race([working, deadline])
  } finally {
    done.abort(DONE)
  }
}

function isThenable(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'then' in value
}

/**
 * Returns a function that starts a ticker. The ticker calls `tick` every `ms` milliseconds until `tick` returns
 * `false`. Starting a running ticker has no effect.
 */
export function createTicker(clock: Clock, ms: number, tick: () => boolean): () => void {
  let isRunning = false
  return function start() {
    if (isRunning) {
      return
    }

    isRunning = true
    void run()
  }

  async function run(): Promise<void> {
    do {
      await clock.sleep(ms)
    } while (tick())

    isRunning = false
  }
}
