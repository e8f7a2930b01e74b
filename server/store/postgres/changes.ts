/**
 * Reports each change of a transaction to the functions that were passed to `watch`. Changes by this process are
 * reported directly. Changes by other processes arrive as Postgres notifications (NOTIFY).
 *
 * A notification is sent after the commits of several transactions, and contains their ids. A commit contains no NOTIFY
 * itself, because Postgres commits database transactions with NOTIFY only one at a time. A notification may be lost.
 *
 * Notifications are received (LISTEN) on a separate connection. This process also sends notifications to itself as
 * heartbeats, and replaces the connection if a heartbeat does not arrive. While no notifications arrive, for example
 * behind a pooler without LISTEN, this process polls the watched transactions in the database.
 */

import type { Clock } from '../../clock.ts'
import type { Log } from '../../log.ts'
import type { Changed } from '../../store.ts'
import type { Database } from './database.ts'
import { z } from 'zod'
import { parseJson } from '../../json.ts'

type Watcher = (change: Changed) => void

export type Changes = ReturnType<typeof createChanges>

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

export function createChanges({ database, clock, log, self }: ChangesDeps) {
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
    /** Reports to all watchers, and to other processes, that this process has committed a change. */
    announce(change: Changed): void {
      tell(change)
      pending.add(change.id)
      sending ??= send()
    },
    watch(changed: Watcher, watched: () => string[] = () => []): () => void {
      const deps = { database, clock, log, self, notify, tell: tellOfOther, watched: watchedByAny }
      listening ??= runListener(deps, closing.signal)
      watchers.set(changed, watched)
      return () => void watchers.delete(changed)
    },
    async close(): Promise<void> {
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
    await database.run('notify', [JSON.stringify({ from: self, ids })])
  }
}

interface ListenerDeps extends ChangesDeps {
  /**
   * Sends a notification with the ids of changed transactions through the connection pool. A notification without ids
   * is a heartbeat.
   */
  notify: (ids: string[]) => Promise<void>
  tell: (id: string) => void
  /** Returns the ids of the watched transactions. */
  watched: () => string[]
}

/**
 * Interval between heartbeats, in milliseconds. If a heartbeat does not arrive within this time, the connection is
 * replaced.
 */
const BEAT_MS = 5_000
const RECONNECT_MS = 1_000
/** After a connection that never received a heartbeat, the time until the next connection, in milliseconds. */
const UNSUPPORTED_MS = 60_000
const POLL_MS = 500

const UNSUPPORTED =
  'The database delivers no notifications, as behind a pooler in transaction mode: watched rows are polled.'

const Notification = z.object({ from: z.string(), ids: z.array(z.string()) })
const Versions = z.array(z.object({ id: z.string(), version: z.number() }))

/** Receives notifications, or polls the watched transactions instead. Resolves after the signal aborts. */
async function runListener(deps: ListenerDeps, signal: AbortSignal): Promise<void> {
  const { database, clock, log, self, notify, tell, watched } = deps
  let isReceiving = false
  await Promise.all([listen(), poll()])

  async function listen(): Promise<void> {
    let hasLogged = false
    while (!signal.aborted) {
      const isSupported = await listenOnce().catch(() => true)
      isReceiving = false
      if (!isSupported && !hasLogged) log.warn({}, UNSUPPORTED)
      hasLogged ||= !isSupported
      await pause(clock, isSupported ? RECONNECT_MS : UNSUPPORTED_MS, signal)
    }
  }

  /**
   * Listens on a new connection until a heartbeat does not arrive or the connection is lost. Resolves with `false` if
   * not even the first heartbeat arrived. Notifications then cannot reach this process.
   */
  async function listenOnce(): Promise<boolean> {
    const client = await database.connect()
    const lost = new AbortController()
    const stop = () => lost.abort()
    signal.addEventListener('abort', stop)
    if (signal.aborted) stop()
    client.once('end', stop)
    let isAlive = true
    let isSupported = false
    client.on('notification', ({ payload = '' }) => {
      const { data } = Notification.safeParse(parseJson(payload))
      if (data?.from !== self) data?.ids.forEach(tell)
      else if (data.ids.length === 0) isAlive = isSupported = isReceiving = true
    })
    try {
      await client.query('LISTEN gateway_checkout')
      while (isAlive && !lost.signal.aborted) {
        isAlive = false
        await notify([])
        await pause(clock, BEAT_MS, lost.signal)
      }
      return isSupported || lost.signal.aborted
    } finally {
      signal.removeEventListener('abort', stop)
      // Not awaited: the connection may be dead.
      client.end().catch(() => {})
    }
  }

  async function poll(): Promise<void> {
    const versions = new Map<string, number>()
    let wasReceiving = false
    while (!signal.aborted) {
      await pause(clock, POLL_MS, signal)
      // Polls once more after notifications have begun to arrive, to find changes that were made before.
      if (!isReceiving || !wasReceiving) await readVersions(versions).catch(() => {})
      wasReceiving = isReceiving
    }
  }

  async function readVersions(versions: Map<string, number>): Promise<void> {
    const ids = watched()
    if (ids.length === 0) return versions.clear()
    const rows = Versions.parse(await database.run('versions', [ids]))
    const changed = rows.filter(({ id, version }) => versions.get(id) !== version)
    versions.clear()
    for (const { id, version } of rows) versions.set(id, version)
    for (const { id } of changed) tell(id)
  }
}

/** Resolves after `ms` milliseconds, or when the signal aborts. */
async function pause(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  await clock.sleep(ms, signal).catch(() => {})
}
