/**
 * A SQLite file: opens it, with node:sqlite or with a compatible package if Node lacks this module, and runs statements on
 * it. Says in errors which file cannot be used, and what to do.
 */

import type * as Package from '@photostructure/sqlite'
import type { Statement, Work } from '../driver.ts'
import { closeSync, fchmodSync, fstatSync, openSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { resolve } from 'node:path'
import { z } from 'zod'
import { optionalDependencies } from '../../package.json'
import { NoStoreError, StoreAwayError, StoreError, StoreInUseError } from '../store.ts'
import { SQLITE, Undone } from '../driver.ts'
import { SCHEMA_VERSION, schemaOf } from '../schema.ts'
import { refuseForeignWal } from './file-check.ts'

type Sqlite = typeof Package
export type Database = Package.DatabaseSyncInstance

/** An optional package with the API of `node:sqlite`, for Node 20. Postgres does not need it. */
const PACKAGE = '@photostructure/sqlite'
const PACKAGE_VERSION = optionalDependencies[PACKAGE]

/** The file mode that lets only the owner read and write. */
const OWNER_ONLY = 0o600

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
const MarkRow = z.object({ at: z.number().nullable() })
const Version = z.object({ user_version: z.number() })

export function openDatabase(path: string, { readOnly = false } = {}): Database {
  return namingFile(path, () => {
    refuseForeignWal(path)
    const { DatabaseSync } = loadSqlite()
    if (!readOnly) keepPrivate(path)
    const database = new DatabaseSync(path, { readOnly })
    database.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`)
    if (readOnly) return database
    // `secure_delete` overwrites deleted content with zeros.
    database.exec('PRAGMA synchronous = FULL; PRAGMA secure_delete = ON')
    const mode = JournalMode.parse(database.prepare('PRAGMA journal_mode = WAL').get()).journal_mode
    if (mode !== 'wal' && mode !== 'memory')
      throw new Error('its file system cannot share memory, which WAL needs. Move it to a local disk')
    return database
  })
}

/** Creates the tables, if the database is new. */
export function migrate(database: Database): void {
  const version = versionOf(database)
  if (version > SCHEMA_VERSION)
    throw new Error(
      `The database was written by a newer version (schema ${version}, this one knows ${SCHEMA_VERSION}). Upgrade, or use another STORE_URL.`,
    )
  if (version === SCHEMA_VERSION) return
  database.exec('BEGIN IMMEDIATE')
  try {
    // Another process may have created the tables meanwhile.
    const isNew = versionOf(database) === 0
    database.exec(isNew ? `${schemaOf(SQLITE)}; PRAGMA user_version = ${SCHEMA_VERSION}; COMMIT` : 'COMMIT')
  } catch (error) {
    database.exec('ROLLBACK')
    throw error
  }
}

function versionOf(database: Database): number {
  return Version.parse(database.prepare('PRAGMA user_version').get()).user_version
}

/** Returns the time at which the backup was made; `null` if the database is not a backup, or was recovered. */
export function copiedAt(database: Database): number | null {
  return MarkRow.parse(database.prepare(`SELECT max(at) AS at FROM marks WHERE name = 'copied'`).get()).at
}

/** Returns whether opening the path creates a database, in a new or an empty file. */
export function isMissing(path: string): boolean {
  if (path === ':memory:') return false
  try {
    return !statSync(path, { throwIfNoEntry: false })?.size
  } catch {
    // SQLite reports the error when it opens the file.
    return false
  }
}

/** @throws {NoStoreError} if opening the path would create a database. */
export function refuseMissing(path: string): void {
  if (isMissing(path)) throw new NoStoreError(resolve(path))
}

/**
 * Creates the file if it does not exist, and lets only the file's owner read and write the file. SQLite creates the WAL
 * with the same permissions. Does nothing if the file cannot be opened, because SQLite then reports the error.
 */
export function keepPrivate(path: string): void {
  if (path === ':memory:') return
  let file
  try {
    file = openSync(path, 'a', OWNER_ONLY)
  } catch {
    return
  }
  if (fstatSync(file).uid === process.getuid?.()) fchmodSync(file, OWNER_ONLY)
  closeSync(file)
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
  const lock = namingFile(path, () => {
    keepPrivate(`${path}-server`)
    return new DatabaseSync(`${path}-server`)
  })
  try {
    lock.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
    return lock
  } catch (error) {
    lock.close()
    if (!isBusy(error)) throw error
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

/** @throws {Error} if neither Node nor an installed package can open SQLite files. */
function loadSqlite(): Sqlite {
  const builtIn = process.getBuiltinModule('node:sqlite')
  if (builtIn) return builtIn as Sqlite
  try {
    return createRequire(import.meta.url)(PACKAGE) as Sqlite
  } catch (cause) {
    throw new Error(
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
export function createRunner(database: Database, texts: readonly string[], failed: (cause: unknown) => void) {
  const prepared = new Map(texts.map((sql) => [sql, prepare(sql)]))
  return {
    run: ((sql, ...values) => {
      try {
        return find(sql).all(values)
      } catch (cause) {
        failed(cause)
        const Failure = isTransient(cause) ? StoreAwayError : StoreError
        throw new Failure('The store cannot be used', { cause })
      }
    }) satisfies Run,
    /** Returns whether the statement changes nothing. */
    isRead: (sql: string) => find(sql).isRead,
  }

  function find(sql: string) {
    const known = prepared.get(sql) ?? prepare(sql)
    prepared.set(sql, known)
    return known
  }

  /** SQLite's driver has no numbered parameters, and binds named ones slowly: `$1` becomes `?`. */
  function prepare(sql: string) {
    const order: number[] = []
    const text = sql.replaceAll(/\$(\d+)/g, (_, number) => {
      order.push(Number(number) - 1)
      return '?'
    })
    const statement = database.prepare(text)
    const all = (values: readonly (SqliteValue | undefined)[]): unknown[] =>
      statement.all(...order.map((index) => values[index] ?? null))
    return { all, isRead: /^\s*(SELECT|PRAGMA)/.test(sql) }
  }
}

/** Runs the statements of the work within the transaction that others share, and returns its result. */
export function complete<Result>(work: Work<Result>, run: Run): Result {
  run('SAVEPOINT work')
  let step = work.next([])
  while (!step.done) step = work.next(run(...step.value))
  const { value } = step
  const isUndone = value instanceof Undone
  run(isUndone ? 'ROLLBACK TO work' : 'RELEASE work')
  return isUndone ? value.result : value
}
