/**
 * Receives Postgres notifications (LISTEN) on a separate connection. In these notifications, other processes report the
 * ids of the transactions that they have changed. This process also sends notifications to itself as heartbeats, and
 * replaces the connection if a heartbeat does not arrive. While no notifications arrive, for example behind a pooler
 * without LISTEN, this process polls the watched transactions in the database.
 */

import type { Clock } from '../../clock.ts'
import type { Log } from '../../log.ts'
import type { Database } from './database.ts'
import { z } from 'zod'
import { parseJson } from '../../json.ts'
import { STATEMENTS } from './statements.ts'

interface ListenerDeps {
  database: Database
  clock: Clock
  log: Log
  self: string
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
export async function runListener(deps: ListenerDeps, signal: AbortSignal): Promise<void> {
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
    const rows = Versions.parse(await database.query(STATEMENTS.versions, [ids]))
    const changed = rows.filter(({ id, version }) => versions.get(id) !== version)
    versions.clear()
    for (const { id, version } of rows) versions.set(id, version)
    for (const { id } of changed) tell(id)
  }
}

/** Resolves after `ms` milliseconds, or when the signal aborts. */
export async function pause(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  await clock.sleep(ms, signal).catch(() => {})
}
