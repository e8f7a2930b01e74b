/**
 * Watches transactions for pages, and tells each page when the transaction that it shows changes. While a page watches
 * a transaction, the synchronizer regularly queries the gateway about this transaction. All pages that watch a
 * transaction share its queries, and all transactions share one timer.
 */

import { createTicker } from '../work/clock.ts'
import { logError } from './log-names.ts'

import type { QueryQueue } from '../gateway/query-queue.ts'
import type { Log } from '../log/log.ts'
import type { Store } from '../store/store.ts'
import type { Transaction } from '../store/transactions.ts'
import type { Clock } from '../work/clock.ts'
import type { Synchronizer } from './synchronizer.ts'

interface WatchDeps {
  store: Store
  clock: Clock
  log: Log
  queries: Pick<QueryQueue, 'onBack' | 'perSecond'>
  synchronizer: Pick<Synchronizer, 'synchronize'>
  /** Returns the pause before the transaction's next query, in milliseconds. */
  pauseMs: (transaction: Transaction) => number
}

/** A page that watches a transaction. */
export interface Watcher {
  /** The version of the row that was last sent to the page; 0 if no version was sent. */
  shown: number
  /**
   * Called with the row when the watch starts and after each change of the row, unless the page already shows this
   * version of the row.
   */
  changed(transaction: Transaction): void
  /** Called when the transaction's row cannot be read from the store. */
  end(): void
}

export type Watches = ReturnType<typeof createWatches>

interface Watched {
  watchers: Set<Watcher>
  /** Time of the next query, in milliseconds since the Unix epoch; `null` during a query. */
  queryAt: number | null
}

const TICK_MS = 1_000

export function createWatches(deps: WatchDeps) {
  const { store, clock, log, queries, synchronizer, pauseMs } = deps
  /** The watched transactions by id, the least recently queried transaction first. */
  const watched = new Map<string, Watched>()
  let stopListening = () => {}
  /** The number of queries that wait for the request budget or are in flight; at most `queries.perSecond`. */
  let running = 0
  queries.onBack(() => {
    for (const entry of watched.values()) {
      if (entry.queryAt !== null) {
        entry.queryAt = clock.now()
      }
    }

    queryDue()
  })
  const startTicking = createTicker(clock, TICK_MS, queryDue)

  return {
    watch(id: string, watcher: Watcher): void {
      const entry = watched.get(id)
      if (entry) {
        entry.watchers.add(watcher)
        return void show(id, entry)
      }

      const added = { watchers: new Set([watcher]), queryAt: clock.now() }
      watched.set(id, added)
      if (watched.size === 1) {
        start()
      }

      void (running < queries.perSecond ? query(id, added) : show(id, added))
    },
    leave,
    countOf: (id: string) => watched.get(id)?.watchers.size ?? 0,
  }

  function start(): void {
    const changed = ({ id }: { id: string }) => {
      const entry = watched.get(id)
      if (entry) {
        void show(id, entry)
      }
    }

    stopListening = store.watch(changed, () => [...watched.keys()])
    startTicking()
  }

  function leave(id: string, watcher: Watcher): void {
    const entry = watched.get(id)
    entry?.watchers.delete(watcher)
    if (entry?.watchers.size === 0) {
      watched.delete(id)
    }
    if (watched.size === 0) {
      stopListening()
    }
  }

  /**
   * Starts due queries, so that at most `queries.perSecond` queries run. The least recently queried transactions come
   * first. Returns `false` if no page watches a transaction, so that the timer stops.
   */
  function queryDue(): boolean {
    const due = [...watched].filter(([, { queryAt }]) => queryAt !== null && queryAt <= clock.now())
    for (const [id, entry] of due.slice(0, Math.max(0, queries.perSecond - running))) {
      watched.delete(id)
      watched.set(id, entry)
      void query(id, entry)
    }

    return watched.size > 0
  }

  async function query(id: string, entry: Watched): Promise<void> {
    entry.queryAt = null
    running += 1
    const failed = (error: unknown) => logError({ store, log }, id, error, 'A status query failed.')
    await synchronizer.synchronize(id, 'poll').catch(failed)
    running -= 1
    entry.queryAt = clock.now() + (await show(id, entry))
  }

  /**
   * Sends the current row to the watching pages that show an older version. Resolves with the pause before the next
   * query, in milliseconds; `Infinity` if the row cannot be read.
   */
  async function show(id: string, { watchers }: Watched): Promise<number> {
    try {
      const row = await store.find(id)
      if (!row) {
        throw new Error('The transaction is gone from the store.')
      }

      for (const watcher of watchers) {
        showTo(watcher, row)
      }

      return pauseMs(row)
    } catch (error) {
      void logError({ store, log }, id, error, 'A stream failed.')
      for (const watcher of watchers) {
        watcher.end()
      }

      return Infinity
    }
  }
}

function showTo(watcher: Watcher, row: Transaction): void {
  if (row.version <= watcher.shown) {
    return
  }

  watcher.shown = row.version
  watcher.changed(row)
}
