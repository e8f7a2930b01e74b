import { resolve, sep } from 'node:path'
import type { Clock } from '../work/clock.ts'
import type { Secret } from '../config/secret.ts'
import type { Log } from '../log/log.ts'
import type { Recovery, Store } from './store.ts'
import { systemClock } from '../work/clock.ts'
import { ConfigError } from '../config/config.ts'
import { silentLog } from '../log/log.ts'
import { revealed } from '../config/secret.ts'
import { openPostgres, recoverDatabase } from './postgres/driver.ts'
import { createStore } from './sql-store.ts'
import { backUp, recover } from './sqlite/backup.ts'
import { openSqlite } from './sqlite/driver.ts'

export interface StoreOptions {
  clock?: Clock | undefined
  /** Receives the place of a server's store, and a line if a SQLite file is created. */
  log?: Log | undefined
  /**
   * Whether a command of the CLI opens the store, instead of a server. A SQLite file accepts only one server at a time,
   * but any number of commands. A command creates no SQLite file.
   */
  isCommand?: boolean | undefined
}

/**
 * Opens the store at a URL, and creates its tables. A Postgres store connects at the first call of a
 * method, and reconnects after a lost connection.
 *
 * @param storeUrl The setting STORE_URL: `sqlite:PATH`, `postgres://USER:PASSWORD@HOST:PORT/DATABASE`, or
 * `sqlite::memory:` for a store in memory, which is lost when the process ends.
 * @throws {ConfigError} if a server would use a SQLite file in a folder that a build deletes, such as `.next`.
 * @throws {Error} if the URL is invalid, the file cannot be used, or the file is a backup that was not recovered.
 * @example
 * const store = openStore('sqlite:gateway-checkout.sqlite')
 */
export function openStore(storeUrl: string | Secret, options: StoreOptions = {}): Store {
  const url = revealed(storeUrl)
  const { clock = systemClock, log = silentLog, isCommand = false } = options
  // Commands may open such a file, so that what is in it can be read and backed up.
  const problem = isCommand ? null : deletedByBuild(url)
  if (problem !== null) throw new ConfigError([problem])
  const driver = isPostgres(url) ? openPostgres(url) : openSqlite(pathOf(url), { clock, log, isCommand })
  if (!isCommand) log.info({}, `The store is ${placeOf(url)}.`)
  return createStore(driver, clock)
}

/**
 * Writes a copy of a SQLite store to `file`, and marks the copy as a backup. The server may keep running.
 *
 * @param now Time of the backup, in milliseconds since the Unix epoch.
 * @throws {Error} if the store cannot be read, or the file exists or cannot be written.
 */
export function backUpStore(storeUrl: string | Secret, file: string, now: number): void {
  backUp(pathOf(revealed(storeUrl)), file, now)
}

/**
 * Recovers a store that was restored from a backup. Schedules a status query for every unsettled transaction.
 *
 * @param now Time of the recovery, in milliseconds since the Unix epoch.
 * @throws {Error} if a server uses the SQLite file, or the store cannot be written.
 */
export async function recoverStore(storeUrl: string | Secret, now: number): Promise<Recovery> {
  const url = revealed(storeUrl)
  return isPostgres(url) ? recoverDatabase(url, now) : recover(pathOf(url), now)
}

/** Returns whether the store is a Postgres database, which its own tools back up. */
export function isPostgres(url: string): boolean {
  return /^postgres(ql)?:/.test(url)
}

function pathOf(url: string): string {
  const path = url.replace(/^sqlite:/, '')
  if (path === url || path === '') throw new Error('STORE_URL must be sqlite:PATH or postgres://….')
  return path
}

/**
 * Folders that a build of Next, Nuxt, Nitro or SvelteKit deletes or overwrites. The server that Next builds with
 * `output: 'standalone'` even changes its working directory to such a folder, so the default of STORE_URL would be in
 * it. [assumed] Folders such as `dist` and `build` are accepted: a deployment may keep lasting files below such a name.
 */
const BUILD_FOLDERS = ['.next', '.nuxt', '.output', '.svelte-kit']

/** Returns the absolute path of a SQLite store; `null` for Postgres and for a store in memory. */
export function sqliteFileOf(url: string): string | null {
  const [, path] = /^sqlite:(.+)$/s.exec(url) ?? []
  return path === undefined || path === ':memory:' ? null : resolve(path)
}

/** Names the place of a store, without a password. */
export function placeOf(url: string): string {
  const file = sqliteFileOf(url)
  if (file !== null) return `the SQLite file ${file}`
  if (url.startsWith('sqlite:')) return 'in memory'
  const { host, pathname } = new URL(url)
  return `the database ${host}${pathname}`
}

/** Returns why no server may use the store at `url`: a build deletes its folder. Otherwise returns `null`. */
export function deletedByBuild(url: string): string | null {
  const file = sqliteFileOf(url)
  if (!file?.split(sep).some((name) => BUILD_FOLDERS.includes(name))) return null
  return `STORE_URL is ${file}, which the next build deletes: give it an absolute path outside.`
}
