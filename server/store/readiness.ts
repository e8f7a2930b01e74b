/** Checks whether the store can be written. `/health/ready` and the metrics each make this check. */

import type { Clock } from '../work/clock.ts'
import type { Store } from './store.ts'
import { StoreError } from './store.ts'
import { withTimeout } from '../work/clock.ts'

/** Milliseconds between two checks of the store. Calls between two checks get the result of the last check. */
const CHECK_PAUSE_MS = 2_000
/** Milliseconds within which a test write to the store must complete. */
const CHECK_DEADLINE_MS = 5_000

/**
 * Writes to the store, at most once in 2 seconds, or if the last check began at or before `after` (in milliseconds since
 * the Unix epoch).
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
    if (!isRecent || last.at <= after) last = { at: now, result: check() }
    return last.result
  }

  function check(): Promise<void> {
    const late = new StoreError(`The store did not write within ${CHECK_DEADLINE_MS / 1000} seconds.`)
    return withTimeout(CHECK_DEADLINE_MS, clock, () => store.ping(), late)
  }
}
