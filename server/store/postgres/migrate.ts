/** Creates the tables in a new database. If several processes start together, only one of them does. */

import type { Client } from 'pg'
import { z } from 'zod'
import { POSTGRES } from '../dialect.ts'
import { SCHEMA_VERSION, schemaOf } from '../schema.ts'
import { inTransaction, rowsOf } from './transaction.ts'

const MIGRATION_LOCK = 7_240_401

/** If the server's database user may not create schemas, an administrator must create the schema first. */
const FIND_VERSION = `
  SET LOCAL statement_timeout = 0;
  SELECT pg_advisory_xact_lock(${MIGRATION_LOCK});
  DO $$ BEGIN
    IF NOT EXISTS (SELECT FROM pg_namespace WHERE nspname = 'gateway_checkout') THEN
      CREATE SCHEMA gateway_checkout;
    END IF;
    IF NOT EXISTS (SELECT FROM pg_tables WHERE schemaname = 'gateway_checkout' AND tablename = 'migrations') THEN
      CREATE TABLE gateway_checkout.migrations (version integer PRIMARY KEY);
    END IF;
  END $$;
  SELECT coalesce(max(version), 0) AS version FROM gateway_checkout.migrations`
const Version = z.object({ version: z.number() })

export function migrate(client: Client): Promise<void> {
  return inTransaction(client, async () => {
    const { version } = Version.parse(rowsOf(await client.query(FIND_VERSION))[0])
    if (version > SCHEMA_VERSION)
      throw new Error(
        `a newer version wrote it (schema ${version}, this one knows ${SCHEMA_VERSION}). Upgrade, or use another STORE_URL`,
      )
    if (version === 0)
      await client.query(`
        ${schemaOf(POSTGRES)};
        -- One row: the database in which the tables were created or last recovered. A restored one is another.
        CREATE TABLE gateway_checkout.origin (id integer PRIMARY KEY CHECK (id = 1), identity text NOT NULL);
        INSERT INTO gateway_checkout.migrations VALUES (${SCHEMA_VERSION})`)
  })
}
