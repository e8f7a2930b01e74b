/** Logs errors about a transaction by its names, never by its id. */

import { namesOf } from './record.ts'

import type { Log } from '../log/log.ts'
import type { Store } from '../store/store.ts'

/** Logs an error about a transaction, with the names by which the merchant knows it. */
export async function logError(
  { store, log }: { store: Pick<Store, 'find'>; log: Log },
  id: string,
  err: unknown,
  message: string,
): Promise<void> {
  const row = await store.find(id).catch(() => null)
  log.error({ ...(row && namesOf(row)), err }, message)
}
