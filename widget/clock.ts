/** The element's only touch of time and chance: everything else is given them, so that tests can move them. */

export interface Clock {
  /** Milliseconds since the Unix epoch, by the device. */
  now(): number
  /** Runs once after `ms` milliseconds; the answer calls it off. */
  after(ms: number, run: () => void): () => void
}

export const systemClock: Clock = {
  now: () => Date.now(),
  after: (ms, run) => {
    const timer = setTimeout(run, ms)
    return () => clearTimeout(timer)
  },
}

/** From 0 to just below 1. */
export const systemRandom = () => Math.random()
