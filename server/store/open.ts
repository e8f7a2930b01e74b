/** Which engine a STORE_URL names. */

import type { Store } from '../store.ts'
import { openSqliteStore } from './sqlite.ts'

/** @param url `sqlite:PATH`, or `sqlite::memory:` for a store that is gone with the process. */
export function openStore(url: string): Store {
  const path = url.replace(/^sqlite:/, '')
  if (path === url || path === '') throw new Error('STORE_URL must be sqlite:PATH.')
  return openSqliteStore(path)
}
