/**
 * A worker: claims due items from the store and runs them, a limited number at a time.
 *
 * Claimed items are leased. If the process is killed, its items become due again when their leases end.
 */

import type { Clock } from './clock.ts'
import type { Log } from './log.ts'

export interface Work<Item> {
  name: string
  limits: Limits
  /** Leases at most `limit` due items to this worker. */
  claim(limit: number): Promise<Item[]>
  run(item: Item): Promise<void>
  /** When the next item becomes due, in milliseconds since the Unix epoch; `null` when there is none. */
  nextDue(): Promise<number | null>
  /** Calls `wake` with the time at which a changed item becomes due; `null`: never. Returns an unsubscribe function. */
  onChange(wake: (dueAt: number | null) => void): () => void
}

/** How many items run at the same time. */
interface Limits {
  /** Items that have run for less than `slowMs`. */
  slots: number
  /** All items. */
  most: number
  slowMs: number
}

interface LoopDeps {
  clock: Clock
  log: Log
  /** The longest pause between two claims, in case {@link Work.onChange} misses a change. */
  longestSleepMs: number
}

/** Pause after a store error. */
const STORE_PAUSE_MS = 1_000

/** Runs until the signal aborts, then waits for the running items. */
export async function runWork<Item>(work: Work<Item>, deps: LoopDeps, signal: AbortSignal): Promise<void> {
  const { clock, log, longestSleepMs } = deps
  const { slots, most, slowMs } = work.limits
  /** The running items, oldest first, with the times at which they started. */
  const running = new Map<Promise<void>, number>()
  /** When the next turn starts. Changes and finished tasks make it earlier. */
  let turnAt = 0
  let wake = () => {}
  const turnBy = (at: number | null) => {
    if (at === null || at >= turnAt) return
    turnAt = at
    wake()
  }
  const stopListening = work.onChange(turnBy)
  const stop = () => turnBy(-Infinity)
  signal.addEventListener('abort', stop, { once: true })

  while (!signal.aborted) {
    turnAt = clock.now() + longestSleepMs
    turnBy(await turn())
    await restUntilTurn()
  }
  stopListening()
  await Promise.allSettled(running.keys())

  /** Starts the due items. Returns when the next turn is needed; `null` when no item is due. */
  async function turn(): Promise<number | null> {
    try {
      const { free, nextFreeAt } = findFree(clock.now())
      if (free === 0) return nextFreeAt
      const items = await work.claim(free)
      for (const item of items) start(item)
      if (items.length === free) return clock.now() + 1
      const due = await work.nextDue()
      return due === null ? null : Math.max(due, clock.now() + 1)
    } catch (error) {
      log.error(
        { work: work.name, err: error },
        `The ${work.name} worker could not read the store; it retries.`,
      )
      return clock.now() + STORE_PAUSE_MS
    }
  }

  /** Returns how many items may start now, and, if none, when a running item counts as slow. */
  function findFree(now: number): { free: number; nextFreeAt: number | null } {
    const fast = [...running.values()].filter((startedAt) => startedAt + slowMs > now)
    const free = Math.max(0, Math.min(slots - fast.length, most - running.size))
    const [oldest] = fast
    return { free, nextFreeAt: oldest === undefined ? null : oldest + slowMs }
  }

  function start(item: Item): void {
    const task: Promise<void> = work
      .run(item)
      .catch((error: unknown) => log.error({ work: work.name, err: error }, `A ${work.name} task failed.`))
      .finally(() => {
        // With a free slot, items that are due can start.
        if (findFree(clock.now()).free === 0) turnBy(clock.now())
        running.delete(task)
      })
    running.set(task, clock.now())
  }

  /**
   * Sleeps until the next turn. One sleep takes at most `longestSleepMs`, because after the system clock jumps back,
   * `turnAt` lies too far in the future.
   */
  async function restUntilTurn(): Promise<void> {
    for (let isWoken = true; isWoken;) {
      const pause = Math.min(turnAt - clock.now(), longestSleepMs)
      if (pause <= 0) return
      const nap = new AbortController()
      wake = () => nap.abort()
      isWoken = await clock.sleep(pause, nap.signal).then(
        () => false,
        () => true,
      )
      wake = () => {}
    }
  }
}

/** Runs a task until it succeeds once or the signal aborts. Logs each store error and retries after a pause. */
export async function retryOnFailure(
  task: () => Promise<void>,
  { clock, log }: LoopDeps,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    try {
      return await task()
    } catch (error) {
      log.error({ err: error }, 'The store could not be read when the workers started; this is retried.')
      await clock.sleep(STORE_PAUSE_MS, signal).catch(() => {})
    }
  }
}
