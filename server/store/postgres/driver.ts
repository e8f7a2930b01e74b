/**
 * Runs the store on a Postgres database, which any number of server processes may share. Error messages contain the
 * names of the host and the database, never the password.
 */

import type { Client, ClientBase, ClientConfig, Pool, PoolConfig, QueryResult } from 'pg'
import type { Recovery } from '../../store.ts'
import type { Driver, Statement, Work } from '../driver.ts'
import type { OriginGuard } from './origin.ts'
import { z } from 'zod'
import { StoreAwayError, StoreError } from '../../store.ts'
import { parseUrl } from '../../contract/parse-url.ts'
import { POSTGRES } from '../dialect.ts'
import { Undone } from '../driver.ts'
import { recoverRows } from '../recover.ts'
import { statementsOf } from '../statements.ts'
import { checkOrigin, createOriginGuard, forgetOrigin, refuseOtherSessions } from './origin.ts'
import { migrate } from './migrate.ts'

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
const VERSIONS = `
  SELECT id, version FROM gateway_checkout.transactions
  WHERE id IN (SELECT json_array_elements_text(CAST($1 AS json)))`
const VersionRows = z.array(z.object({ id: z.string(), version: z.number() }))
const DriverError = z.object({ code: z.string().default(''), message: z.string() })

/**
 * Returns the driver of the database at `url`. The first statement connects and creates the tables. A lost connection is
 * replaced.
 *
 * @throws {Error} if the URL is invalid.
 */
export function openPostgres(url: string): Driver {
  const address = addressOf(url)
  const names = new Map(Object.entries(statementsOf(POSTGRES)).map(([name, text]) => [text, name]))
  let opening: Promise<Connected> | null = null
  let isClosed = false
  const query = (...statement: Statement) => reach(({ pool, send }) => send(pool, statement))
  return {
    dialect: POSTGRES,
    query,
    transaction: (work) => reach((connected) => runTransaction(connected, work)),
    async expectUsable(use) {
      if (use !== 'insert') await reach(({ pool, guard }) => guard.compare(pool))
    },
    foreignChanges: null,
    findForeign: createFindForeign(query),
    truncateLog: async () => true,
    async close() {
      if (isClosed) return
      isClosed = true
      const connected = await opening?.catch(() => null)
      await connected?.pool.end()
    },
  }

  async function reach<T>(work: (connected: Connected) => Promise<T>): Promise<T> {
    let guard: OriginGuard | undefined
    try {
      const connected = await opened()
      guard = connected.guard
      guard.check()
      return await work(connected)
    } catch (error) {
      if (error instanceof Undone) throw error
      throw toStoreError(guard ? guard.failed(error) : error, address)
    }
  }

  async function opened(): Promise<Connected> {
    if (isClosed) throw new Error('it is closed')
    opening ??= open(url, names)
    try {
      return await opening
    } catch (error) {
      opening = null
      throw error
    }
  }
}

/** Runs the work on one connection. A connection on which the end of the transaction fails is not used again. */
async function runTransaction<Result>({ pool, send }: Connected, work: () => Work<Result>): Promise<Result> {
  const client = await pool.connect()
  let broken: boolean | undefined
  try {
    await client.query('BEGIN')
    const result = await complete(work(), (statement) => send(client, statement))
    await client.query('COMMIT')
    return result
  } catch (error) {
    await client.query('ROLLBACK').catch(() => (broken = true))
    throw error
  } finally {
    client.release(broken)
  }
}

/** Runs the statements of the work, one after the other. Resolves with its result. */
async function complete<Result>(
  work: Work<Result>,
  run: (statement: Statement) => Promise<unknown[]>,
): Promise<Result> {
  let step = work.next([])
  while (!step.done) step = work.next(await run(step.value))
  return step.value
}

/**
 * Returns a function that finds which of the watched transactions have changed since its last call. Another process runs
 * the queries and deliveries of its changes, so the due times are `null`.
 */
function createFindForeign(query: Driver['query']): NonNullable<Driver['findForeign']> {
  let known = new Map<string, number>()
  return async (watched) => {
    if (watched.length === 0) return []
    const rows = VersionRows.parse(await query(VERSIONS, JSON.stringify(watched)))
    const changed = rows.filter(({ id, version }) => known.get(id) !== version)
    known = new Map(rows.map(({ id, version }) => [id, version]))
    return changed.map(({ id }) => ({ id, due_at: null, event_due_at: null }))
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
      await client.query('BEGIN; SET LOCAL statement_timeout = 0')
      const restored = await forgetOrigin(client)
      const run = async ([text, ...values]: Statement) => rowsOf(await client.query(text, values))
      const recovery = await complete(recoverRows(POSTGRES, now, restored), run)
      await client.query('COMMIT')
      return recovery
    } finally {
      await client.end()
    }
  } catch (error) {
    throw toStoreError(error, address)
  }
}

interface Connected {
  pool: Pool
  guard: OriginGuard
  send(client: Pool | ClientBase, statement: Statement): Promise<unknown[]>
}

/**
 * Connects to Postgres, checks the settings of the database server, and creates the tables. Imports the driver only
 * here, because the driver is not needed with SQLite.
 */
async function open(url: string, names: ReadonlyMap<string, string>): Promise<Connected> {
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
    return { pool, guard, send: createSend(isPooled ? new Map() : names) }
  } finally {
    await client.end()
  }
}

/**
 * Returns a function that runs a statement.
 *
 * @param names The names of the statements that each connection prepares once and then reuses. Behind a pooler, the next
 * statement may run on another connection.
 */
function createSend(names: ReadonlyMap<string, string>): Connected['send'] {
  return async (client, [text, ...values]) => {
    const name = names.get(text)
    // Several statements in one text take no values, and cannot be prepared.
    if (values.length === 0) return rowsOf(await client.query(text))
    return rowsOf(await client.query({ text, values: values.map(withoutNul), ...(name && { name }) }))
  }
}

/** Returns the rows of the last statement in a text. */
function rowsOf(result: QueryResult | QueryResult[]): unknown[] {
  return [result].flat().at(-1)?.rows ?? []
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

/** Postgres text cannot contain NUL. Identifiers stay unchanged, because they never contain NUL. */
function withoutNul(value: Statement[number]): Statement[number] {
  return typeof value === 'string' ? value.replaceAll('\0', '\uFFFD') : value
}
