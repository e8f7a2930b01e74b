/** Creates the tables in a new database. If several processes start together, only one of them does. */

import type { Client } from 'pg'
import { z } from 'zod'
import { POSTGRES } from '../dialect.ts'
import { SCHEMA_VERSION, schemaOf } from '../schema.ts'

const MIGRATION_LOCK = 7_240_401

const Existing = z.tuple([z.object({ schema: z.boolean(), tables: z.boolean() })])
const Newest = z.tuple([z.object({ version: z.number() })])

export async function migrate(client: Client): Promise<void> {
  if ((await versionOf(client)) === SCHEMA_VERSION) return
  await client.query(
    `BEGIN; SET LOCAL statement_timeout = 0; SELECT pg_advisory_xact_lock(${MIGRATION_LOCK})`,
  )
  try {
    // Another process may have created the tables meanwhile.
    const version = await versionOf(client)
    if (version > SCHEMA_VERSION)
      throw new Error(
        `a newer version wrote it (schema ${version}, this one knows ${SCHEMA_VERSION}). Upgrade, or use another STORE_URL`,
      )
    if (version === 0) await createTables(client)
    await client.query('COMMIT')
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {})
    throw error
  }
}

/** If the server's database user may not create schemas, an administrator must create the schema first. */
async function createTables(client: Client): Promise<void> {
  if (!(await existing(client)).schema) await client.query('CREATE SCHEMA gateway_checkout')
  await client.query(`
    ${schemaOf(POSTGRES)}
    -- One row: the database in which the tables were created or last recovered. A restored or promoted one is another.
    CREATE TABLE gateway_checkout.origin (id integer PRIMARY KEY CHECK (id = 1), identity text NOT NULL);
    CREATE TABLE gateway_checkout.migrations (version integer PRIMARY KEY);
    INSERT INTO gateway_checkout.migrations VALUES (${SCHEMA_VERSION})`)
}

/** Returns the schema version; 0 for a database without tables of this server. */
async function versionOf(client: Client): Promise<number> {
  if (!(await existing(client)).tables) return 0
  const { rows } = await client.query(
    'SELECT coalesce(max(version), 0) AS version FROM gateway_checkout.migrations',
  )
  return Newest.parse(rows)[0].version
}

/** Reads the system catalogues, because functions such as `to_regclass` may return outdated cached values. */
async function existing(client: Client): Promise<z.infer<typeof Existing>[0]> {
  const { rows } = await client.query(`
    SELECT EXISTS (SELECT FROM pg_namespace WHERE nspname = 'gateway_checkout') AS schema,
      EXISTS (SELECT FROM pg_tables WHERE schemaname = 'gateway_checkout' AND tablename = 'migrations') AS tables`)
  return Existing.parse(rows)[0]
}
