import type { Clock } from '../clock.ts'
import type { Log } from '../log.ts'
import type { Recovery, Store } from '../store.ts'
import { systemClock } from '../clock.ts'
import { openPostgresStore } from './postgres.ts'
import { recoverDatabase } from './postgres/database.ts'
import { openSqliteStore } from './sqlite/open.ts'
import { backUp, recover } from './sqlite/recover.ts'

export interface StoreOptions {
  clock?: Clock | undefined
  /** Receives a warning when changes of other processes have to be polled. */
  log?: Log | undefined
  /** Whether a command opens the store. A SQLite file accepts only one server, but any number of commands. */
  isCommand?: boolean | undefined
}

/**
 * Opens the store at a STORE_URL, and creates or migrates its tables. Postgres is connected by the first call, such as
 * `ping`, and again after a lost connection.
 *
 * @param url `sqlite:PATH`, `sqlite::memory:` for a store that is lost when the process ends, or
 * `postgres://USER:PASSWORD@HOST:PORT/DATABASE`.
 * @throws {Error} if the URL is invalid, the file cannot be used, or it is a backup that was not recovered.
 * @example
 * const store = openStore('sqlite:gateway-checkout.sqlite')
 */
export function openStore(url: string, options: StoreOptions = {}): Store {
  if (isPostgres(url)) return openPostgresStore(url, options)
  const { clock = systemClock, isCommand = false } = options
  return openSqliteStore(pathOf(url), { clock, isCommand })
}

/**
 * Writes a copy of a SQLite store to `file`, while the server runs. The copy is marked as a backup. Returns `false` for
 * Postgres, which has its own backup tools.
 *
 * @param now Time of the backup, in milliseconds since the Unix epoch.
 * @throws {Error} if the store cannot be read, or the file exists or cannot be written.
 */
export function backUpStore(url: string, file: string, now: number): boolean {
  if (isPostgres(url)) return false
  backUp(pathOf(url), file, now)
  return true
}

/**
 * Makes a restored store usable: schedules a status query for every unsettled transaction.
 *
 * @param now Time of the recovery, in milliseconds since the Unix epoch.
 * @throws {Error} if a server uses the SQLite file, or the store cannot be written.
 */
export async function recoverStore(url: string, now: number): Promise<Recovery> {
  return isPostgres(url) ? recoverDatabase(url, now) : recover(pathOf(url), now)
}

function isPostgres(url: string): boolean {
  return /^postgres(ql)?:/.test(url)
}

function pathOf(url: string): string {
  const path = url.replace(/^sqlite:/, '')
  if (path === url || path === '') throw new Error('STORE_URL must be sqlite:PATH or postgres://….')
  return path
}
