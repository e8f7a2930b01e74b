/** Migrates a database to the newest schema in one database transaction. Released migrations never change. */

import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import { z } from 'zod'
import schema from './schema.sql?raw'

/**
 * The SQL texts that create the tables and change them. The schema version of a database is the number of texts that it
 * has run. Until the first release, `schema.sql` is edited in place. After the release, a change is a new text.
 */
const MIGRATIONS = [schema]

const Version = z.object({ user_version: z.number() })

export function migrate(database: DatabaseSyncInstance): void {
  if (versionOf(database) === MIGRATIONS.length) return
  database.exec('BEGIN IMMEDIATE')
  try {
    // Another process may have migrated the database meanwhile.
    const version = versionOf(database)
    if (version > MIGRATIONS.length) {
      throw new Error(
        `The database was written by a newer version (schema ${version}, this one knows ${MIGRATIONS.length}). Upgrade, or use another STORE_URL.`,
      )
    }
    for (const sql of MIGRATIONS.slice(version)) database.exec(sql)
    database.exec(`PRAGMA user_version = ${MIGRATIONS.length}; COMMIT`)
  } catch (error) {
    database.exec('ROLLBACK')
    throw error
  }
}

function versionOf(database: DatabaseSyncInstance): number {
  return Version.parse(database.prepare('PRAGMA user_version').get()).user_version
}
