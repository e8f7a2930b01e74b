/** Makes parallel calls with the same key wait if all of them together could exceed a limit. */

export interface Turns {
  /**
   * Resolves with `true` when the call may run. Resolves with `false` if the limit is reached, or too many calls with
   * this key are waiting.
   *
   * @param left Returns how many further calls the limit allows. The function does not count running calls; `enter`
   * subtracts them from the result.
   */
  enter(key: string, left: () => number): Promise<boolean>
  /**
   * Ends a call that `enter` has allowed. `left` is how many further calls the limit allows, running calls not counted.
   */
  leave(key: string, left: number): void
}

/** The running and the waiting calls with one key. */
interface Calls {
  running: number
  /** For each waiting call, a function that makes the call test the limit again. */
  waiting: (() => void)[]
}

/** The maximum number of waiting calls with one key. */
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
      // If the limit is reached, all waiting calls test the limit again and are refused.
      const woken = left <= 0 ? Infinity : Math.max(0, left - here.running)
      for (const tryAgain of here.waiting.splice(0, woken)) tryAgain()
      if (here.running === 0 && here.waiting.length === 0) calls.delete(key)
    },
  }
}
