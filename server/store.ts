/**
 * The interface of the store, which holds transactions, their history and their events. Two classes implement this
 * interface, one for SQLite and one for Postgres.
 *
 * A commit writes the change of a transaction, a history entry and events atomically. A commit fails if the version of
 * the transaction has changed since the transaction was read. Due times are stored, so they survive a crash.
 */

import type { EventQueue, NewEvent, Outbox } from './outbox.ts'
import type { Retention } from './retention.ts'
import type { MerchantAccount, NewTransaction, RowCursor, Transaction } from './transaction.ts'

export type { Delivery, DeliveryAnswer, EventQueue, NewEvent, OutboxEvent } from './outbox.ts'
export type { MaskedTexts, StoredEvent, Tombstone } from './retention.ts'
export type { MerchantAccount, NewTransaction, RowCursor, Transaction } from './transaction.ts'

/**
 * The mark of an order identifies the newest version of the order that the merchant's backend has signed. With the
 * mark, the server recognizes and refuses an older version that has other terms (`orders/signed.ts`).
 */
export interface OrderMark {
  /** The time at which this version was signed, in seconds since the Unix epoch. */
  issued_at: number
  /** SHA-256 of the terms of this version, such as the amount. */
  digest: string
}

export interface HistoryEntry {
  at: number
  what: string
}

/** Selects transactions for a list: at most `limit` transactions that match the filters and follow `after`. */
export interface ListQuery {
  outcome?: string | undefined
  /** Selects only rows with `updated_at` at or after this time. */
  updatedSince?: number | undefined
  after?: RowCursor | undefined
  limit: number
}

/** The outcomes after which a person has to check the transaction. */
export const FOR_A_PERSON = ['needs_attention', 'review', 'jammed'] as const

/** A change to a stored transaction. Fields that are absent in the change keep their stored values. */
export interface Change {
  at: number
  /** The new details of the transaction. A new `record` or a new `sent_at` increments the version of the row. */
  record?: unknown
  outcome?: string
  sent_at?: number
  due_at?: number | null
  asked_at?: number
  failures?: number
  /** The text of a new history entry, one sentence; `null` adds no entry. */
  historyEntry?: string | null
  events?: NewEvent[]
}

/**
 * Returns whether `commit` may resolve before the change is on disk. This is the case for changes that only record a
 * status query and schedule no query within the next second. If a crash loses such a change, the server only repeats
 * the query.
 */
export function isLosable({ at, record, sent_at, asked_at, due_at, historyEntry, events }: Change): boolean {
  const isPlain = record === undefined && sent_at === undefined && !historyEntry && !events?.length
  const isSoon = due_at !== undefined && due_at !== null && due_at < at + SOON_MS
  return isPlain && asked_at !== undefined && !isSoon
}
const SOON_MS = 1_000

/** The notification that the transaction `id` has changed. */
export interface Changed {
  id: string
  /** Time of the next status query; `null` if the change schedules no query, or if another process made the change. */
  due_at: number | null
  /** Time of the next delivery; `null` if the change schedules no delivery, or if another process made the change. */
  event_due_at: number | null
}

/** The result of recovering a store that was restored from a backup. */
export interface Recovery {
  /** Number of transactions for which a status query was scheduled. */
  asked: number
  /**
   * Number of transactions that were unsent in the backup. The server does not send charges and airtime requests among
   * them, because the gateway may have received these requests after the backup.
   */
  unsent: number
  /**
   * The time of the backup or, if that time is unknown, the time of the last stored change. Changes after this time are
   * lost. `null` if the time of the backup is unknown and the store is empty.
   */
  knownUntil: number | null
}

/** What `count` counts: the due rows of a queue, undelivered events, or the transactions with a given outcome. */
export type Countable =
  | { of: 'due'; queue: 'transactions' | EventQueue; now: number }
  | { of: 'undelivered' }
  | { of: 'outcome'; kind: Transaction['kind']; outcome: string }

/** Thrown if the store cannot be used. The method that failed has made either all of its changes or none. */
export class StoreError extends Error {
  override readonly name = 'StoreError'
}

/**
 * Thrown if the store does not respond, or responds that it cannot work at present. Nothing in the configuration has to
 * change for a later attempt to succeed.
 */
export class StoreAwayError extends StoreError {}

/** Thrown if another server process uses the SQLite file, which serves one at a time. */
export class StoreInUseError extends Error {}

/** Thrown if a command would create the store. Only a server creates one, so that a wrong STORE_URL is noticed. */
export class NoStoreError extends Error {
  constructor(place: string) {
    super(
      `There is no store at ${place}: is STORE_URL right, and is this the working directory of the server?`,
    )
  }
}

/** The database of the server. Every method may reject with a {@link StoreError}. */
export interface Store extends Outbox, Retention {
  /** Inserts all transactions or none. Resolves with `false` if a reference or an attempt number is already used. */
  insert(...transactions: NewTransaction[]): Promise<boolean>
  /** Resolves with the transaction; `null` if there is none. */
  find(id: string): Promise<Transaction | null>
  /** Resolves with the transaction of a reference in a merchant account; `null` if there is none. */
  findByReference(
    account: MerchantAccount,
    kind: Transaction['kind'],
    reference: string,
  ): Promise<Transaction | null>
  /** Resolves with all transactions of a group, ordered by attempt. */
  list(account: MerchantAccount, kind: Transaction['kind'], group: string): Promise<Transaction[]>
  /** Resolves with one page of an account's transactions, in the order of their last change. */
  search(account: MerchantAccount, kind: Transaction['kind'], query: ListQuery): Promise<Transaction[]>
  /**
   * Applies the change to the row with this id and version. Resolves with the changed row, or with `null` if no row has
   * this id and version.
   */
  commit(id: string, version: number, change: Change): Promise<Transaction | null>
  /** Resolves with the log of a transaction, oldest entry first. */
  history(id: string): Promise<HistoryEntry[]>
  /** Resolves with the number of scheduled status queries of merchant accounts other than `account`. */
  countWaitingElsewhere(account: MerchantAccount): Promise<number>

  /** Claims up to `limit` due transactions, with a lease until `leaseUntil`. `commit` ends the lease earlier. */
  claimTransactions(
    account: MerchantAccount,
    now: number,
    leaseUntil: number,
    limit: number,
  ): Promise<Transaction[]>
  /**
   * Sets `due_at` to `now` for up to `limit` transactions whose last status query failed. Resolves with the number of
   * changed transactions.
   */
  hastenQueries(account: MerchantAccount, now: number, limit: number): Promise<number>
  /** Resolves with the time at which the next row of a queue can be claimed; `null` if the queue is empty. */
  nextDue(account: MerchantAccount, queue: 'transactions' | EventQueue): Promise<number | null>

  /**
   * Stores `mark` for the order with the reference `order`, unless the order already has a mark with an equal or later
   * `issued_at`. Resolves with the mark that is stored after the call.
   */
  markOrder(account: MerchantAccount, order: string, mark: OrderMark): Promise<OrderMark>
  /** Resolves with the time at which the command `recover` last ran; `null` if the store was never recovered. */
  recoveredAt(): Promise<number | null>
  /**
   * Resolves with the number of rows that `what` selects, or with `limit` if there are more. For `undelivered`, counts
   * the events of all merchant accounts, not only those of `account`.
   */
  count(account: MerchantAccount, what: Countable, limit: number): Promise<number>

  /** Counts the connections of the pool and the waiting statements. Absent if the store has no connection pool. */
  connections?(): Record<'inUse' | 'idle' | 'waiting', number>

  /**
   * Calls `changed` after each committed change. Returns a function that stops these calls.
   *
   * @param watched Returns the ids of the transactions that the caller watches. The store polls these transactions
   * while notifications from other processes do not arrive.
   */
  watch(changed: (change: Changed) => void, watched?: () => string[]): () => void
  /** Tests whether the store can write to disk. Rejects if the write fails. */
  ping(): Promise<void>
  /** Closes the store after what is being written. */
  close(): Promise<void>
}
