/**
 * Runs the store on a Postgres database, which any number of server processes may share. Error messages contain the
 * names of the host and the database, never the password.
 */

import { z } from 'zod'

import { StoreAwayError, StoreError } from '../errors.ts'
import { recoverRows } from '../recover.ts'
import { connect, createQuery, inTransaction, open, POOL_SIZE } from './connection.ts'
import { POSTGRES } from './dialect.ts'
import { DriverError, findRestored } from './origin.ts'

import type { Driver, Query, Work } from '../driver.ts'
import type { Recovery } from '../recover.ts'
import type { Connected } from './connection.ts'
import type { LookupFunction } from 'node:net'

/** Advice that is added to error messages. The key is the SQLSTATE or the message of the driver's error. */
const ADVICE: Readonly<Record<string, string>> = {
  '28P01': 'Check the user and the password in STORE_URL.',
  '28000': 'Check the user in STORE_URL and the pg_hba.conf of the server.',
  '3D000': 'Create the database, or correct STORE_URL.',
  '42501': 'The user needs CREATE on the database, or to own the schema gateway_checkout and what is in it.',
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
const VERSIONS = `
  SELECT id, version FROM gateway_checkout.transactions WHERE id ${POSTGRES.among('$1')}`
const VersionRows = z.array(z.object({ id: z.string(), version: z.number() }))
const ConnectionRows = z.tuple([z.object({ others: z.number() })])
/** How often, and with which pause, a recovery looks whether other connections have ended. */
const CONNECTION_TRIES = 25
const CONNECTION_PAUSE_SECONDS = 0.2

/**
 * Returns the driver of the database at `url`. The first statement connects and creates the tables. A lost connection
 * is replaced.
 *
 * @param url A URL that `readStoreUrl` accepts.
 * @param lookup Resolves the name of the host. Default: the lookup function of this process.
 */
export function openPostgres(url: string, lookup?: LookupFunction): Driver {
  const address = addressOf(url)
  let opening: Promise<Connected> | null = null
  let isClosed = false
  const query: Query = (...statement) => reach((connected) => connected.query(...statement))
  return {
    dialect: POSTGRES,
    query,
    transaction: (work) => reach((connected) => runTransaction(connected, work)),
    // An insert takes no second statement: claims and new connections notice a restored database.
    expectUsable: async (use) =>
      use === 'insert' ? undefined : reach((connected) => connected.guard.compare(connected.query)),
    foreignChanges: null,
    findForeign: createFindForeign(query),
    truncateLog: async () => true,
    async close() {
      if (isClosed) {
        return
      }

      isClosed = true
      const connected = await opening?.catch(() => null)
      await connected?.pool.end()
    },
  }

  async function reach<T>(work: (connected: Connected) => Promise<T>): Promise<T> {
    let connected: Connected | undefined
    try {
      if (isClosed) {
        throw new Error('it is closed')
      }

      connected = await (opening ??= open(url, lookup).catch((error: unknown) => {
        opening = null
        throw error
      }))
      connected.guard.check()
      return await work(connected)
    } catch (error) {
      throw toStoreError(connected ? connected.guard.noteFailure(error) : error, address)
    }
  }
}

/** A connection whose transaction has failed is not used again. */
async function runTransaction<Result>(
  { pool, isPooled }: Connected,
  work: () => Work<Result>,
): Promise<Result> {
  const client = await pool.connect()
  let isReusable = false
  try {
    const result = await inTransaction(createQuery(client, isPooled), work())
    isReusable = true
    return result
  } finally {
    client.release(!isReusable)
  }
}

/**
 * Returns a function that finds which of the watched transactions have changed since its last call. Another process
 * runs the queries and deliveries of its changes, so the due times are `null`.
 */
function createFindForeign(query: Query): NonNullable<Driver['findForeign']> {
  let versions = new Map<string, number>()
  return async (watched) => {
    if (watched.length === 0) {
      return []
    }

    const rows = VersionRows.parse(await query(VERSIONS, JSON.stringify(watched)))
    const changed = rows.filter(({ id, version }) => versions.get(id) !== version)
    versions = new Map(rows.map(({ id, version }) => [id, version]))
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
    const { client, query, isPooled } = await connect(url)
    try {
      // A pooler keeps connections of servers that have ended.
      if (!isPooled) {
        await refuseOtherConnections(query)
      }
      return await inTransaction(query, recoverHere(now, await findRestored(query)))
    } finally {
      await client.end()
    }
  } catch (error) {
    throw toStoreError(error, address)
  }
}

/**
 * Resolves when no other connection has the application name of this one. A connection may outlive its process by a
 * moment.
 *
 * @throws {Error} if other connections remain for 5 seconds.
 */
async function refuseOtherConnections(query: Query): Promise<void> {
  for (let tries = CONNECTION_TRIES; tries > 0; tries--) {
    const rows = await query(`
      SELECT count(*)::integer AS others FROM pg_stat_activity WHERE datname = current_database()
        AND application_name = current_setting('application_name') AND pid <> pg_backend_pid()`)
    if (ConnectionRows.parse(rows)[0].others === 0) {
      return
    }

    await query(`SELECT pg_sleep(${CONNECTION_PAUSE_SECONDS})`)
  }

  throw new Error('a server or another command uses it. Stop every server, and try again')
}

function* recoverHere(now: number, restored: string): Work<Recovery> {
  yield ['SET LOCAL statement_timeout = 0; DELETE FROM gateway_checkout.origin']
  return yield* recoverRows(POSTGRES, now, restored)
}

/**
 * Converts an error to a {@link StoreError} without a `cause`. A driver's error may quote stored rows, which contain
 * payer details. Messages of our own errors, such as "it is closed", are written as the end of the sentence.
 */
function toStoreError(error: unknown, address: string): StoreError {
  const { code, message } = DriverError.parse(error)
  const sentence = `The store at ${address} cannot be used: ${message || code}.`
  const text = [sentence, ADVICE[code || message]].filter(Boolean).join(' ')
  if (AWAY.test(code) || (!code && AWAY_MESSAGE.test(message))) {
    return new StoreAwayError(text)
  }
  return new StoreError(text)
}

function addressOf(url: string): string {
  const { host, pathname } = new URL(url)
  return `postgres://${host}${pathname}`
}
