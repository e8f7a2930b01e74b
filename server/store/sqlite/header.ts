/** The header of a SQLite file: how large the file is, and whether it has a WAL. [SQLite: Database File Format] */

import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs'

import { filesOf } from './files.ts'

/** The first bytes of every SQLite file. */
const MAGIC = 'SQLite format 3\0'
const HEADER_BYTES = 100
/** Byte positions of the page size, the write version and the page count in the header. */
const PAGE_SIZE_AT = 16
const WRITE_VERSION_AT = 18
const PAGE_COUNT_AT = 28
/** The write versions of a file that has no WAL, and of one that has. */
const WITHOUT_WAL = 1
const WITH_WAL = 2

/**
 * Throws if the file is a restored backup and the WAL of the replaced file still exists. SQLite would apply this WAL to
 * the backup and damage the backup. A backup is recognized by its header, which states that the file has no WAL.
 */
export function refuseForeignWal(path: string): void {
  const { wal, shm } = filesOf(path)
  if (existsSync(wal) && readHeader(path).writeVersion === WITHOUT_WAL) {
    throw new Error(`${wal} belongs to a file that was here before. Move it away, with ${shm}`)
  }
}

/** Returns whether a SQLite file that this process has not opened as a database states that it has a WAL. */
export function hasWal(path: string): boolean {
  return readHeader(path).writeVersion === WITH_WAL
}

/** Reads the header of a SQLite file that this process has not opened as a database. */
function readHeader(path: string) {
  const header = openHeader(path)
  try {
    return header.read()
  } finally {
    header.close()
  }
}

/**
 * Opens a SQLite file to read its header. `bytes` is the size that the header states, and `size` is the size on disk.
 *
 * While this process has the file open as a database, `close` must not be called: a process that closes any descriptor of
 * a file loses all its locks of it. Another program that reads the file and ends would then take the WAL for its own and
 * delete it. [SQLite: How To Corrupt An SQLite Database File, 2.2]
 */
export function openHeader(path: string) {
  const file = openSync(path, 'r')
  return {
    read() {
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
    },
    close: () => closeSync(file),
  }
}
