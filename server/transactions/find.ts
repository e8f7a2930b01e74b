/** Finds the stored transactions of the server's own merchant account, by their ids and references. */

import { KindName } from '../api/kind-table.ts'

import type { MerchantAccount } from '../store/merchant-account.ts'
import type { Store } from '../store/store.ts'
import type { Transaction } from '../store/transactions.ts'

interface FindDeps {
  store: Store
  account: MerchantAccount
}

/** Resolves with the transaction; `null` if none has this id, or if it belongs to another merchant account. */
export async function findOwn({ store, account }: FindDeps, id: string): Promise<Transaction | null> {
  const row = await store.find(id)
  return row?.account === account ? row : null
}

/**
 * Resolves with the transactions that `reference` identifies. `reference` is the reference of a transaction at the
 * gateway, the id of a transaction, the reference of an order, or the reference in a request to `POST /api/airtime`.
 */
export async function findByReference(deps: FindDeps, reference: string): Promise<Transaction[]> {
  const { store, account } = deps
  const rows = await Promise.all([
    findOwn(deps, reference),
    ...KindName.options.flatMap((kind) => [
      store.findByReference(account, kind, reference),
      store.list(account, kind, reference),
    ]),
  ])

  // A reference may identify one transaction in several ways.
  const found = rows.flat().filter((row) => row !== null)
  const byId = new Map(found.map((row) => [row.id, row]))
  return [...byId.values()]
}
