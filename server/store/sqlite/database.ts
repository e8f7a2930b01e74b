/**
 * Opens SQLite files, with node:sqlite or with a compatible package if Node lacks this module, runs statements on them,
 * and notices that a file was deleted or damaged. Its errors say which file cannot be used, and what to do.
 */

import {
  closeSync,
  existsSync,
  fstatSync,
  lstatSync,
  openSync,
  readSync,
  realpathSync,
  statSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { z } from 'zod'

import {
  createBeside,
  exposureBeside,
  exposureOf,
  keepPrivate,
  problemOfOwner,
  removePermissions,
} from '../../config/private-file.ts'
import { optionalDependencies } from '../../package.json'
import { withoutNul } from '../driver.ts'
import { NoDriverError, NoStoreError, StoreAwayError, StoreError, StoreInUseError } from '../errors.ts'

import type { Statement, Work } from '../driver.ts'
import type * as Package from '@photostructure/sqlite'

type Sqlite = typeof Package
export type Database = Package.DatabaseSyncInstance

/** An optional package with the API of `node:sqlite`, for Node 20. Postgres does not need it. */
const PACKAGE = '@photostructure/sqlite'
const PACKAGE_VERSION = optionalDependencies[PACKAGE]

/** The maximum time that a statement waits while another process locks the file, in milliseconds. */
const BUSY_TIMEOUT_MS = 5_000

/** Explanation and advice for error messages, by SQLite's primary result code. */
const ADVICE: Readonly<Record<number, string>> = {
  1: 'its tables are not those of its version: it was migrated by halves or changed by another program. Restore a backup, or use another STORE_URL',
  5: 'another process has locked it. End that process, and try again',
  8: 'it is read-only. Let the user of this process write the file and its folder',
  11: 'it is damaged. Restore a backup, and run "gateway-checkout-server recover"',
  13: 'the disk is full',
  14: 'it cannot be opened. Its folder has to exist, and the user of this process has to be able to write in it',
  26: 'it is not a database. Correct STORE_URL',
}
const BUSY = 5
const FULL = 13
const DriverError = z.object({ errcode: z.number().optional(), message: z.string() })
/** The messages of the codes on which a decision depends: the package for Node 20 leaves the code out at times. */
const CODES: Readonly<Record<string, number>> = {
  'database is locked': BUSY,
  'database or disk is full': FULL,
}
const JournalMode = z.object({ journal_mode: z.string() })

export function openDatabase(path: string, { readOnly = false } = {}): Database {
  const { DatabaseSync } = loadSqlite()
  return namingFile(path, () => {
    const isFile = path !== ':memory:'
    if (isFile) {
      claimOrCheck(path, readOnly)
      refuseForeignWal(path)
    }

    const hasWal = isFile && readHeader(path).writeVersion === WITH_WAL
    const database = new DatabaseSync(path, { readOnly })
    database.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`)
    if (readOnly) {
      return database
    }

    // `secure_delete` overwrites deleted content with zeros.
    database.exec('PRAGMA synchronous = FULL; PRAGMA secure_delete = ON')
    // Otherwise the change to WAL has a journal in a file, which a crash would leave, and which is then refused.
    if (isFile && !hasWal) {
      database.exec('PRAGMA journal_mode = MEMORY')
    }

    const mode = JournalMode.parse(database.prepare('PRAGMA journal_mode = WAL').get()).journal_mode
    if (mode !== 'wal' && mode !== 'memory') {
      throw new Error('its file system cannot share memory, which WAL needs. Move it to a local disk')
    }
    return database
  })
}

/** Returns whether opening the path creates a database, in a new or an empty file. */
export function isMissing(path: string): boolean {
  if (path === ':memory:') {
    return false
  }

  try {
    return !statSync(path, { throwIfNoEntry: false })?.size
  } catch {
    // SQLite reports the error when it opens the file.
    return false
  }
}

/** @throws {NoStoreError} if opening the path would create a database. */
export function refuseMissing(path: string): void {
  if (isMissing(path)) {
    throw new NoStoreError(path)
  }
}

/** The endings of the files that SQLite reads beside a database, if there are any. */
const READ_BESIDE = ['-journal', '-wal', '-shm']

/**
 * Returns the files of a store, and those that it never has, as which SQLite would read the file of a neighbour: a hot
 * journal even changes the whole store, and deletes any file that it names. Their names begin with that of the file to
 * which links lead, as SQLite's do.
 */
function filesOf(path: string) {
  const main = existsSync(path) ? realpathSync(path) : path
  const wal = `${main}-wal`
  const shm = `${main}-shm`
  const lock = `${main}-server`
  return {
    wal,
    shm,
    lock,
    /** The files that SQLite creates beside the database, with the same permissions, and the lock of a server. */
    beside: [wal, shm, lock],
    /** A store has a WAL, and its lock is always empty: neither has a journal, and the lock has no WAL. */
    never: [`${main}-journal`, ...READ_BESIDE.map((ending) => lock + ending)],
  }
}

/** Returns who else may read, change or replace the files of a database, one sentence each. */
export function exposuresOf(path: string): string[] {
  if (path === ':memory:') {
    return []
  }

  const exposures = [path, ...filesOf(path).beside].map((file) => ({ file, exposure: exposureOf(file) }))
  return [...exposures, { file: path, exposure: exposureBeside(path) }].flatMap(({ file, exposure }) =>
    exposure === null ? [] : `${file} ${exposure}`,
  )
}

/**
 * Claims the files of a database, of which a reader only checks the owners. Claiming creates the database file, if it
 * does not exist, so that only its owner may read and write it and its other files.
 *
 * @throws {Error} if one of the files belongs to another user, or is one that a store never has.
 */
function claimOrCheck(path: string, isReader: boolean): void {
  const problem = problemOfOwner(path)
  if (problem !== null) {
    throw new Error(`it ${problem}`)
  }
  if (!isReader) {
    keepPrivate(path)
  }

  const { beside, never } = filesOf(path)
  for (const file of beside) {
    const problemBeside = problemOfOwner(file)
    if (problemBeside !== null) {
      throw new Error(`${file} ${problemBeside}`)
    }
    if (!isReader) {
      removePermissions(file)
    }
  }

  const foreign = never.find((file) => lstatSync(file, { throwIfNoEntry: false }))
  if (foreign !== undefined) {
    throw new Error(
      `${foreign} is not of this store, and SQLite would write what it holds into the store. Find out who has left it, and move it away`,
    )
  }
}

/**
 * Locks the file for this server process, so that no other server can use the file. The lock ends when the process
 * ends, even by a crash.
 *
 * @returns The connection that holds the lock.
 * @throws {StoreInUseError} if another process holds the lock.
 */
export function lockForServer(path: string): Database {
  const { DatabaseSync } = loadSqlite()
  namingFile(path, () => claimOrCheck(path, false))
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

/**
 * Returns the result of `work`. Adds the file's path and advice to errors, because SQLite's messages contain neither.
 */
export function namingFile<T>(path: string, work: () => T): T {
  try {
    return work()
  } catch (cause) {
    const code = primaryCodeOf(cause)
    const reason = cause instanceof Error ? cause.message : String(cause)
    const sentence = `${path}: ${ADVICE[code] ?? reason}`
    throw isTransient(cause) ? new StoreAwayError(sentence, { cause }) : new Error(sentence, { cause })
  }
}

/** Returns whether the error means that another process has locked the file. */
export function isBusy(error: unknown): boolean {
  return primaryCodeOf(error) === BUSY
}

/** Returns whether a later attempt may succeed: another process has locked the file, or the disk is full. */
function isTransient(error: unknown): boolean {
  return [BUSY, FULL].includes(primaryCodeOf(error))
}

/**
 * Returns SQLite's primary result code, which is the lowest byte of an error's extended result code. Returns 0 if the
 * error has no result code.
 */
function primaryCodeOf(error: unknown): number {
  const { data } = DriverError.safeParse(error instanceof StoreError ? error.cause : error)
  return (data?.errcode ?? CODES[data?.message ?? ''] ?? 0) & 0xff
}

/** @throws {NoDriverError} */
function loadSqlite(): Sqlite {
  const builtIn = process.getBuiltinModule('node:sqlite')
  if (builtIn) {
    return builtIn as Sqlite
  }

  try {
    return createRequire(import.meta.url)(PACKAGE) as Sqlite
  } catch (cause) {
    throw new NoDriverError(
      `Node ${process.versions.node} cannot open SQLite files without the package ${PACKAGE}, which is not installed or has no build for this machine. Install it (npm install ${PACKAGE}@${PACKAGE_VERSION}), use Node 22.13 or newer, name gateway-checkout-server in the bundler's list of external packages (Next: serverExternalPackages), or set STORE_URL to a Postgres database (postgres://…)`,
      { cause },
    )
  }
}

/** Runs a statement, and returns its rows. */
export type Run = (...statement: Statement) => unknown[]

type SqliteValue = string | number | null

/**
 * @param texts The statements that are prepared now, so that a wrong schema is noticed.
 * @param failed Called with each error of the driver.
 */
export function createRunner(
  database: Database,
  texts: readonly string[] = [],
  failed: (cause: unknown) => void = () => {},
) {
  const prepared = new Map(texts.map((sql) => [sql, prepare(sql)]))
  return {
    run: ((sql, ...values) => {
      try {
        return find(sql)(values)
      } catch (cause) {
        failed(cause)
        const Failure = isTransient(cause) ? StoreAwayError : StoreError
        throw new Failure('The store cannot be used', { cause })
      }
    }) satisfies Run,
  }

  function find(sql: string) {
    const statement = prepared.get(sql) ?? prepare(sql)
    prepared.set(sql, statement)
    return statement
  }

  /** SQLite's driver binds `?` faster than named parameters such as `$1`, which are therefore replaced. */
  function prepare(sql: string) {
    const order: number[] = []
    const text = sql.replaceAll(/\$(\d+)/g, (_, number) => {
      order.push(Number(number) - 1)
      return '?'
    })
    const statement = database.prepare(text)
    return (values: readonly (SqliteValue | undefined)[]): unknown[] =>
      statement.all(...order.map((index) => withoutNul(values[index]) ?? null))
  }
}

/** Returns whether the statement changes nothing. */
export function isRead(sql: string): boolean {
  return /^\s*(SELECT|PRAGMA)/.test(sql)
}

/**
 * Runs the work in a transaction of its own, and returns its result. Takes the write lock when the work first writes,
 * so that a store of the right version is opened while another process writes to it.
 */
export function inTransaction<Result>(database: Database, work: Work<Result>): Result {
  const { run } = createRunner(database)
  run('BEGIN')
  try {
    const result = complete(work, run)
    run('COMMIT')
    return result
  } catch (error) {
    database.exec('ROLLBACK')
    throw error
  }
}

/** Runs the work within the transaction that others share, and returns its result. */
export function complete<Result>(work: Work<Result>, run: Run): Result {
  run('SAVEPOINT work')
  let step = work.next([])
  while (!step.done) {
    step = work.next(run(...step.value))
  }

  run('RELEASE work')
  return step.value
}

/** The first bytes of every SQLite file. */
const MAGIC = 'SQLite format 3\0'
const HEADER_BYTES = 100
/**
 * Byte positions of the page size, the write version and the page count in the header. [SQLite: Database File Format]
 */
const PAGE_SIZE_AT = 16
const WRITE_VERSION_AT = 18
const PAGE_COUNT_AT = 28
/** The write versions of a file that has no WAL, and of one that has. */
const WITHOUT_WAL = 1
const WITH_WAL = 2

/**
 * Checks whether the files of an open database were deleted, replaced, truncated or overwritten. SQLite continues to
 * write to a deleted or replaced file, and these writes are lost when the process ends.
 */
export type FileCheck = ReturnType<typeof createFileCheck>

/**
 * Creates the check of a database. It is closed after the database.
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
    const reason = isSqlite ? 'its end is missing' : 'it is not a SQLite database'
    if (!isSqlite || size < leastSize) {
      throw new StoreError(`${path} is damaged: ${reason}. Restore a backup.`)
    }

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
function refuseForeignWal(path: string): void {
  const { wal, shm } = filesOf(path)
  if (existsSync(wal) && readHeader(path).writeVersion === WITHOUT_WAL) {
    throw new Error(`${wal} belongs to a file that was here before. Move it away, with ${shm}`)
  }
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
function openHeader(path: string) {
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
