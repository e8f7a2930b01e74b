/**
 * Does what is due, when it is due, a bounded number of things at a time.
 *
 * What is due lives in the store, so a loop that is killed forgets nothing: what it had taken is leased, and
 * falls due again when the lease ends.
 */

import type { Clock } from './clock.ts'
import type { Log } from './log.ts'

export interface Work<Item> {
  name: string
  /** At most `limit` due things, leased to this loop. */
  claim(limit: number): Promise<Item[]>
  run(item: Item): Promise<void>
  /** When the next thing falls due; `null` when nothing waits. */
  nextDue(): Promise<number | null>
  /** Calls back whenever something may have fallen due earlier than was said; returns how to stop that. */
  onChange(wake: () => void): () => void
}

interface LoopDeps {
  clock: Clock
  log: Log
  /** The longest that the loop trusts {@link Work.onChange} to wake it. */
  longestSleepMs: number
}

/** How many things one loop does at the same time. */
const MOST_AT_ONCE = 16
/** How long the loop waits when the store itself fails. */
const STORE_PAUSE_MS = 1_000

/** Runs until the signal aborts, then waits for what is under way. */
export async function runWork<Item>(work: Work<Item>, deps: LoopDeps, signal: AbortSignal): Promise<void> {
  const { clock, log, longestSleepMs } = deps
  const running = new Set<Promise<void>>()
  let wake = () => {}
  let woken = false
  const poke = () => {
    woken = true
    wake()
  }
  const stopListening = work.onChange(poke)
  signal.addEventListener('abort', poke, { once: true })

  while (!signal.aborted) {
    woken = false
    const pause = await turn()
    if (pause > 0 && !woken) await rest(pause)
  }
  stopListening()
  await Promise.allSettled(running)

  /** Starts what is due; tells for how long there is nothing more to do. */
  async function turn(): Promise<number> {
    try {
      const free = MOST_AT_ONCE - running.size
      const items = free > 0 ? await work.claim(free) : []
      for (const item of items) start(item)
      if (items.length > 0) return 0
      const due = running.size < MOST_AT_ONCE ? await work.nextDue() : null
      return due === null ? longestSleepMs : Math.min(longestSleepMs, Math.max(due - clock.now(), 1))
    } catch (error) {
      log.error(
        { work: work.name, err: error },
        `The ${work.name} loop could not read the store; it tries again.`,
      )
      return STORE_PAUSE_MS
    }
  }

  function start(item: Item): void {
    const task: Promise<void> = work
      .run(item)
      .catch((error: unknown) => log.error({ work: work.name, err: error }, `One ${work.name} task failed.`))
      .finally(() => {
        running.delete(task)
        poke()
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

/** Runs a task until it succeeds once or the signal aborts. Logs each failure of the store and tries again. */
export async function retryOnFailure(
  task: () => Promise<void>,
  { clock, log }: LoopDeps,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    try {
      return await task()
    } catch (error) {
      log.error({ err: error }, 'The store could not be read when the workers started; it is tried again.')
      await clock.sleep(STORE_PAUSE_MS, signal).catch(() => {})
    }
  }
}
