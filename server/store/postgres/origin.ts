/**
 * Detects that the database was restored from a dump or a backup, or promoted from a standby server. The gateway may
 * then know newer states of transactions than the database.
 */

import type { ClientBase } from 'pg'
import { z } from 'zod'

/**
 * SQL query: selects the identity of the database. The identity consists of the cluster's id, the cluster's timeline
 * and the object id of the table `transactions`. Restoring or promoting a cluster begins a new timeline. Restoring a
 * dump creates new tables.
 */
const IDENTITY = `
  SELECT concat_ws('/', (SELECT system_identifier FROM pg_control_system()),
    left(pg_walfile_name(pg_current_wal_lsn()), 8), 'gateway_checkout.transactions'::regclass::oid) AS identity`
/**
 * SQLSTATE for an undefined function. Some databases that are compatible with Postgres lack the functions in
 * `IDENTITY`.
 */
const NO_FUNCTION = '42883'

/** SQLSTATEs for a schema or a table that does not exist. */
const NO_TABLES = ['3F000', '42P01']
const UNKNOWN = 'unknown'
/** How often, and with which pause, a recovery looks whether other sessions have ended. */
const SESSION_TRIES = 25
const SESSION_PAUSE_SECONDS = 0.2

/** A client or a connection pool. */
type Queryable = Pick<ClientBase, 'query'>

const OriginRows = z.array(z.object({ identity: z.string() }))
const DriverError = z.object({ code: z.string() })
const SessionRows = z.tuple([z.object({ others: z.number() })])

/** Thrown if the database was restored or promoted, and not recovered since. */
class OriginError extends Error {
  constructor() {
    super(
      'it was restored or promoted, and the gateway may know newer payments. Stop every server, and run "gateway-checkout-server recover" first',
    )
  }
}

/**
 * Compares the identity of the database with the stored identity, and returns it. The first call stores the identity.
 *
 * @throws {OriginError} if the identities differ.
 */
export async function checkOrigin(client: Queryable): Promise<string> {
  const identity = await identityOf(client)
  if ((await readOrigin(client)) === null) {
    // Another process may insert the row at the same time. The row is therefore read again below.
    await client.query('INSERT INTO gateway_checkout.origin VALUES (1, $1) ON CONFLICT DO NOTHING', [
      identity,
    ])
  }
  if ((await readOrigin(client)) !== identity) throw new OriginError()
  return identity
}

export type OriginGuard = ReturnType<typeof createOriginGuard>

/**
 * Returns functions that refuse a database which is restored or promoted while this process uses it. The refusal lasts
 * until the process ends, also after `recover`: rows that the process knows may be newer than the database.
 *
 * @param identity The identity that `checkOrigin` returned when the database was opened.
 */
export function createOriginGuard(identity: string) {
  let refusal: OriginError | null = null
  return { check, compare, verify, failed }

  /** @throws {OriginError} if an earlier comparison has found another identity. */
  function check(): void {
    if (refusal) throw refusal
  }

  /** @throws {OriginError} if the identity differs, or differed before. */
  async function compare(pool: Queryable): Promise<void> {
    check()
    // Some compatible databases have no identity.
    if (identity !== UNKNOWN) expectSame(await identityOf(pool))
  }

  /** Checks a new connection, which may lead to a promoted standby server after a failover. */
  async function verify(client: Queryable): Promise<void> {
    try {
      expectSame(await checkOrigin(client))
    } catch (error) {
      throw failed(error)
    }
  }

  /** Returns the error of a statement, or the refusal if the error means that the database is being restored. */
  function failed(error: unknown): unknown {
    const { data } = DriverError.safeParse(error)
    if (error instanceof OriginError || NO_TABLES.includes(data?.code ?? '')) refusal ??= new OriginError()
    return refusal ?? error
  }

  function expectSame(current: string): void {
    if (current !== identity) refusal ??= new OriginError()
    check()
  }
}

/**
 * Resolves when no other session has the application name of this session. A session may outlive its process by a moment.
 *
 * @throws {Error} if other sessions remain for 5 seconds.
 */
export async function refuseOtherSessions(client: Queryable): Promise<void> {
  for (let tries = SESSION_TRIES; tries > 0; tries--) {
    const { rows } = await client.query(`
      SELECT count(*)::integer AS others FROM pg_stat_activity WHERE datname = current_database()
        AND application_name = current_setting('application_name') AND pid <> pg_backend_pid()`)
    if (SessionRows.parse(rows)[0].others === 0) return
    await client.query(`SELECT pg_sleep(${SESSION_PAUSE_SECONDS})`)
  }
  throw new Error('a server or another command uses it. Stop every server, and try again')
}

/**
 * Deletes the stored identity, so that the next server stores that of this database. Resolves with the SQL condition that
 * the backup contained a row: one database transaction has restored all rows of a dump. Rows that a server wrote before it
 * noticed are newer.
 */
export async function forgetOrigin(client: Queryable): Promise<string> {
  const stored = await readOrigin(client)
  const isDump = stored !== null && tableOf(stored) !== tableOf(await identityOf(client))
  await client.query('DELETE FROM gateway_checkout.origin')
  return isDump ? 'age(xmin) = (SELECT max(age(xmin)) FROM gateway_checkout.transactions)' : 'true'
}

/** Returns the object id of the table `transactions` in an identity. A restored dump has another. */
function tableOf(identity: string): string | undefined {
  return identity.split('/')[2]
}

async function readOrigin(client: Queryable): Promise<string | null> {
  const { rows } = await client.query('SELECT identity FROM gateway_checkout.origin')
  return OriginRows.parse(rows)[0]?.identity ?? null
}

async function identityOf(client: Queryable): Promise<string> {
  try {
    const { rows } = await client.query(IDENTITY)
    return OriginRows.parse(rows)[0]?.identity ?? ''
  } catch (error) {
    if (DriverError.safeParse(error).data?.code === NO_FUNCTION) return UNKNOWN
    throw error
  }
}
