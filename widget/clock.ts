/** The element's only touch of time and chance: everything else is given them, so that tests can move them. */

export interface Clock {
  /** Milliseconds since the Unix epoch, by the device. */
  now(): number
  /** Runs once after `ms` milliseconds, those asleep included; the answer calls it off. */
  after(ms: number, run: () => void): () => void
}

/** How long after waking what came due is noticed. */
const TURN_MS = 1_000

export const systemClock: Clock = {
  now: () => Date.now(),
  // A timer of the browser's may stand still while the device sleeps, and a clock that is set back must stop none.
  after(ms, run) {
    let timer: ReturnType<typeof setTimeout>
    const turn = (leftMs: number) => {
      const turnMs = Math.min(leftMs, TURN_MS)
      const begunAt = Date.now()
      timer = setTimeout(() => {
        const restMs = leftMs - Math.max(turnMs, Date.now() - begunAt)
        if (restMs > 0) turn(restMs)
        else run()
      }, turnMs)
    }
    turn(ms)
    return () => clearTimeout(timer)
  },
}

/** From 0 to just below 1. */
export const systemRandom = () => Math.random()
