/**
 * Calls watchers when a transaction changes. Changes by this process are reported directly. Changes by other processes
 * arrive as Postgres notifications (NOTIFY).
 *
 * Notifications are sent after the commits, each with the ids of several changes, because Postgres commits database
 * transactions with NOTIFY only one at a time. A notification may be lost.
 */

import type { Clock } from '../../clock.ts'
import type { Log } from '../../log.ts'
import type { Changed } from '../../store.ts'
import type { Database } from './database.ts'
import { pause, runListener } from './listener.ts'
import { STATEMENTS } from './statements.ts'

type Watcher = (change: Changed) => void

export interface Changes {
  /** Reports a committed change by this process to the watchers and to the other processes. */
  announce(change: Changed): void
  watch(changed: Watcher, watched?: () => string[]): () => void
  close(): Promise<void>
}

interface ChangesDeps {
  database: Database
  clock: Clock
  log: Log
  /** A random id of this process, contained in its notifications. */
  self: string
}

/** The time during which changes are collected for one notification, in milliseconds. */
const COLLECT_MS = 10
/** The maximum number of transaction ids in a notification. Postgres limits a notification to 8,000 bytes. */
const MAX_IDS = 100

export function createChanges({ database, clock, log, self }: ChangesDeps): Changes {
  /** The watchers, each with a function that returns the ids of the transactions to poll for this watcher. */
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
   * Reports a change by another process to the watchers. The due times are `null`, because the other process does the
   * work.
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
