/** Fills a database with settled checkouts, which are copies of a single checkout that the server itself settled. */

import { Client } from 'pg'
import { openDatabase } from '../../../server/store/sqlite/database.ts'

const TRANSACTION = `kind, environment, base_url, account_number, attempt, version, record, created_at, due_at, sent_at,
  asked_at, failures, trace_id`
const EVENT = 'about, type, body, created_at, due_at, failures, finished_at, finish'

/**
 * Returns SQL statements that copy the only transaction of a database, with its history and events. The ids ascend,
 * because inserting ids in random order would change many more pages of the indexes.
 *
 * @param account The name of the account's column, followed by a comma; empty if the tables have no such column.
 * @param rare The number of copies that have the outcome `reversed`.
 */
function copies(count: number, account: string, rare: number): string[] {
  const name = "'copy-' || CAST(10000000 + n AS text)"
  return [
    `INSERT INTO transactions (id, reference, "group", outcome, updated_at, ${account} ${TRANSACTION})
      WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${count - 1})
      SELECT ${name}, ${name}, ${name}, CASE WHEN n % ${count / rare} = 0 THEN 'reversed' ELSE outcome END,
        updated_at + n, ${account} ${TRANSACTION}
      FROM numbers, transactions ORDER BY n`,
    `INSERT INTO history (transaction_id, at, what)
      SELECT t.id, h.at, what FROM transactions t, history h WHERE t.id <> h.transaction_id ORDER BY t.id, h.at`,
    `INSERT INTO events (id, transaction_id, ${account} ${EVENT})
      SELECT 'event-' || t.id, t.id, ${columns('e', `${account} ${EVENT}`)}
      FROM transactions t, events e WHERE t.id <> e.transaction_id ORDER BY t.id`,
  ]
}

function columns(table: string, names: string): string {
  return names.replace(/\w+/g, `${table}.$&`)
}

const OUTBOX = 'account, is_retry, due_at, pause_until, lease_until'
/** Only Postgres keeps a row in `outbox` for a transaction whose events are all delivered. */
const COPY_OUTBOX = `INSERT INTO outbox (transaction_id, ${OUTBOX})
  SELECT t.id, ${columns('o', OUTBOX)} FROM transactions t, outbox o WHERE t.id <> o.transaction_id ORDER BY t.id`

/**
 * Copies the only checkout of a database until there are `count` checkouts. No server may use the database meanwhile.
 */
export async function copyCheckout(storeUrl: string, count: number, rare: number): Promise<void> {
  if (storeUrl.startsWith('sqlite:')) {
    const database = openDatabase(storeUrl.replace('sqlite:', ''))
    database.exec(['BEGIN', ...copies(count, '', rare), 'COMMIT', 'ANALYZE'].join(';'))
    database.close()
    return
  }
  const client = new Client(storeUrl)
  await client.connect()
  await client.query(
    `SET search_path TO gateway_checkout; SET synchronous_commit TO off; SET maintenance_work_mem TO '256MB'`,
  )
  await withoutIndexes(client, async () => {
    for (const sql of [...copies(count, 'account,', rare), COPY_OUTBOX]) await client.query(sql)
  })
  await client.query('VACUUM ANALYZE')
  await client.end()
}

const TABLES = ['transactions', 'history', 'events', 'outbox']
const LISTED = `(${TABLES.map((table) => `'${table}'::regclass`).join()})`

/** Drops the indexes while `fill` runs: creating an index of a full table is faster than inserting each row into it. */
async function withoutIndexes(client: Client, fill: () => Promise<void>): Promise<void> {
  const { rows: constraints } = await client.query(
    `SELECT conrelid::regclass AS table, conname AS name, pg_get_constraintdef(oid) AS definition FROM pg_constraint
     WHERE contype IN ('p', 'u') AND conrelid IN ${LISTED}`,
  )
  const { rows: indexes } = await client.query(
    `SELECT indexrelid::regclass AS name, pg_get_indexdef(indexrelid) AS definition FROM pg_index
     WHERE indrelid IN ${LISTED} AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid)`,
  )
  for (const { name } of indexes) await client.query(`DROP INDEX ${name}`)
  for (const { table, name } of constraints)
    await client.query(`ALTER TABLE ${table} DROP CONSTRAINT ${name}`)
  await fill()
  for (const { table, name, definition } of constraints)
    await client.query(`ALTER TABLE ${table} ADD CONSTRAINT ${name} ${definition}`)
  for (const { definition } of indexes) await client.query(definition)
}
