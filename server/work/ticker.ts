import type { Clock } from './clock.ts'

/**
 * Returns a function that starts a ticker. The ticker calls `tick` every `ms` milliseconds until `tick` returns
 * `false`. Starting a running ticker has no effect.
 */
export function createTicker(clock: Clock, ms: number, tick: () => boolean): () => void {
  let isRunning = false
  return function start() {
    if (isRunning) return
    isRunning = true
    void run()
  }

  async function run(): Promise<void> {
    do await clock.sleep(ms)
    while (tick())
    isRunning = false
  }
}
