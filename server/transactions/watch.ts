/**
 * Watches transactions for pages. While a page watches, the synchronizer queries the gateway at the kind's interval. A
 * hundred pages of one transaction share one query, and ten thousand pages share one timer.
 */

import type { Clock } from '../clock.ts'
import type { Log } from '../log.ts'
import type { Store, Transaction } from '../store.ts'
import type { Synchronizer } from './synchronizer.ts'
import { createTicker } from '../ticker.ts'
import { logError } from './report.ts'

interface WatchDeps {
  store: Store
  clock: Clock
  log: Log
  synchronizer: Pick<Synchronizer, 'synchronizeWithin'>
  /** Returns the pause before the next query, in milliseconds. */
  pauseMs: (transaction: Transaction) => number
}

/** A page that watches. */
interface Watcher {
  /** The version that the page was shown last. */
  shown: number
  /** Receives the current row, and the row after each change. */
  changed: (transaction: Transaction) => void
  /** Called when the row cannot be read. */
  end: () => void
}

export interface Watches {
  /** Returns a function that stops watching. */
  watch(id: string, changed: Watcher['changed'], end: Watcher['end']): () => void
  /** How many pages watch the transaction. */
  countOf(id: string): number
}

interface Watched {
  watchers: Set<Watcher>
  /** When the gateway is queried next; `null` during a query. */
  queryAt: number | null
}

const TICK_MS = 1_000
/** [assumed] The most queries for watched pages in one second. The pages that have waited longest are first. */
const MAX_QUERIES_PER_TICK = 50

export function createWatches({ store, clock, log, synchronizer, pauseMs }: WatchDeps): Watches {
  /** The transaction that was queried last comes last. */
  const watched = new Map<string, Watched>()
  let stopListening = () => {}
  const startTicking = createTicker(clock, TICK_MS, queryDue)

  return {
    watch(id, changed, end) {
      const watcher: Watcher = { shown: 0, changed, end }
      const known = watched.get(id)
      if (known) {
        known.watchers.add(watcher)
        void show(id, known)
      } else {
        const added = { watchers: new Set([watcher]), queryAt: null }
        watched.set(id, added)
        if (watched.size === 1) start()
        void query(id, added)
      }
      return () => leave(id, watcher)
    },
    countOf: (id) => watched.get(id)?.watchers.size ?? 0,
  }

  function start(): void {
    const changed = ({ id }: { id: string }) => {
      const here = watched.get(id)
      if (here) void show(id, here)
    }
    stopListening = store.watch(changed, () => [...watched.keys()])
    startTicking()
  }

  function leave(id: string, watcher: Watcher): void {
    const here = watched.get(id)
    here?.watchers.delete(watcher)
    if (here?.watchers.size === 0) watched.delete(id)
    if (watched.size === 0) stopListening()
  }

  /** Queries for the pages that are due. Returns whether any page watches. */
  function queryDue(): boolean {
    const now = clock.now()
    const due = [...watched].filter(([, { queryAt }]) => queryAt !== null && queryAt <= now)
    for (const [id, here] of due.slice(0, MAX_QUERIES_PER_TICK)) {
      watched.delete(id)
      watched.set(id, here)
      void query(id, here)
    }
    return watched.size > 0
  }

  async function query(id: string, here: Watched): Promise<void> {
    here.queryAt = null
    await synchronizer
      .synchronizeWithin(id, 'poll')
      .catch((error: unknown) => logError({ store, log }, id, error, 'The status query for a page failed.'))
    here.queryAt = clock.now() + (await show(id, here))
  }

  /** Shows the current row to the pages that were not shown its version. Returns the pause before the next query. */
  async function show(id: string, { watchers }: Watched): Promise<number> {
    try {
      const row = await store.find(id)
      if (!row) throw new Error(`Transaction ${id} is gone from the store.`)
      for (const watcher of watchers) {
        if (row.version <= watcher.shown) continue
        watcher.shown = row.version
        watcher.changed(row)
      }
      return pauseMs(row)
    } catch (error) {
      void logError({ store, log }, id, error, 'A stream failed.')
      for (const { end } of watchers) end()
      return Infinity
    }
  }
}
