/**
 * The interface of the store, which holds transactions, their history and their events. `store/sql/store.ts` implements
 * it on SQLite and on Postgres.
 *
 * A commit writes the change of a transaction, a history entry and events atomically. Every change of a row raises its
 * revision, and a commit fails if the revision has changed since the row was read. Due times are stored, so they survive
 * a crash.
 *
 * References of transactions, groups and orders are stored as they are spelled, and found and compared by their keys
 * (`referenceKey`): two that differ only in case are one.
 */

import type { EventStore } from './events.ts'
import type { LinkStore } from './links.ts'
import type { MerchantAccount } from './merchant-account.ts'
import type { MovementStore } from './movements.ts'
import type { NoticeStore } from './notices.ts'
import type { OrderMarkStore } from './order-marks.ts'
import type { QueueStore } from './queues.ts'
import type { RetentionStore } from './retention.ts'
import type { ScheduledQueryStore } from './scheduled-queries.ts'
import type { Changed, TransactionStore } from './transactions.ts'

/** The database of the server. Every method may reject with a `StoreError` (`store/errors.ts`). */
export interface Store
  extends
    TransactionStore,
    ScheduledQueryStore,
    QueueStore,
    EventStore,
    NoticeStore,
    MovementStore,
    LinkStore,
    OrderMarkStore,
    RetentionStore {
  marks(): Promise<Marks>
  /** Stores that a person has compared the recovered store with the merchant portal. */
  saveCompared(now: number): Promise<void>
  /**
   * Stores the account numbers by which the merchant of `account` is known. Adds `numbers` to the stored numbers if
   * they have one in common. Otherwise, replaces the stored numbers if there are none, or those of another merchant
   * with `adopt`. Resolves with the numbers that are stored after the call.
   */
  setMerchant(
    account: MerchantAccount,
    numbers: readonly string[],
    another?: 'refuse' | 'adopt',
  ): Promise<string[]>
  /**
   * Calls `changed` after each committed change. Returns a function that stops these calls.
   *
   * @param watched Returns the ids of the transactions that the caller watches. The store polls these transactions
   * while notifications from other processes do not arrive.
   */
  watch(changed: (change: Changed) => void, watched?: () => string[]): () => void
  /** Tests whether the store can write to disk. Rejects if the write fails. */
  ping(): Promise<void>
  close(): Promise<void>
  /** Truncates SQLite's WAL, which may contain deleted data. Resolves with `false` if another process prevents this. */
  truncateLog(): Promise<boolean>
}

/**
 * The marks of a store. `store` is a random number, which tells this store from others. `recovered` is when the store
 * was last recovered, and `compared` when a person last said that it was compared with the merchant portal, in
 * milliseconds since the Unix epoch; `null` if that never happened.
 */
export interface Marks {
  store: number
  recovered: number | null
  compared: number | null
}
