/**
 * Follows one transaction as it changes, for a page that watches it.
 *
 * While somebody watches, the gateway is asked at the pace that the kind allows, through the same door as ever:
 * a hundred watchers of one transaction are one question.
 */

import type { Clock } from '../clock.ts'
import type { Store, Transaction } from '../store.ts'
import type { Synchronizer } from './synchronizer.ts'

interface LiveDeps {
  store: Store
  clock: Clock
  synchronizer: Synchronizer
  /** How long until the next look is worth its question. */
  pauseMs: (transaction: Transaction) => number
}

/** Calls `changed` with the transaction now and after each change; until the signal aborts. */
export async function follow(
  { store, clock, synchronizer, pauseMs }: LiveDeps,
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
  const stop = store.watch((other) => {
    // A row that cannot be read now is read again by the loop below, which says so.
    if (other === id) show().catch(() => {})
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
