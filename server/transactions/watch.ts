/**
 * Watches one transaction for a page. While a page watches, the synchronizer queries the gateway at the kind's
 * interval. A hundred watchers of one transaction share one query.
 */

import type { Clock } from '../clock.ts'
import type { Store, Transaction } from '../store.ts'
import type { Synchronizer } from './synchronizer.ts'

interface WatchDeps {
  store: Store
  clock: Clock
  synchronizer: Synchronizer
  /** Returns the pause before the next query, in milliseconds. */
  pauseMs: (transaction: Transaction) => number
}

/** Calls `changed` with the current transaction and after each change, until the signal aborts. */
export async function watchTransaction(
  { store, clock, synchronizer, pauseMs }: WatchDeps,
  id: string,
  changed: (transaction: Transaction) => void,
  signal: AbortSignal,
): Promise<void> {
  let shown = 0
  const show = async () => {
    const row = await store.find(id)
    if (row && row.version > shown && !signal.aborted) {
      shown = row.version
      changed(row)
    }
    return row
  }
  const stop = store.watch((change) => {
    // If this read fails, the loop below reads the row again and reports the failure.
    if (change.id === id) show().catch(() => {})
  })
  try {
    while (!signal.aborted) {
      await synchronizer.synchronizeWithin(id, 'poll')
      const row = await show()
      if (!row) return
      await clock.sleep(pauseMs(row), signal).catch(() => {})
    }
  } finally {
    stop()
  }
}
