/**
 * A worker: claims due items from the store and runs them, a limited number at a time.
 *
 * Claimed items are leased. If the process is killed, its items become due again when their leases end.
 */

import type { Clock } from './clock.ts'
import type { Log } from './log.ts'

export interface Work<Item> {
  name: string
  /** Leases at most `limit` due items to this worker. */
  claim(limit: number): Promise<Item[]>
  run(item: Item): Promise<void>
  /** When the next item becomes due, in milliseconds since the Unix epoch; `null` when there is none. */
  nextDue(): Promise<number | null>
  /** Calls `wake` with the time at which a changed item becomes due; `null`: never. Returns an unsubscribe function. */
  onChange(wake: (dueAt: number | null) => void): () => void
}

interface LoopDeps {
  clock: Clock
  log: Log
  /** The longest pause between two claims, in case {@link Work.onChange} misses a change. */
  longestSleepMs: number
}

/** The most items that one worker runs at the same time. */
const MAX_RUNNING = 16
/** Pause after a store error. */
const STORE_PAUSE_MS = 1_000

/** Runs until the signal aborts, then waits for the running items. */
export async function runWork<Item>(work: Work<Item>, deps: LoopDeps, signal: AbortSignal): Promise<void> {
  const { clock, log, longestSleepMs } = deps
  const running = new Set<Promise<void>>()
  /** When the next turn starts. Changes and finished tasks bring it forward. */
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
  await Promise.allSettled(running)

  /** Starts the due items. Returns when the next turn is needed; `null` when no item is due. */
  async function turn(): Promise<number | null> {
    try {
      const free = MAX_RUNNING - running.size
      if (free === 0) return null
      const items = await work.claim(free)
      for (const item of items) start(item)
      const due = items.length === free ? null : await work.nextDue()
      return due === null ? null : Math.max(due, clock.now() + 1)
    } catch (error) {
      log.error(
        { work: work.name, err: error },
        `The ${work.name} worker could not read the store; it retries.`,
      )
      return clock.now() + STORE_PAUSE_MS
    }
  }

  function start(item: Item): void {
    const task: Promise<void> = work
      .run(item)
      .catch((error: unknown) => log.error({ work: work.name, err: error }, `A ${work.name} task failed.`))
      .finally(() => {
        // With a free slot, items that are due can start.
        if (running.size === MAX_RUNNING) turnBy(clock.now())
        running.delete(task)
      })
    running.add(task)
  }

  /** After the system clock jumps back, the next turn seems far away: one rest is at most `longestSleepMs`. */
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
