/**
 * Reports each change of a transaction to the functions that were passed to `watch`. Changes by this process are
 * reported directly. Changes by other processes arrive as Postgres notifications (NOTIFY).
 *
 * A notification is sent after the commits of several transactions, and contains their ids. A commit contains no NOTIFY
 * itself, because Postgres commits database transactions with NOTIFY only one at a time. A notification may be lost.
 */

import type { Clock } from '../../clock.ts'
import type { Log } from '../../log.ts'
import type { Changed } from '../../store.ts'
import type { Database } from './database.ts'
import { pause, runListener } from './listener.ts'
import { STATEMENTS } from './statements.ts'

type Watcher = (change: Changed) => void

export interface Changes {
  /** Reports to all watchers, and to other processes, that this process has committed a change. */
  announce(change: Changed): void
  watch(changed: Watcher, watched?: () => string[]): () => void
  close(): Promise<void>
}

interface ChangesDeps {
  database: Database
  clock: Clock
  log: Log
  /** A random id of this process. Each notification contains the id of the process that sent the notification. */
  self: string
}

/** The time for which changes are collected before a notification is sent, in milliseconds. */
const COLLECT_MS = 10
/** The maximum number of transaction ids in a notification. Postgres limits a notification to 8,000 bytes. */
const MAX_IDS = 100

export function createChanges({ database, clock, log, self }: ChangesDeps): Changes {
  /**
   * The watchers, each with a function that returns the ids of the watched transactions. While no notifications arrive,
   * these transactions are polled in the database.
   */
  const watchers = new Map<Watcher, () => string[]>()
  const pending = new Set<string>()
  const closing = new AbortController()
  let sending: Promise<void> | null = null
  let listening: Promise<void> | null = null

  return {
    announce(change) {
      tell(change)
      pending.add(change.id)
      sending ??= send()
    },
    watch(changed, watched = () => []) {
      const deps = { database, clock, log, self, notify, tell: tellOfOther, watched: watchedByAny }
      listening ??= runListener(deps, closing.signal)
      watchers.set(changed, watched)
      return () => void watchers.delete(changed)
    },
    async close() {
      closing.abort()
      watchers.clear()
      await Promise.all([sending, listening])
    },
  }

  function tell(change: Changed): void {
    for (const changed of watchers.keys()) changed(change)
  }

  /**
   * Reports to all watchers that another process has changed the transaction. The due times are `null`, because the
   * other process runs the status queries and deliveries.
   */
  function tellOfOther(id: string): void {
    tell({ id, due_at: null, event_due_at: null })
  }

  function watchedByAny(): string[] {
    return [...new Set([...watchers.values()].flatMap((watched) => watched()))]
  }

  async function send(): Promise<void> {
    while (pending.size > 0) {
      await pause(clock, COLLECT_MS, closing.signal)
      const ids = [...pending]
      pending.clear()
      for (let from = 0; from < ids.length; from += MAX_IDS)
        await notify(ids.slice(from, from + MAX_IDS)).catch(() => {})
    }
    sending = null
  }

  async function notify(ids: string[]): Promise<void> {
    await database.query(STATEMENTS.notify, [JSON.stringify({ from: self, ids })])
  }
}
