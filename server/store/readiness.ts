/**
 * Checks whether the store can be written, and keeps an outage from flooding the log: one line when it begins, one a
 * minute while it lasts, and one when the store can be written again. The other lines are logged at the level `debug`.
 */

import { withTimeout } from '../work/clock.ts'
import { StoreError } from './errors.ts'

import type { Log } from '../log/log.ts'
import type { Clock } from '../work/clock.ts'
import type { Store } from './store.ts'

/** Milliseconds between two checks of the store. Calls between two checks get the result of the last check. */
const CHECK_PAUSE_MS = 2_000
/** Milliseconds within which a test write to the store must complete. */
const CHECK_DEADLINE_MS = 5_000

/**
 * Writes to the store, at most once in 2 seconds, or if the last check began at or before `after` (in milliseconds
 * since the Unix epoch).
 *
 * @throws {StoreError} if the store cannot be written within 5 seconds.
 */
export type CheckStore = (after?: number) => Promise<void>

export function createStoreCheck(store: Pick<Store, 'ping'>, clock: Clock): CheckStore {
  let last = { at: -Infinity, result: Promise.resolve() }
  return (after = -Infinity) => {
    const now = clock.now()
    // After the system clock jumps back, the last check may lie in the future.
    const isRecent = now >= last.at && now - last.at < CHECK_PAUSE_MS
    if (!isRecent || last.at <= after) {
      last = { at: now, result: check() }
    }
    return last.result
  }

  function check(): Promise<void> {
    const late = new StoreError(`The store did not write within ${CHECK_DEADLINE_MS / 1000} seconds.`)
    return withTimeout(CHECK_DEADLINE_MS, clock, () => store.ping(), late)
  }
}

const REPEAT_MS = 60_000

/**
 * `storeResponded` reports that the store was used without an error. During an outage, this checks whether the outage
 * is over.
 *
 * @param checkStore Writes to the store: while a disk is full, the store can be read.
 */
export function createOutageLog(log: Log, clock: Clock, checkStore: CheckStore) {
  let outage: { since: number; failedAt: number; loggedAt: number; similar: number } | null = null
  let isChecking = false
  return {
    log: {
      // Looked up at each call: a logger may replace its methods when its level changes.
      debug: (facts, message) => log.debug(facts, message),
      info: (facts, message) => log.info(facts, message),
      warn: (facts, message) => log.warn(facts, message),
      error: (facts, message) => (isOfStore(facts) ? logOutage(facts, message) : log.error(facts, message)),
    } satisfies Log,
    storeResponded: () => void endOutage(),
  }

  function logOutage(facts: object, message: string): void {
    const now = clock.now()
    if (outage && now >= outage.loggedAt && now - outage.loggedAt < REPEAT_MS) {
      outage.similar += 1
      outage.failedAt = now
      return log.debug(facts, message)
    }

    log.error(outage ? { ...facts, similar: outage.similar } : facts, message)
    outage = { since: outage?.since ?? now, failedAt: now, loggedAt: now, similar: 0 }
  }

  async function endOutage(): Promise<void> {
    if (!outage || isChecking) {
      return
    }

    const { since, failedAt } = outage
    isChecking = true
    // A check from before the last failure says nothing about it.
    const isWritten = await checkStore(failedAt).then(
      () => true,
      () => false,
    )
    isChecking = false
    if (!isWritten || outage.failedAt !== failedAt) {
      return
    }

    outage = null
    log.warn({ seconds: Math.round((clock.now() - since) / 1000) }, 'The store responds again.')
  }
}

function isOfStore(facts: object): boolean {
  return 'err' in facts && facts.err instanceof StoreError
}
