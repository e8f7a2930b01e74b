/** The browser APIs that the element uses, passed as arguments so that tests can replace them. */

export interface Clock {
  /** Returns the device's time in milliseconds since the Unix epoch. */
  now(): number
  /**
   * Calls `run` once after `ms` milliseconds. Time in which the device sleeps counts too. Returns a function that
   * cancels the call.
   */
  after(ms: number, run: () => void): () => void
}

export interface Environment {
  fetch: typeof fetch
  clock: Clock
  /** Returns a random number from 0 (inclusive) to 1 (exclusive). */
  random: () => number
  window: Window & typeof globalThis
}

/**
 * The longest duration of one `setTimeout`, in milliseconds; a longer wait consists of several. If a wait ends while
 * the device sleeps, `run` is called at most this time after the device wakes up.
 */
const TURN_MS = 1_000

export const systemClock: Clock = {
  now: () => Date.now(),
  // Browser timers may stop while the device sleeps, and a clock that is set back must not stop a timer.
  after(ms, run) {
    let timer: ReturnType<typeof setTimeout>

    const turn = (leftMs: number) => {
      const turnMs = Math.min(leftMs, TURN_MS)
      const begunAt = Date.now()
      timer = setTimeout(() => {
        const restMs = leftMs - Math.max(turnMs, Date.now() - begunAt)
        if (restMs > 0) {
          turn(restMs)
        } else {
          run()
        }
      }, turnMs)
    }

    turn(ms)
    return () => clearTimeout(timer)
  },
}

/**
 * The APIs of a real browser. No global variable is read before it is used, so that this module can be imported without
 * a browser.
 */
export const browserEnvironment: Environment = {
  fetch: (input, init) => fetch(input, init),
  clock: systemClock,
  random: () => Math.random(),
  get window() {
    return window
  },
}
