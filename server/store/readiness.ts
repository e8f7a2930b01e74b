/** Checks whether the store can be written. `/health/ready` and the metrics use the same check. */

import type { Clock } from '../clock.ts'
import type { Store } from '../store.ts'
import { StoreError } from '../store.ts'
import { withTimeout } from '../with-timeout.ts'

/** Milliseconds between two checks of the store. Calls between two checks get the result of the last check. */
const CHECK_PAUSE_MS = 2_000
/** Milliseconds within which a test write to the store must complete. */
const CHECK_DEADLINE_MS = 5_000

/**
 * Returns a function that writes to the store, at most once in 2 seconds.
 *
 * @throws {StoreError} (the returned function) if the store cannot be written within 5 seconds.
 */
export function createStoreCheck(store: Pick<Store, 'ping'>, clock: Clock): () => Promise<void> {
  let last = { at: -Infinity, result: Promise.resolve() }
  return () => {
    const now = clock.now()
    // After the system clock jumps back, the last check may lie in the future.
    if (now < last.at || now - last.at >= CHECK_PAUSE_MS) last = { at: now, result: check() }
    return last.result
  }

  function check(): Promise<void> {
    const late = new StoreError(`The store did not write within ${CHECK_DEADLINE_MS / 1000} seconds.`)
    return withTimeout(CHECK_DEADLINE_MS, clock, () => store.ping(), late)
  }
}
