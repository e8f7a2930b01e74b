import type { Clock } from '../clock.ts'
import type { Recovery, Store } from '../store.ts'
import { systemClock } from '../clock.ts'
import { openSqliteStore } from './sqlite/open.ts'
import { backUp, recover } from './sqlite/recover.ts'

export interface StoreOptions {
  clock?: Clock | undefined
  /** Whether a command opens the store, perhaps beside a server. A SQLite file serves one server process. */
  isCommand?: boolean | undefined
}

/**
 * Opens the store at a STORE_URL, and creates or migrates its tables.
 *
 * @param url `sqlite:PATH`, or `sqlite::memory:` for a store that is lost when the process ends.
 * @throws {Error} if the URL is invalid, the file cannot be used, or it is a backup that was not recovered.
 * @example
 * const store = openStore('sqlite:gateway-checkout.sqlite')
 */
export function openStore(url: string, options: StoreOptions = {}): Store {
  const { clock = systemClock, isCommand = false } = options
  return openSqliteStore(pathOf(url), { clock, isCommand })
}

/**
 * Writes a marked copy of the store to a file, while the server runs.
 *
 * @throws {Error} if the store cannot be read, or the file exists or cannot be written.
 */
export function backUpStore(url: string, file: string, now: number): void {
  backUp(pathOf(url), file, now)
}

/**
 * Makes a restored store usable: the gateway will be asked about every unsettled transaction before anything is sent.
 *
 * @throws {Error} if a server uses the store, or it cannot be written.
 */
export function recoverStore(url: string, now: number): Recovery {
  return recover(pathOf(url), now)
}

function pathOf(url: string): string {
  const path = url.replace(/^sqlite:/, '')
  if (path === url || path === '') throw new Error('STORE_URL must be sqlite:PATH.')
  return path
}
