/**
 * Checks whether the files of an open database were deleted, replaced, truncated or overwritten. SQLite continues to
 * write to a deleted or replaced file, and these writes are lost when the process ends.
 */

import { statSync } from 'node:fs'

import { StoreError } from '../errors.ts'
import { filesOf } from './files.ts'
import { openHeader } from './header.ts'

export type FileCheck = ReturnType<typeof createFileCheck>

/**
 * Creates the check of a database. The check is closed after the database.
 *
 * @param path The path of an open database in WAL mode, or `:memory:`.
 * @param isCheckpointed Whether the database file contains all pages of the WAL. If `false`, a crash may have
 * interrupted a checkpoint, and the file may then be shorter than its header states.
 */
export function createFileCheck(path: string, isCheckpointed: boolean) {
  const files = path === ':memory:' ? [] : [path, filesOf(path).wal]
  const header = files.length > 0 ? openHeader(path) : null
  /** Device and inode of each open file; `null` if the file did not exist. */
  const inodes = new Map(files.map((file) => [file, inodeOf(file)]))
  /** The last known size of the database file, in bytes. An open database file never becomes smaller. */
  let leastSize = header !== null && isCheckpointed ? header.read().bytes : 0
  /** The first driver error that reported damage; `null` if there was none. */
  let damage: { cause: unknown } | null = null
  return { failed, checkPresence, check, close: () => header?.close() }

  /**
   * Remembers a driver error if its message reports damage. The message is tested, because some errors have no code.
   */
  function failed(cause: unknown): void {
    if (cause instanceof Error && /malformed|not a database/.test(cause.message)) {
      damage ??= { cause }
    }
  }

  /**
   * Tests whether the open files still have their names. Takes some microseconds.
   *
   * @throws {StoreError} if a file was deleted or replaced.
   */
  function checkPresence(): void {
    for (const [file, inode] of inodes) {
      if (inodeOf(file) !== inode) {
        throw new StoreError(
          `${file} was deleted or replaced while it was open. Do not restart the server yet: process ${process.pid} still has the data. Copy it out of /proc/${process.pid}/fd first, as OPERATING.md describes ("The store").`,
        )
      }
    }
  }

  /**
   * Tests the open files and the header of the database file.
   *
   * @throws {StoreError} if a file was deleted or replaced, or the database is damaged.
   */
  function check(): void {
    if (damage) {
      throw new StoreError(`${path} is damaged. Restore a backup.`, damage)
    }
    if (header === null) {
      return
    }

    checkPresence()
    const { isSqlite, size } = header.read()
    if (!isSqlite) {
      throw new StoreError(`${path} is damaged: it is not a SQLite database. Restore a backup.`)
    }
    if (size < leastSize) {
      throw new StoreError(`${path} is damaged: its end is missing. Restore a backup.`)
    }

    leastSize = size
  }
}

function inodeOf(file: string): string | null {
  const stat = statSync(file, { throwIfNoEntry: false, bigint: true })
  return stat ? `${stat.dev} ${stat.ino}` : null
}
