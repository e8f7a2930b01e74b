/** Real time, as the timeline needs it: a clock on the wall and one timer. */
export interface Wall {
  /** Milliseconds since the Unix epoch. */
  now(): number
  /** Runs `wake` once after `ms` milliseconds; the answer takes it back. */
  wakeAfter(ms: number, wake: () => void): () => void
}

/** The longest delay that a platform timer takes; a longer one would fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

export const systemWall: Wall = {
  now: () => Date.now(),
  wakeAfter: (ms, wake) => {
    const timer = setTimeout(wake, Math.min(Math.max(ms, 0), LONGEST_TIMER_MS))
    // What is due later must not keep a process alive that has nothing else to do.
    timer.unref()
    return () => clearTimeout(timer)
  },
}
