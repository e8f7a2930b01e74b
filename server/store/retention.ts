/** What of old transactions is pruned or erased in the store, and what stays of them. */

import { z } from 'zod'

import { identity } from './transactions.ts'

import type { KindName } from '../api/kind-table.ts'
import type { StoredEvent } from './events.ts'
import type { MerchantAccount } from './merchant-account.ts'
import type { Change, RowCursor, Transaction } from './transactions.ts'

/** The data that remains of a pruned transaction. Its reference and its attempt number cannot be used again. */
export const Tombstone = z.object({
  ...identity,
  /** The requested amount and its currency, such as "1500 KES". */
  amount: z.string(),
  /** Fingerprint of the requested data, by which the server recognizes a repeated request. */
  digest: z.string(),
})
export type Tombstone = z.output<typeof Tombstone>

/** The encrypted personal data of the transaction `id`, and the time of its last change. */
export const Sealed = z.object({ id: z.string(), updated_at: z.int(), personal: z.string() })
export type Sealed = z.output<typeof Sealed>

/** What an erasure puts in the place of the data of a transaction. */
export interface ErasedData
  extends Pick<Transaction, 'record'>, Partial<Pick<Transaction, 'personal'>>, Pick<Change, 'movements'> {}

/** The body of the event `id` after an erasure. */
export type ErasedBody = Pick<StoredEvent, 'id' | 'body'>

export interface RetentionStore {
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
   * Replaces transactions with their tombstones, and deletes their history, events, movements and notices. Resolves
   * with their number. A group is kept as a whole if one of its transactions has changed since `before`, has a scheduled
   * status query or an undelivered event, or has an outcome after which a person has to check the transaction.
   */
  prune(before: number, tombstones: readonly Tombstone[]): Promise<number>
  /** Resolves with the tombstones of a group, ordered by attempt. */
  listTombstones(account: MerchantAccount, kind: KindName, group: string): Promise<Tombstone[]>
  /**
   * Replaces the record and the personal data of a transaction, and deletes its history and its finished events about
   * these parts (`about`), or all if `parts` is `null`. Events about them that were given up get the body in `bodies`.
   * Of the press that made its order, only the choice remains. Changes nothing if the revision differs or such a body is
   * missing (`changed`), or if one of the events is not finished (`undelivered`). `movements` are those of the erased
   * record.
   */
  erase(
    id: string,
    revision: number,
    erased: ErasedData,
    parts: readonly string[] | null,
    bodies: readonly ErasedBody[],
  ): Promise<'erased' | 'changed' | 'undelivered'>
  /**
   * Resolves with transactions that have personal data, but no scheduled status query and no undelivered event, and have
   * not changed since `before`, in the order of `listEnded`. The record has `null` in the places of these data.
   */
  listPersonal(
    account: MerchantAccount,
    kind: KindName,
    before: number,
    after: RowCursor | null,
    limit: number,
  ): Promise<Transaction[]>
  /** Resolves with a part of the transactions whose personal data the key encrypted, in the order of `listEnded`. */
  listSealed(
    account: MerchantAccount,
    kind: KindName,
    key: string,
    after: RowCursor | null,
    limit: number,
  ): Promise<Sealed[]>
  /** Replaces the encrypted personal data of a transaction, unless they have changed. */
  reseal(sealed: Pick<Sealed, 'id' | 'personal'>, personal: string): Promise<void>
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
}
