/**
 * Backs up a SQLite file, and recovers a restored file.
 *
 * Each backup contains a mark, which states that the file is a backup. A server refuses to use a file with this mark.
 * The command `recover` removes the mark, and schedules a status query for every unsettled transaction.
 */

import type { Recovery } from '../../store.ts'
import { existsSync, renameSync, rmSync } from 'node:fs'
import { z } from 'zod'
import { AHEAD, WITHIN_MS } from '../recovery.ts'
import { keepPrivate, lockForServer, namingFile, openDatabase, refuseMissing } from './database.ts'
import { migrate } from './schema.ts'
import { MarkRow } from '../rows.ts'

const UnsentRow = z.object({ unsent: z.number() })

/**
 * Writes a copy of the SQLite file at `path` to `file`. A server may use the file at `path` meanwhile. A crash leaves
 * no incomplete copy at `file`.
 *
 * @throws {Error} if `file` exists, or cannot be written.
 */
export function backUp(path: string, file: string, now: number): void {
  refuseMissing(path)
  if (existsSync(file)) throw new Error(`${file}: it exists already. Name a new file`)
  const unfinished = `${file}.unfinished`
  rmSync(unfinished, { force: true })
  const source = openDatabase(path, true)
  try {
    keepPrivate(unfinished)
    namingFile(file, () => source.prepare('VACUUM INTO ?').run(unfinished))
  } finally {
    source.close()
  }
  const copy = openDatabase(unfinished)
  migrate(copy)
  copy.prepare(`INSERT OR REPLACE INTO marks VALUES ('copied', ?)`).run(now)
  // Makes the copy a single file, without a WAL.
  copy.exec('PRAGMA journal_mode = DELETE')
  copy.close()
  renameSync(unfinished, file)
}

/** Returns the time at which the backup was made; `null` if the database is not a backup, or was recovered. */
export function copiedAt(database: ReturnType<typeof openDatabase>): number | null {
  return MarkRow.parse(database.prepare(`SELECT max(at) AS at FROM marks WHERE name = 'copied'`).get()).at
}

/** Recovers a restored file. Removes the mark that makes servers refuse the file, and schedules status queries. */
export function recover(path: string, now: number): Recovery {
  refuseMissing(path)
  const lock = lockForServer(path)
  const database = openDatabase(path)
  try {
    return namingFile(path, () => {
      migrate(database)
      database.exec('BEGIN IMMEDIATE')
      const copied = copiedAt(database)
      const newest = MarkRow.parse(database.prepare('SELECT max(updated_at) AS at FROM transactions').get())
      const { unsent } = UnsentRow.parse(
        database.prepare('SELECT count(*) AS unsent FROM transactions WHERE sent_at IS NULL').get(),
      )
      database.exec('UPDATE transactions SET sent_at = created_at WHERE sent_at IS NULL')
      const { changes } = database
        .prepare(
          `UPDATE transactions SET requested_at = :now, due_at = min(due_at, :now), version = version + ${AHEAD.versions}
           WHERE due_at <= :now + ${WITHIN_MS}`,
        )
        .run({ now })
      database.exec(`
        UPDATE sqlite_sequence SET seq = seq + ${AHEAD.events} WHERE name = 'events';
        DELETE FROM marks WHERE name = 'copied';
        INSERT OR REPLACE INTO marks VALUES ('recovered', ${now});
        COMMIT`)
      return { asked: Number(changes), unsent, knownUntil: copied ?? newest.at }
    })
  } finally {
    database.close()
    lock.close()
  }
}
