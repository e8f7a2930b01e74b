/**
 * Checks whether the files of an open SQLite database were deleted, replaced, truncated or overwritten. SQLite
 * continues to write to a deleted or replaced file, and these writes are lost when the process ends.
 */

import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs'
import { StoreError } from '../../store.ts'

/** The first bytes of every SQLite file. */
const MAGIC = 'SQLite format 3\0'
const HEADER_BYTES = 100
/** Byte positions of the page size and the page count in the header. [SQLite: Database File Format] */
const PAGE_SIZE_AT = 16
const PAGE_COUNT_AT = 28

export class FileCheck {
  readonly #path: string
  /** Device and inode of each open file, by path; `null` if the file did not exist. */
  readonly #inodes: ReadonlyMap<string, string | null>
  /** The first driver error that reported damage; `null` if there was none. */
  #damage: { cause: unknown } | null = null

  /** The last known size of the database file, in bytes. An open database file never becomes smaller. */
  #size: number

  /**
   * @param path The path of an open database in WAL mode, or `:memory:`.
   * @param isCheckpointed Whether the database file contains all pages of the WAL. If `false`, a crash may have
   * interrupted a checkpoint, and the file may then be shorter than its header states.
   */
  constructor(path: string, isCheckpointed: boolean) {
    this.#path = path
    const files = path === ':memory:' ? [] : [path, `${path}-wal`]
    this.#inodes = new Map(files.map((file) => [file, inodeOf(file)]))
    this.#size = files.length > 0 && isCheckpointed ? readHeader(path).bytes : 0
  }

  /**
   * Remembers a driver error if its message reports damage. The message is tested, because some errors have no code.
   */
  failed(cause: unknown): void {
    if (cause instanceof Error && /malformed|not a database/.test(cause.message)) this.#damage ??= { cause }
  }

  /**
   * Tests whether the open files still have their names. Takes some microseconds.
   *
   * @throws {StoreError} if a file was deleted or replaced.
   */
  checkPresence(): void {
    for (const [file, inode] of this.#inodes) {
      if (inodeOf(file) === inode) continue
      throw new StoreError(
        `${file} was deleted or replaced while it was open. Do not restart the server yet: process ${process.pid} still has the data. Copy it out of /proc/${process.pid}/fd first, as OPERATING.md describes ("The store").`,
      )
    }
  }

  /**
   * Tests the open files and the header of the database file.
   *
   * @throws {StoreError} if a file was deleted or replaced, or the database is damaged.
   */
  check(): void {
    if (this.#damage) throw new StoreError(`${this.#path} is damaged. Restore a backup.`, this.#damage)
    if (this.#inodes.size === 0) return
    this.checkPresence()
    const { isSqlite, size } = readHeader(this.#path)
    const damage = isSqlite ? 'its end is missing' : 'it is not a SQLite database'
    if (!isSqlite || size < this.#size)
      throw new StoreError(`${this.#path} is damaged: ${damage}. Restore a backup.`)
    this.#size = size
  }
}

function inodeOf(file: string): string | null {
  const stat = statSync(file, { throwIfNoEntry: false, bigint: true })
  return stat ? `${stat.dev} ${stat.ino}` : null
}

/** Reads the header of a SQLite file. `bytes` is the size that the header states, and `size` is the size on disk. */
function readHeader(path: string): { isSqlite: boolean; bytes: number; size: number } {
  const file = openSync(path, 'r')
  try {
    const header = Buffer.alloc(HEADER_BYTES)
    readSync(file, header, 0, HEADER_BYTES, 0)
    const pageSize = header.readUInt16BE(PAGE_SIZE_AT)
    return {
      isSqlite: header.toString('latin1', 0, MAGIC.length) === MAGIC,
      // A page size of 65,536 bytes is stored as 1.
      bytes: header.readUInt32BE(PAGE_COUNT_AT) * (pageSize === 1 ? 65_536 : pageSize),
      size: fstatSync(file).size,
    }
  } finally {
    closeSync(file)
  }
}
