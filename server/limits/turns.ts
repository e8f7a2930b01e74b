/** Makes calls wait that could together exceed a limit. */

export interface Turns {
  /**
   * Resolves with `true` when the call may run. Resolves with `false` if the limit is reached, or too many calls of the
   * key wait.
   *
   * @param left Returns how many more calls the limit allows. Calls that run count as if they would all be counted.
   */
  enter(key: string, left: () => number): Promise<boolean>
  /** Ends a call. `left`: how many more calls the limit allows. */
  leave(key: string, left: number): void
}

/** The calls of a key. */
interface Calls {
  running: number
  /** Functions that let a waiting call try again. */
  waiting: (() => void)[]
}

/** Largest number of waiting calls of a key. */
const MOST_WAITING = 1_000

export function createTurns(): Turns {
  const calls = new Map<string, Calls>()
  return {
    async enter(key, left) {
      while (left() > 0) {
        const here = calls.get(key) ?? { running: 0, waiting: [] }
        calls.set(key, here)
        if (here.running < left()) {
          here.running += 1
          return true
        }
        if (here.waiting.length >= MOST_WAITING) return false
        await new Promise<void>((resolve) => here.waiting.push(resolve))
      }
      return false
    },

    leave(key, left) {
      const here = calls.get(key)
      if (!here) return
      here.running -= 1
      // At the limit, every waiting call tries again, and is refused.
      const woken = left <= 0 ? Infinity : Math.max(0, left - here.running)
      for (const tryAgain of here.waiting.splice(0, woken)) tryAgain()
      if (here.running === 0 && here.waiting.length === 0) calls.delete(key)
    },
  }
}
