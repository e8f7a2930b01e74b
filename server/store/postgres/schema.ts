/**
 * Migrates a database to the newest schema. If several processes start together, only one of them migrates.
 *
 * Released migrations never change. A new migration only adds to the schema, so that processes of the previous server
 * version can keep running.
 */

import type { Client } from 'pg'
import { z } from 'zod'
import schema from './schema.sql?raw'

/**
 * The SQL texts that create the tables and change them. The schema version of a database is the number of texts that it
 * has run. Until the first release, `schema.sql` is edited in place. After the release, a change is a new text.
 */
const MIGRATIONS = [schema]
const MIGRATION_LOCK = 7_240_401

const Existing = z.tuple([z.object({ schema: z.boolean(), tables: z.boolean() })])
const Newest = z.tuple([z.object({ version: z.number() })])

export async function migrate(client: Client): Promise<void> {
  if ((await versionOf(client)) === MIGRATIONS.length) return
  await client.query(
    `BEGIN; SET LOCAL statement_timeout = 0; SELECT pg_advisory_xact_lock(${MIGRATION_LOCK})`,
  )
  try {
    // Another process may have migrated the database meanwhile.
    const version = await versionOf(client)
    if (version > MIGRATIONS.length) {
      throw new Error(
        `a newer version wrote it (schema ${version}, this one knows ${MIGRATIONS.length}). Upgrade, or use another STORE_URL`,
      )
    }
    if (version === 0) await createSchema(client)
    for (const [index, sql] of MIGRATIONS.entries()) {
      if (index < version) continue
      await client.query(sql)
      await client.query('INSERT INTO gateway_checkout.migrations (version) VALUES ($1)', [index + 1])
    }
    await client.query('COMMIT')
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {})
    throw error
  }
}

/** Returns the schema version; 0 for a database without tables of this server. */
async function versionOf(client: Client): Promise<number> {
  if (!(await existing(client)).tables) return 0
  const { rows } = await client.query(
    'SELECT coalesce(max(version), 0) AS version FROM gateway_checkout.migrations',
  )
  return Newest.parse(rows)[0].version
}

/**
 * Creates the schema and the table of migrations if they do not exist. If the server's database user may not create
 * schemas, an administrator must create the schema first.
 */
async function createSchema(client: Client): Promise<void> {
  const { schema, tables } = await existing(client)
  if (!schema) await client.query('CREATE SCHEMA gateway_checkout')
  if (!tables) await client.query('CREATE TABLE gateway_checkout.migrations (version integer PRIMARY KEY)')
}

/**
 * Returns two flags: `schema` is true if the schema exists, `tables` is true if the table of migrations exists. Reads
 * the system catalogues, because functions such as `to_regclass` may return outdated cached values.
 */
async function existing(client: Client): Promise<z.infer<typeof Existing>[0]> {
  const { rows } = await client.query(`
    SELECT EXISTS (SELECT FROM pg_namespace WHERE nspname = 'gateway_checkout') AS schema,
      EXISTS (SELECT FROM pg_tables WHERE schemaname = 'gateway_checkout' AND tablename = 'migrations') AS tables`)
  return Existing.parse(rows)[0]
}
