/** The part of the store that prunes transactions and masks personal data. */

import type { NewEvent } from './outbox.ts'
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

export interface StoredEvent extends Required<Pick<NewEvent, 'id' | 'about' | 'body'>> {
  /** Whether the event was delivered or given up. */
  isFinished: boolean
}

/** The record, the history and the events of a transaction after masking. */
export interface MaskedTexts {
  record: unknown
  /** Whether all personal data in the transaction are masked. `listUnmasked` then no longer lists the transaction. */
  isComplete: boolean
  /** The text of each changed history entry before (`was`) and after (`what`) masking. */
  history: readonly { was: string; what: string }[]
  events: readonly Pick<StoredEvent, 'id' | 'about' | 'body'>[]
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

  /**
   * Resolves with payouts, charges and airtime that were not masked since their last change, have no scheduled status
   * query and no undelivered event, and have not changed since `before`; ordered by `updated_at`, then by `id`.
   */
  listUnmasked(
    account: MerchantAccount,
    before: number,
    after: RowCursor | null,
    limit: number,
  ): Promise<Transaction[]>
  /** Resolves with all events of a transaction, oldest first. */
  listEventsOf(transactionId: string): Promise<StoredEvent[]>
  /**
   * Replaces the texts of the transaction with this id and version. `updated_at` is unchanged. Resolves with `false`
   * without changing anything if no row has this id and version, or if one of the events is not finished.
   *
   * @param masked If `null`, changes no text, and only excludes the transaction from `listUnmasked`.
   */
  mask(id: string, version: number, masked: MaskedTexts | null): Promise<boolean>
  /**
   * Resolves with the transactions whose record contains one of the texts, among the next `limit` transactions in the
   * order of their ids. `next` is the id after which the search continues; `null` at the end.
   *
   * @param texts Texts in lower case. Upper case in a record counts as lower case.
   */
  findMentioning(
    account: MerchantAccount,
    texts: readonly string[],
    after: string,
    limit: number,
  ): Promise<{ rows: Transaction[]; next: string | null }>
  /**
   * Truncates SQLite's WAL, which may still contain changed and deleted data. Resolves with `false` if another process
   * prevents this. Does nothing in Postgres.
   */
  truncateLog(): Promise<boolean>
}
