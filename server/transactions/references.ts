/** Finds the transactions that a reference identifies. */

import type { MerchantAccount, Store, Transaction } from '../store.ts'
import { createFindOwn } from './status-query.ts'

const KINDS = ['payout', 'charge', 'checkout', 'airtime'] as const

/**
 * Resolves with the transactions that `reference` identifies. `reference` is the reference of a transaction at the
 * gateway, the id of a transaction, the reference of an order, or the reference in a request to `POST /api/airtime`.
 */
export async function findByReference(
  store: Store,
  account: MerchantAccount,
  reference: string,
): Promise<Transaction[]> {
  const rows = await Promise.all([
    ...KINDS.map((kind) => store.findByReference(account, kind, reference)),
    createFindOwn(store, account)(reference),
    store.list(account, 'checkout', reference),
    store.list(account, 'airtime', reference),
  ])
  return [...new Map(rows.flat().flatMap((row) => (row ? [[row.id, row]] : []))).values()]
}
