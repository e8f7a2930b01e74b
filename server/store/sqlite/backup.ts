/**
 * Backs up a SQLite file, and recovers a restored file.
 *
 * Each backup contains a mark, which states that the file is a backup. A server refuses to use a file with this mark.
 * The command `recover` removes the mark.
 */

import { existsSync, renameSync, rmSync } from 'node:fs'

import { createBeside } from '../../config/private-file.ts'
import { recoverRows } from '../recover.ts'
import { migrate } from '../schema.ts'
import { openDatabase } from './database.ts'
import { SQLITE } from './dialect.ts'
import { namingFile } from './error.ts'
import { refuseMissing } from './files.ts'
import { lockForServer } from './lock.ts'
import { inTransaction } from './runner.ts'

import type { Recovery } from '../recover.ts'

/**
 * Writes a copy of the SQLite file at `path` to `file`. A server may use the file at `path` meanwhile. A crash leaves
 * no incomplete copy at `file`.
 *
 * @throws {Error} if `file` exists, or cannot be written.
 */
export function backUp(path: string, file: string, now: number): void {
  refuseMissing(path)
  if (existsSync(file)) {
    throw new Error(`${file}: it exists already. Name a new file`)
  }

  const unfinished = `${file}.unfinished`
  rmSync(unfinished, { force: true })
  const source = openDatabase(path, { readOnly: true })
  try {
    namingFile(file, () => {
      // Fails if somebody else has created it meanwhile, and could read it.
      createBeside(path, unfinished)
      source.prepare('VACUUM INTO ?').run(unfinished)
    })
  } finally {
    source.close()
  }

  const copy = openDatabase(unfinished)
  inTransaction(copy, migrate(SQLITE))
  copy.prepare(`INSERT OR REPLACE INTO marks VALUES ('copied', ?)`).run(now)
  // Makes the copy a single file, without a WAL, and without a journal that a crash would leave.
  copy.exec('PRAGMA journal_mode = MEMORY')
  copy.close()
  renameSync(unfinished, file)
}

/** Recovers a restored file. Removes the mark that makes servers refuse the file, and schedules status queries. */
export function recover(path: string, now: number): Recovery {
  refuseMissing(path)
  const lock = lockForServer(path)
  const database = openDatabase(path)
  try {
    return namingFile(path, () => {
      inTransaction(database, migrate(SQLITE))
      return inTransaction(database, recoverRows(SQLITE, now))
    })
  } finally {
    database.close()
    lock.close()
  }
}
