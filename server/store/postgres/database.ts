/** Connects to Postgres. Error messages contain the names of the host and the database, never the password. */

import type { Client, ClientBase, ClientConfig, Pool, PoolClient, PoolConfig, QueryConfig } from 'pg'
import type { Recovery } from '../../store.ts'
import { z } from 'zod'
import { StoreAwayError, StoreError } from '../../store.ts'
import type { OriginGuard } from './origin.ts'
import type { StatementName } from './statements.ts'
import { checkOrigin, createOriginGuard, recoverRows, refuseOtherSessions } from './origin.ts'
import { migrate } from './schema.ts'
import { STATEMENTS } from './statements.ts'
import { parseUrl } from '../../contract/parse-url.ts'

export type Database = ReturnType<typeof createDatabase>

/**
 * The maximum number of connections in the connection pool of one process. By default, Postgres allows 100 connections
 * in total.
 */
const POOL_SIZE = 10
/** The maximum wait for a free or a new connection, in milliseconds. */
const CONNECT_TIMEOUT_MS = 5_000
const STATEMENT_TIMEOUT_MS = 5_000
/** The maximum wait for the response to a statement, in milliseconds. This limit detects dead connections. */
const QUERY_TIMEOUT_MS = 6_000
const IDLE_TIMEOUT_MS = 60_000
/** The name in `pg_stat_activity`, by which `recover` finds running servers; STORE_URL may contain another. */
const APPLICATION = 'gateway-checkout-server'

/** Advice that is added to error messages. The key is the SQLSTATE or the message of the driver's error. */
const ADVICE: Readonly<Record<string, string>> = {
  '28P01': 'Check the user and the password in STORE_URL.',
  '28000': 'Check the user in STORE_URL and the pg_hba.conf of the server.',
  '3D000': 'Create the database, or correct STORE_URL.',
  '42501': 'Grant the user CREATE on the database.',
  '25006': 'Connect to the primary: this server is read-only.',
  '53300': 'Raise max_connections, or run fewer processes.',
  '57014': 'The server is overloaded, or waits for a lock.',
  'timeout exceeded when trying to connect': `All ${POOL_SIZE} connections are in use: the server is overloaded, or waits for a lock.`,
}
const DUPLICATE = '23505'
/** Key of the advisory lock of `locked`. A statement after it sees what its earlier holders have committed. */
const LOCK = 7_240_403
/**
 * The codes with which an error says that Postgres is away: no connection, a server that starts or stops, too many
 * connections, a lock that is held. Letters only is the code of a system call or of DNS, such as ECONNREFUSED.
 */
const AWAY = /^(?:E(?:CONN|HOST|NET|TIMEDOUT|PIPE|NOTFOUND|AI_)[A-Z]*|(?:08|40003|53|57)[0-9A-Z]*)$/
/** The driver's errors without a code that say the same. */
const AWAY_MESSAGE = /^(?:Connection terminated|timeout e|Query read timeout)/
/**
 * The object id of the Postgres type bigint. Values of this type are read as numbers, because all stored values are
 * below 2 ** 53.
 */
const BIGINT = 20

const Settings = z.tuple([
  z.object({ process: z.number(), fsync: z.string(), synchronous_commit: z.string(), read_only: z.string() }),
])
const DriverError = z.object({ code: z.string().default(''), message: z.string() })

/** Thrown if an insert violates a unique constraint. */
export class DuplicateError extends StoreError {}

/**
 * Returns a database handle, which connects at the first query.
 *
 * @throws {Error} if the URL is invalid.
 */
export function createDatabase(url: string) {
  const address = addressOf(url)
  let opening: Promise<Connected> | null = null
  let isClosed = false
  const opened = () => {
    if (isClosed) throw new Error('it is closed')
    opening ??= openPool()
    return opening
  }
  const openPool = async () => {
    try {
      return await open(url)
    } catch (error) {
      opening = null
      throw error
    }
  }
  const reach = async <T>(work: (connected: Connected) => Promise<T>): Promise<T> => {
    let guard: OriginGuard | undefined
    try {
      const connected = await opened()
      guard = connected.guard
      return await work(connected)
    } catch (error) {
      throw toStoreError(guard ? guard.failed(error) : error, address)
    }
  }

  return {
    /**
     * Runs a statement, and resolves with the rows that the last part of its text returns. Connects at the first call,
     * and again after a lost connection.
     */
    run: (statement: StatementName, values: unknown[] = []) =>
      reach((connected) => runOn(connected.pool, connected, statement, values)),
    /**
     * Runs the statements of `work` in one database transaction, which waits for the others of this kind. Resolves with
     * the result of `work`; if it is `false`, the statements change nothing.
     */
    locked: (work: (run: Run) => Promise<boolean>) =>
      reach(async (connected) => {
        const client = await connected.pool.connect()
        try {
          await client.query(`BEGIN; SELECT pg_advisory_xact_lock(${LOCK})`)
          const isKept = await work((statement, values = []) => runOn(client, connected, statement, values))
          await client.query(isKept ? 'COMMIT' : 'ROLLBACK')
          client.release()
          return isKept
        } catch (error) {
          // Closing the connection undoes the transaction, whatever has failed.
          client.release(true)
          throw error
        }
      }),
    /** Rejects if the database was restored or promoted while it was open. `run` then rejects from this call on. */
    checkOrigin: () => reach(({ pool, guard }) => guard.compare(pool)),
    /** Opens a connection outside the connection pool. */
    connect: () => reach(({ config }) => connect(config)),
    async close() {
      if (isClosed) return
      isClosed = true
      const connected = await opening?.catch(() => null)
      await connected?.pool.end()
    },
  }
}

/**
 * Prepares a database for use after its restore from a backup, or after the promotion of a standby server. Rejects with
 * a {@link StoreError} if the database cannot be reached or changed.
 */
export async function recoverDatabase(url: string, now: number): Promise<Recovery> {
  const address = addressOf(url)
  try {
    const client = await connect(await settingsOf(url))
    try {
      const isPooled = await checkServer(client)
      // A pooler keeps sessions of servers that have ended.
      if (!isPooled) await refuseOtherSessions(client)
      await migrate(client)
      return await recoverRows(client, now)
    } finally {
      await client.end()
    }
  } catch (error) {
    throw toStoreError(error, address)
  }
}

type Run = (statement: StatementName, values?: unknown[]) => Promise<unknown[]>

async function runOn(
  on: Pool | PoolClient,
  { guard, isPrepared }: Connected,
  statement: StatementName,
  values: unknown[],
): Promise<unknown[]> {
  guard.check()
  const name = isPrepared && values.length > 0 ? { name: statement } : {}
  const query: QueryConfig = { ...name, text: STATEMENTS[statement], values: values.map(withoutNul) }
  // A text with several statements returns one result per statement. The last result is used.
  return [await on.query(query)].flat().at(-1)?.rows ?? []
}

interface Connected {
  pool: Pool
  config: ClientConfig
  guard: OriginGuard
  /**
   * Whether statements are prepared once per connection and then reused. `false` behind a connection pooler, where the
   * next statement may run on another connection.
   */
  isPrepared: boolean
}

/**
 * Connects to Postgres, checks the settings of the database server, and migrates the tables. Imports the driver only
 * here, because the driver is not needed with SQLite.
 */
async function open(url: string): Promise<Connected> {
  const { Pool } = await import('pg')
  const base = await settingsOf(url)
  const client = await connect(base)
  try {
    const isPooled = await checkServer(client)
    await migrate(client)
    const guard = createOriginGuard(await checkOrigin(client))
    // A pooler may refuse the setting `statement_timeout`.
    const config = {
      ...base,
      query_timeout: QUERY_TIMEOUT_MS,
      ...(!isPooled && { statement_timeout: STATEMENT_TIMEOUT_MS }),
    }
    const limits = { max: POOL_SIZE, idleTimeoutMillis: IDLE_TIMEOUT_MS }
    const verify: PoolConfig['verify'] = (connected, done) => void verifyOrigin(guard, connected, done)
    const pool = new Pool({ ...config, ...limits, verify })
    // The pool removes a broken connection. Without these listeners, the error would end the process: the first is for
    // idle connections, the second for a new connection that is lost while `verify` runs.
    pool.on('error', () => {})
    pool.on('connect', (connected) => void connected.on('error', () => {}))
    return { pool, config, guard, isPrepared: !isPooled }
  } finally {
    await client.end()
  }
}

async function verifyOrigin(
  guard: OriginGuard,
  client: ClientBase,
  done: (problem?: Error) => void,
): Promise<void> {
  let problem: Error | undefined
  try {
    await guard.verify(client)
  } catch (error) {
    problem = error instanceof Error ? error : new Error(String(error))
  }
  done(problem)
}

async function settingsOf(url: string): Promise<ClientConfig> {
  const { types } = await import('pg')
  return {
    connectionString: url,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    fallback_application_name: APPLICATION,
    types: {
      getTypeParser: (type, format) => (type === BIGINT ? Number : types.getTypeParser(type, format)),
    },
  }
}

async function connect(config: ClientConfig): Promise<Client> {
  const { Client } = await import('pg')
  const client = new Client(config)
  // This error needs no handling: a broken connection also emits `end` and rejects the statements in flight.
  client.on('error', () => {})
  await client.connect()
  return client
}

/**
 * Returns whether the connection goes through a pooler. A connection goes through a pooler if the process id that the
 * driver received differs from the process id of the database server.
 *
 * @throws {Error} if commits would not be durable, or the database server is read-only.
 */
async function checkServer(client: Client): Promise<boolean> {
  const { rows } = await client.query(`SELECT pg_backend_pid() AS process, current_setting('fsync') AS fsync,
    current_setting('synchronous_commit') AS synchronous_commit, current_setting('transaction_read_only') AS read_only`)
  const [{ process, read_only, ...durability }] = Settings.parse(rows)
  for (const [setting, value] of Object.entries(durability)) {
    if (value === 'off')
      throw new Error(
        `${setting} is off, so a crash would lose payments. Turn it on in the server's settings`,
      )
  }
  if (read_only === 'on') throw new Error('it is read-only. Connect to the primary')
  return !('processID' in client) || client.processID !== process
}

/**
 * Converts a driver error to a {@link StoreError} without a `cause`. The driver's error may quote stored rows, which
 * contain payer details.
 */
function toStoreError(error: unknown, address: string): StoreError {
  const { code, message } = DriverError.parse(error)
  const sentence = `The store at ${address} cannot be used: ${message || code}.`
  if (code === DUPLICATE) return new DuplicateError(sentence)
  const text = [sentence, ADVICE[code || message]].filter(Boolean).join(' ')
  if (AWAY.test(code) || (!code && AWAY_MESSAGE.test(message))) return new StoreAwayError(text)
  return new StoreError(text)
}

function addressOf(url: string): string {
  const parsed = parseUrl(url)
  if (!parsed || !/^\/[^/]+$/.test(parsed.pathname)) {
    throw new Error(
      'STORE_URL must be postgres://USER:PASSWORD@HOST:PORT/DATABASE, with special characters percent-encoded.',
    )
  }
  return `postgres://${parsed.host}${parsed.pathname}`
}

/**
 * Replaces NUL characters in strings and in lists of strings, because Postgres text cannot contain NUL. Identifiers stay
 * unchanged, because they never contain NUL.
 */
function withoutNul(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNul)
  return typeof value === 'string' ? value.replaceAll('\0', '\uFFFD') : value
}
