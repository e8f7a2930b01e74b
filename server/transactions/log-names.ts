/** How the log names a transaction: by what the merchant knows it by, and never by its id. */

import type { Log } from '../log/log.ts'
import type { Store } from '../store/store.ts'
import type { Transaction } from '../store/transactions.ts'

/** Returns what names a transaction in the log. The merchant knows a checkout by its order. */
export function namesOf({ kind, reference, group, trace_id }: Transaction) {
  return { kind, reference, ...(kind === 'checkout' && { order: group }), trace_id }
}

/** Logs an error about the transaction `id`, with its names. */
export async function logError(
  { store, log }: { store: Pick<Store, 'find'>; log: Log },
  id: string,
  err: unknown,
  message: string,
): Promise<void> {
  const row = await store.find(id).catch(() => null)
  log.error({ ...(row && namesOf(row)), err }, message)
}
