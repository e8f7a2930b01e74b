/**
 * Runs workers: each claims due items from the store, and works on a limited number of them at the same time. An item
 * is, for example, a transaction to query or an event to deliver.
 *
 * Claimed items are leased, so of several replicas one works on an item: the claims are statements of `store/sql/`. If
 * the process is killed, its items become due again when their leases end (`LEASE_MS` in
 * `transactions/reconciliation.ts`, `outbox/deliver.ts` and `notices/notices.ts`).
 *
 * Due times and leases are times of the system clock. After the clock jumps back, they lie too far ahead, and are
 * brought forward.
 */

import type { Log } from '../log/log.ts'
import type { Clock } from './clock.ts'

export interface Work<Item> {
  name: string
  limits: Limits
  /** Resolves with at most `limit` due items, which are leased to this worker. */
  claim(limit: number): Promise<Item[]>
  run(item: Item): Promise<void>
  /**
   * Brings due times and leases forward that lie too far ahead. Called when the worker starts, when the clock has
   * jumped back, and every hour (`isHourly`), because another process may have had a wrong clock.
   */
  correctTimes(isHourly: boolean): Promise<void>
  /**
   * Resolves with the time at which the next item can be claimed, in milliseconds since the Unix epoch; `null` if no
   * item has a due time.
   */
  nextDue(): Promise<number | null>
  /**
   * Calls `wake` after each change of an item, with the item's due time in milliseconds since the Unix epoch, or with
   * `null` if the item has no due time. Returns a function that stops these calls.
   */
  onChange(wake: (dueAt: number | null) => void): () => void
}

/**
 * The maximum numbers of items that one worker runs at the same time. An item occupies a slot for `slowMs` milliseconds
 * at most, even if it runs longer.
 */
interface Limits {
  /** The maximum number of concurrent items that have run for less than `slowMs`. */
  slots: number
  /** The maximum number of concurrent items, whatever their running time. */
  most: number
  slowMs: number
}

export interface LoopDeps {
  clock: Clock
  log: Log
  /** The maximum pause between two claims, in milliseconds, even if {@link Work.onChange} reports no change. */
  longestSleepMs: number
  /** Called after each successful access to the store. */
  storeResponded: () => void
}

/**
 * The abort reason for a pause that ends early. All pauses use this one object, because creating an error is expensive.
 */
const WOKEN = new Error('An item is due.')
/** The pause after a failed access to the store, in milliseconds. */
const STORE_PAUSE_MS = 1_000
const BRING_FORWARD_EVERY_MS = 60 * 60_000
/** A timer may fire this many milliseconds early. A shorter jump of the clock delays nothing for long. */
const EARLY_MS = 1_000

/** Claims and runs items until the signal aborts. Resolves when the last running item has ended. */
export async function runWork<Item>(work: Work<Item>, deps: LoopDeps, signal: AbortSignal): Promise<void> {
  const { clock, log, longestSleepMs, storeResponded } = deps
  const { name, limits } = work
  /** The running items, oldest first, with the times at which they started. */
  const running = new Map<Promise<void>, number>()
  /**
   * The time of the next claim, in milliseconds since the Unix epoch. If an item changes or ends, this time may become
   * earlier.
   */
  let nextClaimAt = 0
  /** The clock shows this time or a later one, unless it has jumped back. */
  let notBefore = -Infinity
  /** When due times are brought forward again; `null`: at the next claim. */
  let forwardAt: number | null = null
  let wake = () => {}

  const claimBy = (at: number | null) => {
    if (at === null || at >= nextClaimAt) {
      return
    }

    nextClaimAt = at
    wake()
  }

  const stopListening = work.onChange(claimBy)
  signal.addEventListener('abort', () => claimBy(-Infinity), { once: true })

  while (!signal.aborted) {
    nextClaimAt = clock.now() + longestSleepMs
    claimBy(await claimDue())
    await sleepUntilNextClaim()
  }

  stopListening()
  await Promise.allSettled(running.keys())

  /**
   * Claims and starts due items. Resolves with the time of the next claim, in milliseconds since the Unix epoch; `null`
   * if no item has a due time, or if no item can start before a running item ends.
   */
  async function claimDue(): Promise<number | null> {
    try {
      if (forwardAt === null || clock.now() >= forwardAt) {
        await work.correctTimes(forwardAt !== null)
        forwardAt = clock.now() + BRING_FORWARD_EVERY_MS
      }

      const { free, nextFreeAt } = findFree(running, limits, clock.now())
      if (free === 0) {
        return nextFreeAt
      }

      const items = await work.claim(free)
      storeResponded()
      for (const item of items) {
        start(item)
      }

      // A millisecond between two claims lets the rest of the process run.
      if (items.length === free) {
        return clock.now() + 1
      }

      const due = await work.nextDue()
      return due === null ? null : Math.max(due, clock.now() + 1)
    } catch (error) {
      log.error({ work: name, err: error }, `The ${name} worker could not read the store; it retries.`)
      return clock.now() + STORE_PAUSE_MS
    }
  }

  function start(item: Item): void {
    const task: Promise<void> = work
      .run(item)
      .catch((error: unknown) => log.error({ work: name, err: error }, `A ${name} task failed.`))
      .finally(() => {
        // If the limits prevented further items from starting, a due item may start now.
        if (findFree(running, limits, clock.now()).free === 0) {
          claimBy(clock.now())
        }

        running.delete(task)
      })
    running.set(task, clock.now())
  }

  /**
   * Sleeps until the time of the next claim, which may change meanwhile, or until the clock has jumped back: the next
   * claim is then too far in the future. No sleep is longer than `longestSleepMs`, so that a jump is noticed.
   */
  async function sleepUntilNextClaim(): Promise<void> {
    for (let isWoken = true; isWoken;) {
      const now = clock.now()
      const hasJumped = now < notBefore - EARLY_MS
      if (hasJumped) {
        forwardAt = null
      }

      const pause = hasJumped ? 0 : Math.min(nextClaimAt - now, longestSleepMs)
      notBefore = now
      if (pause <= 0) {
        return
      }

      const sleeping = new AbortController()
      wake = () => sleeping.abort(WOKEN)
      isWoken = await clock.sleep(pause, sleeping.signal).then(
        () => false,
        () => true,
      )
      wake = () => {}
      if (!isWoken) {
        notBefore = now + pause
      }
    }
  }
}

/**
 * Returns the number of items that may start now (`free`). `nextFreeAt` is the next time at which a running item
 * reaches `slowMs`, so that another item may start; `null` if every running item has already reached `slowMs`.
 *
 * @param running The times at which the running items started, oldest first.
 */
function findFree(
  running: ReadonlyMap<unknown, number>,
  { slots, most, slowMs }: Limits,
  now: number,
): { free: number; nextFreeAt: number | null } {
  const fast = [...running.values()].filter((startedAt) => startedAt + slowMs > now)
  const free = Math.max(0, Math.min(slots - fast.length, most - running.size))
  const [oldest] = fast
  return { free, nextFreeAt: oldest === undefined ? null : oldest + slowMs }
}

/** Repeats a task until it succeeds or the signal aborts. Logs each error and pauses before the next attempt. */
export async function retryOnFailure(
  task: () => Promise<void>,
  { clock, log }: LoopDeps,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    try {
      return await task()
    } catch (error) {
      log.error({ err: error }, 'The store could not be used when the workers started; this is retried.')
      await clock.sleep(STORE_PAUSE_MS, signal).catch(() => {})
    }
  }
}
