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
  /** Calls `wake` when an item may have become due earlier than `nextDue` returned. Returns an unsubscribe function. */
  onChange(wake: () => void): () => void
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
  let wake = () => {}
  let woken = false
  const wakeUp = () => {
    woken = true
    wake()
  }
  const stopListening = work.onChange(wakeUp)
  signal.addEventListener('abort', wakeUp, { once: true })

  while (!signal.aborted) {
    woken = false
    const pause = await turn()
    if (pause > 0 && !woken) await rest(pause)
  }
  stopListening()
  await Promise.allSettled(running)

  /** Starts the due items. Returns the pause before the next turn, in milliseconds. */
  async function turn(): Promise<number> {
    try {
      const free = MAX_RUNNING - running.size
      const items = free > 0 ? await work.claim(free) : []
      for (const item of items) start(item)
      if (items.length > 0) return 0
      const due = running.size < MAX_RUNNING ? await work.nextDue() : null
      return due === null ? longestSleepMs : Math.min(longestSleepMs, Math.max(due - clock.now(), 1))
    } catch (error) {
      log.error(
        { work: work.name, err: error },
        `The ${work.name} worker could not read the store; it retries.`,
      )
      return STORE_PAUSE_MS
    }
  }

  function start(item: Item): void {
    const task: Promise<void> = work
      .run(item)
      .catch((error: unknown) => log.error({ work: work.name, err: error }, `A ${work.name} task failed.`))
      .finally(() => {
        running.delete(task)
        wakeUp()
      })
    running.add(task)
  }

  async function rest(pause: number): Promise<void> {
    const nap = new AbortController()
    wake = () => nap.abort()
    await clock.sleep(pause, nap.signal).catch(() => {})
    wake = () => {}
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
