/**
 * Detects that the database was restored from a dump or a backup, or promoted from a standby server. The gateway may
 * then know newer states of transactions than the database.
 */

import type { ClientBase } from 'pg'
import type { Recovery } from '../../store.ts'
import { z } from 'zod'
import { AHEAD, WITHIN_MS } from '../recovery.ts'

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

const OriginRows = z.array(z.object({ identity: z.string() }))
const DriverError = z.object({ code: z.string() })
const CountRows = z.tuple([z.object({ unsent: z.number(), newest: z.number().nullable() })])

/**
 * Compares the identity of the database with the stored identity. The first call stores the identity.
 *
 * @throws {Error} if the identities differ, because the database was restored or promoted and not recovered since.
 */
export async function checkOrigin(client: ClientBase): Promise<void> {
  const identity = await identityOf(client)
  if ((await readOrigin(client)) === null) {
    // Another process may insert the row at the same time. The row is therefore read again below.
    await client.query('INSERT INTO gateway_checkout.origin VALUES (1, $1) ON CONFLICT DO NOTHING', [
      identity,
    ])
  }
  if ((await readOrigin(client)) === identity) return
  throw new Error(
    'it was restored or promoted, and the gateway may know newer payments. Stop every server, and run "gateway-checkout-server recover" first',
  )
}

/** Recovers a restored or promoted database by the rules in `recovery.ts`, in one database transaction. */
export async function recoverRows(client: ClientBase, now: number): Promise<Recovery> {
  await client.query('BEGIN; SET LOCAL statement_timeout = 0')
  try {
    const { rows } = await client.query(`
      SELECT count(*) FILTER (WHERE sent_at IS NULL)::integer AS unsent, max(updated_at) AS newest
      FROM gateway_checkout.transactions`)
    const [{ unsent, newest }] = CountRows.parse(rows)
    await client.query('UPDATE gateway_checkout.transactions SET sent_at = created_at WHERE sent_at IS NULL')
    const { rowCount } = await client.query(
      `UPDATE gateway_checkout.transactions SET due_at = least(due_at, $1), version = version + ${AHEAD.versions}
       WHERE due_at <= $1::bigint + ${WITHIN_MS}`,
      [now],
    )
    const sequence = `pg_get_serial_sequence('gateway_checkout.events', 'sequence')`
    await client.query(`SELECT setval(${sequence}, nextval(${sequence}) + ${AHEAD.events})`)
    await client.query(
      `INSERT INTO gateway_checkout.marks VALUES ('recovered', $1) ON CONFLICT (name) DO UPDATE SET at = excluded.at`,
      [now],
    )
    await client.query('DELETE FROM gateway_checkout.origin')
    await client.query('COMMIT')
    return { asked: rowCount ?? 0, unsent, knownUntil: newest }
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {})
    throw error
  }
}

async function readOrigin(client: ClientBase): Promise<string | null> {
  const { rows } = await client.query('SELECT identity FROM gateway_checkout.origin')
  return OriginRows.parse(rows)[0]?.identity ?? null
}

async function identityOf(client: ClientBase): Promise<string> {
  try {
    const { rows } = await client.query(IDENTITY)
    return OriginRows.parse(rows)[0]?.identity ?? ''
  } catch (error) {
    if (DriverError.safeParse(error).data?.code === NO_FUNCTION) return 'unknown'
    throw error
  }
}
