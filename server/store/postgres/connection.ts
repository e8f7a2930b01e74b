/**
 * Connects to Postgres, and creates the tables in a new database. If several processes start together, only one of them
 * does.
 */

import { Socket } from 'node:net'
import { callbackify } from 'node:util'
import { parseIntoClientConfig } from 'pg-connection-string'
import { z } from 'zod'

import { hostInClear } from '../../config/store-url.ts'
import { clearLookup, refuseInClear } from '../../http/lookup.ts'
import { sharedLookup } from '../../http/resolver.ts'
import { withoutNul } from '../driver.ts'
import { migrate } from '../schema.ts'
import { statementsOf } from '../sql/statements.ts'
import { POSTGRES } from './dialect.ts'
import { createOriginGuard } from './origin.ts'

import type { Query, Work } from '../driver.ts'
import type { OriginGuard } from './origin.ts'
import type { LookupFunction } from 'node:net'
import type { Client, ClientBase, ClientConfig, Pool, QueryResult } from 'pg'

/**
 * The maximum number of connections in the connection pool of one process. By default, Postgres allows 100 connections
 * in total.
 */
export const POOL_SIZE = 10
/** The maximum wait for a free or a new connection, in milliseconds. */
const CONNECT_TIMEOUT_MS = 5_000
const STATEMENT_TIMEOUT_MS = 5_000
/** The maximum wait for the response to a statement, in milliseconds. This limit detects dead connections. */
const QUERY_TIMEOUT_MS = 6_000
const IDLE_TIMEOUT_MS = 60_000
/** The name in `pg_stat_activity`, by which `recover` finds running servers; STORE_URL may contain another. */
const APPLICATION = 'gateway-checkout-server'
/**
 * The object id of the Postgres type bigint. Values of this type are read as numbers, because all stored values are
 * below 2 ** 53.
 */
const BIGINT = 20
/** The port of Postgres servers, for a STORE_URL without one. */
const PORT = 5432

const Settings = z.tuple([
  z.object({
    process: z.number(),
    fsync: z.string(),
    synchronous_commit: z.string(),
    read_only: z.string(),
    isolation: z.string(),
    encoding: z.string(),
  }),
])

export interface Connected {
  pool: Pool
  guard: OriginGuard
  /** Runs statements on any connection of the pool. */
  query: Query
  /** Whether a pooler may run the next statement on another connection, so that statements cannot be prepared. */
  isPooled: boolean
}

/**
 * Connects to a database server of which the settings are right, and creates the tables. Rejects otherwise.
 *
 * @param lookup Resolves the name of the host. Default: the lookup function of this process.
 */
export async function open(url: string, lookup: LookupFunction = sharedLookup): Promise<Connected> {
  const { Pool } = await import('pg')
  const { client, query, isPooled, config } = await connect(url, lookup)
  try {
    const guard = await createOriginGuard(query)
    const pool = new Pool({
      ...config,
      Client: await loadClient(),
      query_timeout: QUERY_TIMEOUT_MS,
      // A pooler may refuse this setting.
      ...(!isPooled && { statement_timeout: STATEMENT_TIMEOUT_MS }),
      max: POOL_SIZE,
      idleTimeoutMillis: IDLE_TIMEOUT_MS,
      // A new connection may lead to a promoted standby server after a failover.
      verify: callbackify((fresh: ClientBase) => guard.compare(createQuery(fresh, isPooled))),
    })
    // The pool removes a broken connection. Without these listeners, the error would end the process: the first is for
    // idle connections, the second for a new connection that is lost while `verify` runs.
    pool.on('error', () => {})
    pool.on('connect', (connected) => void connected.on('error', () => {}))
    return { pool, guard, query: createQuery(pool, isPooled), isPooled }
  } finally {
    await client.end()
  }
}

/** Opens one connection, checks the settings of the database server, and creates the tables. */
export async function connect(
  url: string,
  lookup: LookupFunction = sharedLookup,
): Promise<{ client: Client; query: Query; isPooled: boolean; config: ClientConfig }> {
  const { types } = await import('pg')
  const config: ClientConfig = {
    ...statedIn(url),
    ...socketsTo(url, lookup),
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    types: {
      getTypeParser: (type, format) => (type === BIGINT ? Number : types.getTypeParser(type, format)),
    },
  }
  const StatedClient = await loadClient()
  const client = new StatedClient(config)
  // This error needs no handling: a broken connection also emits `end` and rejects the statements in flight.
  client.on('error', () => {})
  await client.connect()
  try {
    const isPooled = await checkServer(client)
    const query = createQuery(client, isPooled)
    await inTransaction(query, migrate(POSTGRES))
    return { client, query, isPooled, config }
  } catch (error) {
    await client.end()
    throw error
  }
}

/**
 * Returns the setting by which the driver opens its connections: their names are resolved as all of this process, and where
 * they are not TLS, they lead to private addresses only.
 *
 * @throws {NotConnectedError} if a connection without TLS would lead to a public address that is in the URL.
 */
function socketsTo(url: string, lookup: LookupFunction): Required<Pick<ClientConfig, 'stream'>> {
  const clear = hostInClear(url)
  if (clear !== null) {
    refuseInClear(clear)
  }

  const allowed = clear === null ? lookup : clearLookup(lookup)
  class StoreSocket extends Socket {
    reach(place: number | string, host?: string) {
      return typeof place === 'string'
        ? super.connect(place)
        : super.connect({ port: place, ...(host !== undefined && { host }), lookup: allowed })
    }
  }
  return {
    stream: () => {
      const socket = new StoreSocket()
      // The driver passes a port and a host, or the path of a Unix socket.
      const connect = (place: number | string, host?: string) => socket.reach(place, host)
      return Object.assign(socket, { connect })
    },
  }
}

/**
 * Returns what STORE_URL states, completed by constants. The driver would take what it is not given from the environment of
 * the process, such as PGPORT: in another environment, the same STORE_URL would be another store, without the payments of
 * this one.
 */
function statedIn(url: string): ClientConfig {
  // Empty values would count as absent.
  const stated = Object.entries(parseIntoClientConfig(url)).filter(([, value]) => Boolean(value))
  return {
    port: PORT,
    // Without a function, PGPASSWORD and the file .pgpass would be read.
    password: () => '',
    ssl: false,
    sslnegotiation: 'postgres',
    client_encoding: 'utf8',
    application_name: APPLICATION,
    ...Object.fromEntries(stated),
  }
}

/**
 * Resolves with the driver's client, without what has no value for "none": options that STORE_URL does not state, which come
 * from PGOPTIONS, and PGREPLICATION. Imported here, because the driver is not needed with SQLite.
 */
async function loadClient() {
  const { Client } = await import('pg')
  return class StatedClient extends Client {
    declare readonly connectionParameters: object

    constructor(config: ClientConfig = {}) {
      super(config)
      Object.assign(this.connectionParameters, { options: config.options, replication: undefined })
    }
  }
}

/**
 * Returns whether the connection goes through a pooler. A connection goes through a pooler if the process id that the
 * driver received differs from the process id of the database server.
 *
 * @throws {Error} if commits would not be durable, the database server is read-only, its transactions are isolated
 * otherwise than the statements expect, or the database cannot store every text.
 */
async function checkServer(client: Client): Promise<boolean> {
  const { rows } = await client.query(`SELECT pg_backend_pid() AS process, current_setting('fsync') AS fsync,
    current_setting('synchronous_commit') AS synchronous_commit, current_setting('transaction_read_only') AS read_only,
    current_setting('transaction_isolation') AS isolation, current_setting('server_encoding') AS encoding`)
  const [{ process, read_only, isolation, encoding, ...durability }] = Settings.parse(rows)
  for (const [setting, value] of Object.entries(durability)) {
    if (value === 'off') {
      throw new Error(
        `${setting} is off, so a crash would lose payments. Turn it on in the server's settings`,
      )
    }
  }

  if (read_only === 'on') {
    throw new Error('it is read-only. Connect to the primary')
  }
  // Under a stricter one, of commits at one moment all but one fail. The statements are written for this one.
  if (isolation !== 'read committed') {
    throw new Error(
      `its transactions are ${isolation}. Set default_transaction_isolation to 'read committed' for this role or database`,
    )
  }
  // In another one, a name or an answer with a character that it lacks could not be stored: its payment would not settle.
  if (encoding !== 'UTF8') {
    throw new Error(`its encoding is ${encoding}. Create a database with ENCODING 'UTF8' TEMPLATE template0`)
  }
  return !('processID' in client) || client.processID !== process
}

/** The names of the statements that each connection prepares once and then reuses. */
const NAMES: ReadonlyMap<string, string> = new Map(
  Object.entries(statementsOf(POSTGRES)).map(([name, text]) => [text, name]),
)

export function createQuery(client: Pool | ClientBase, isPooled: boolean): Query {
  return async (text, ...values) => {
    // Several statements in one text take no values, and cannot be prepared.
    if (values.length === 0) {
      return rowsOf(await client.query(text))
    }

    const name = isPooled ? undefined : NAMES.get(text)
    return rowsOf(await client.query({ text, values: values.map(withoutNul), ...(name && { name }) }))
  }
}

function rowsOf(result: QueryResult | QueryResult[]): unknown[] {
  return [result].flat().at(-1)?.rows ?? []
}

/** Runs the work in a transaction of its own, and resolves with its result. */
export async function inTransaction<Result>(query: Query, work: Work<Result>): Promise<Result> {
  await query('BEGIN')
  try {
    let step = work.next([])
    while (!step.done) {
      step = work.next(await query(...step.value))
    }

    await query('COMMIT')
    return step.value
  } catch (error) {
    await query('ROLLBACK').catch(() => {})
    throw error
  }
}
