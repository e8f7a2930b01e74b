import type { Store } from '../store.ts'
import { openSqliteStore } from './sqlite.ts'

/**
 * Opens the store that a STORE_URL names, and creates or migrates its tables.
 *
 * @param url `sqlite:PATH`, or `sqlite::memory:` for a store that ends with the process.
 * @throws {Error} when the URL names no store, or the store was written by a newer version.
 * @example
 * const store = openStore('sqlite:gateway-checkout.sqlite')
 */
export function openStore(url: string): Store {
  const path = url.replace(/^sqlite:/, '')
  if (path === url || path === '') throw new Error('STORE_URL must be sqlite:PATH.')
  return openSqliteStore(path)
}
