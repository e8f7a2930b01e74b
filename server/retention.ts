/** The part of the store that deletes transactions which settled long ago. */

import type { MerchantAccount, RowCursor, Transaction } from './transaction.ts'

/** The data that remains of a pruned transaction. Its reference and its attempt number cannot be used again. */
export interface Tombstone extends Pick<
  Transaction,
  'account' | 'kind' | 'reference' | 'group' | 'attempt' | 'outcome'
> {
  /** The requested amount and its currency, such as "1500 KES". */
  amount: string
  /** Fingerprint of the requested data, by which the server recognizes a repeated request. */
  digest: string
}

export interface Retention {
  /**
   * Resolves with transactions that have no scheduled status query and have not changed since `before`, ordered by
   * `updated_at`, then by `id`. `prune` decides which of these transactions may be deleted.
   */
  listEnded(
    account: MerchantAccount,
    before: number,
    after: RowCursor | null,
    limit: number,
  ): Promise<Transaction[]>
  /**
   * Replaces transactions with their tombstones, and deletes their history and events. Resolves with the number of
   * deleted transactions.
   *
   * A group is kept as a whole if one of its transactions has changed since `before`, has a scheduled status query or
   * an undelivered event, or has an outcome after which a person has to check the
   * transaction.
   */
  prune(before: number, tombstones: readonly Tombstone[]): Promise<number>
  /** Resolves with the tombstones of a group, ordered by attempt. */
  listTombstones(account: MerchantAccount, kind: Transaction['kind'], group: string): Promise<Tombstone[]>
}
