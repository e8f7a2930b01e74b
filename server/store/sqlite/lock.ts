/** The lock of a server on its SQLite file, which serves one server at a time. */

import { existsSync } from 'node:fs'

import { createBeside, removePermissions } from '../../config/private-file.ts'
import { StoreInUseError } from '../errors.ts'
import { loadSqlite } from './database.ts'
import { isBusy, namingFile } from './error.ts'
import { claimFiles, filesOf } from './files.ts'

import type { Database } from './database.ts'

/**
 * Locks the file for this server process, so that no other server can use the file. The lock ends when the process
 * ends, even by a crash.
 *
 * @returns The connection that holds the lock.
 * @throws {StoreInUseError} if another process holds the lock.
 */
export function lockForServer(path: string): Database {
  const { DatabaseSync } = loadSqlite()
  namingFile(path, () => claimFiles(path))
  const file = filesOf(path).lock
  const lock = namingFile(file, () => {
    if (existsSync(file)) {
      removePermissions(file)
    } else {
      // Root recovers the store of another user, who starts the server afterwards.
      createBeside(path, file)
    }
    return new DatabaseSync(file)
  })

  try {
    lock.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
    return lock
  } catch (error) {
    lock.close()
    if (!isBusy(error)) {
      throw error
    }

    throw new StoreInUseError(
      `${path}: another server process uses it, and a SQLite file serves one. Stop that process, or use Postgres`,
      { cause: error },
    )
  }
}
