import type { Store } from '../store.ts'
import { openSqliteStore } from './sqlite.ts'

/**
 * Opens the store at a STORE_URL, and creates or migrates its tables.
 *
 * @param url `sqlite:PATH`, or `sqlite::memory:` for a store that is lost when the process ends.
 * @throws {Error} if the URL is invalid, or a newer version wrote the store.
 * @example
 * const store = openStore('sqlite:gateway-checkout.sqlite')
 */
export function openStore(url: string): Store {
  const path = url.replace(/^sqlite:/, '')
  if (path === url || path === '') throw new Error('STORE_URL must be sqlite:PATH.')
  return openSqliteStore(path)
}
