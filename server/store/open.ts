/** Opens and recovers the store that STORE_URL names, on the driver of its database. */

import { ConfigError } from '../config/config-error.ts'
import { deletedByBuild, describePlace, storePlaceOf } from '../config/store-url.ts'
import { silentLog } from '../log/log.ts'
import { systemClock } from '../work/clock.ts'
import { openPostgres, recoverDatabase } from './postgres/driver.ts'
import { createStore } from './sql/store.ts'
import { recover } from './sqlite/backup.ts'
import { openSqlite } from './sqlite/driver.ts'

import type { Secret } from '../config/secret.ts'
import type { StorePlace } from '../config/store-url.ts'
import type { Recovery } from './recover.ts'
import type { OpenOptions } from './sqlite/driver.ts'
import type { Store } from './store.ts'

/** Default: the system clock, no log, and a server instead of a command. */
export type StoreOptions = { [Name in keyof OpenOptions]?: OpenOptions[Name] | undefined }

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
  const place = storePlaceOf(storeUrl)
  const { clock = systemClock, log = silentLog, isCommand = false } = options
  // Commands may open such a file, so that what is in it can be read and backed up.
  const problem = isCommand ? null : deletedByBuild(place)
  if (problem !== null) {
    throw new ConfigError([problem])
  }

  const driver =
    place.engine === 'postgres'
      ? openPostgres(place.url)
      : openSqlite(sqlitePathOf(place), { clock, log, isCommand })
  if (!isCommand) {
    log.info({}, `The store is ${describePlace(place)}.`)
  }
  return createStore(driver, clock)
}

/** Resolves with what `use` makes of an open store. If this fails, the store is closed before the error is thrown. */
export async function orClose<Result>(store: Store, use: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await use()
  } catch (error) {
    await store.close()
    throw error
  }
}

/**
 * Recovers a store that was restored from a backup. Schedules a status query for every unsettled transaction.
 *
 * @param now Time of the recovery, in milliseconds since the Unix epoch.
 * @throws {Error} if a server uses the SQLite file, or the store cannot be written.
 */
export async function recoverStore(storeUrl: string | Secret, now: number): Promise<Recovery> {
  const place = storePlaceOf(storeUrl)
  return place.engine === 'postgres' ? recoverDatabase(place.url, now) : recover(sqlitePathOf(place), now)
}

function sqlitePathOf(place: Exclude<StorePlace, { engine: 'postgres' }>): string {
  return place.engine === 'memory' ? ':memory:' : place.path
}
