/** Migrates a database to the newest schema in one database transaction. Released migrations never change. */

import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import { z } from 'zod'
import transactions from './0001-transactions.sql?raw'
import dueByAccount from './0002-due-by-account.sql?raw'
import eventsAbout from './0003-events-about.sql?raw'
import plainRecords from './0004-plain-records.sql?raw'
import outbox from './0005-outbox.sql?raw'
import retention from './0006-retention.sql?raw'
import operations from './0007-operations.sql?raw'
import failedQueries from './0008-failed-queries.sql?raw'
import orderMarks from './0009-order-marks.sql?raw'
import masking from './0010-masking.sql?raw'
import answers from './0011-answers.sql?raw'

const MIGRATIONS = [
  transactions,
  dueByAccount,
  eventsAbout,
  plainRecords,
  outbox,
  retention,
  operations,
  failedQueries,
  orderMarks,
  masking,
  answers,
]

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
