/** Brings a database to the newest schema. Migrations are SQL, are only ever appended, and each is one atom. */

import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import { z } from 'zod'
import transactions from './0001-transactions.sql?raw'
import dueByHome from './0002-due-by-home.sql?raw'

const MIGRATIONS = [transactions, dueByHome]

export function migrate(database: DatabaseSyncInstance): void {
  const { user_version: version } = z
    .object({ user_version: z.number() })
    .parse(database.prepare('PRAGMA user_version').get())
  if (version > MIGRATIONS.length) {
    throw new Error(
      `The database was written by a newer version (schema ${version}, this one knows ${MIGRATIONS.length}). Upgrade, or use another STORE_URL.`,
    )
  }
  for (const [index, sql] of MIGRATIONS.entries()) {
    if (index < version) continue
    database.exec(`BEGIN IMMEDIATE; ${sql}; PRAGMA user_version = ${index + 1}; COMMIT;`)
  }
}
