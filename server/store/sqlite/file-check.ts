/**
 * Checks whether the files of an open SQLite database were deleted, replaced, truncated or overwritten. SQLite continues to
 * write to a deleted or replaced file, and these writes are lost when the process ends.
 */

import { closeSync, existsSync, fstatSync, openSync, readSync, statSync } from 'node:fs'
import { StoreError } from '../store.ts'

/** The first bytes of every SQLite file. */
const MAGIC = 'SQLite format 3\0'
const HEADER_BYTES = 100
/** Byte positions of the page size, the write version and the page count in the header. [SQLite: Database File Format] */
const PAGE_SIZE_AT = 16
const WRITE_VERSION_AT = 18
const PAGE_COUNT_AT = 28
/** The write version of a file that has no WAL. */
const WITHOUT_WAL = 1

export type FileCheck = ReturnType<typeof createFileCheck>

/**
 * @param path The path of an open database in WAL mode, or `:memory:`.
 * @param isCheckpointed Whether the database file contains all pages of the WAL. If `false`, a crash may have
 * interrupted a checkpoint, and the file may then be shorter than its header states.
 */
export function createFileCheck(path: string, isCheckpointed: boolean) {
  const files = path === ':memory:' ? [] : [path, `${path}-wal`]
  /** Device and inode of each open file; `null` if the file did not exist. */
  const inodes = new Map(files.map((file) => [file, inodeOf(file)]))
  /** The last known size of the database file, in bytes. An open database file never becomes smaller. */
  let leastSize = files.length > 0 && isCheckpointed ? readHeader(path).bytes : 0
  /** The first driver error that reported damage; `null` if there was none. */
  let damage: { cause: unknown } | null = null
  return { failed, checkPresence, check }

  /** Remembers a driver error if its message reports damage. The message is tested, because some errors have no code. */
  function failed(cause: unknown): void {
    if (cause instanceof Error && /malformed|not a database/.test(cause.message)) damage ??= { cause }
  }

  /**
   * Tests whether the open files still have their names. Takes some microseconds.
   *
   * @throws {StoreError} if a file was deleted or replaced.
   */
  function checkPresence(): void {
    for (const [file, inode] of inodes)
      if (inodeOf(file) !== inode)
        throw new StoreError(
          `${file} was deleted or replaced while it was open. Do not restart the server yet: process ${process.pid} still has the data. Copy it out of /proc/${process.pid}/fd first, as OPERATING.md describes ("The store").`,
        )
  }

  /**
   * Tests the open files and the header of the database file.
   *
   * @throws {StoreError} if a file was deleted or replaced, or the database is damaged.
   */
  function check(): void {
    if (damage) throw new StoreError(`${path} is damaged. Restore a backup.`, damage)
    if (files.length === 0) return
    checkPresence()
    const { isSqlite, size } = readHeader(path)
    const reason = isSqlite ? 'its end is missing' : 'it is not a SQLite database'
    if (!isSqlite || size < leastSize)
      throw new StoreError(`${path} is damaged: ${reason}. Restore a backup.`)
    leastSize = size
  }
}

function inodeOf(file: string): string | null {
  const stat = statSync(file, { throwIfNoEntry: false, bigint: true })
  return stat ? `${stat.dev} ${stat.ino}` : null
}

/**
 * Throws if the file is a restored backup and the WAL of the replaced file still exists. SQLite would apply this WAL to
 * the backup and damage the backup. A backup is recognized by its header, which states that the file has no WAL.
 */
export function refuseForeignWal(path: string): void {
  const wal = `${path}-wal`
  if (existsSync(path) && existsSync(wal) && readHeader(path).writeVersion === WITHOUT_WAL)
    throw new Error(`${wal} belongs to a file that was here before. Move it away, with ${path}-shm`)
}

/** Reads the header of a SQLite file. `bytes` is the size that the header states, and `size` is the size on disk. */
function readHeader(path: string) {
  const file = openSync(path, 'r')
  try {
    const header = Buffer.alloc(HEADER_BYTES)
    readSync(file, header, 0, HEADER_BYTES, 0)
    const pageSize = header.readUInt16BE(PAGE_SIZE_AT)
    return {
      isSqlite: header.toString('latin1', 0, MAGIC.length) === MAGIC,
      writeVersion: header.at(WRITE_VERSION_AT),
      // A page size of 65,536 bytes is stored as 1.
      bytes: header.readUInt32BE(PAGE_COUNT_AT) * (pageSize === 1 ? 65_536 : pageSize),
      size: fstatSync(file).size,
    }
  } finally {
    closeSync(file)
  }
}
