/**
 * The store's interface, independent of the database. The store holds transactions, their history, and their events.
 *
 * Every implementation commits a record, its history entry and its events atomically. A commit fails if the row's
 * version has changed since it was read. Due times are stored in the rows and survive a crash.
 */

/** The merchant account of a row. A worker processes only the rows of its own account. */
export interface MerchantAccount {
  environment: 'sandbox' | 'production'
  base_url: string
  account_number: string
}

export interface Transaction {
  /** Opaque; at least 128 random bits. For a checkout, this is its `checkout_id`. */
  id: string
  kind: 'checkout' | 'payout' | 'charge' | 'airtime'
  account: MerchantAccount
  /** The reference in requests to the gateway. Unique per merchant account and kind. */
  reference: string
  /**
   * The reference that related transactions share: the order's reference for checkouts, the merchant's reference for
   * airtime, otherwise `reference`.
   */
  group: string
  /** Position of the transaction in its group, from 1. Unique per merchant account, kind and group. */
  attempt: number
  /** Incremented whenever `record` or `sent_at` changes. */
  version: number
  /** The outcome of the transaction, stored for filtering lists. */
  outcome: string
  /** The kind's own data. Each kind validates its records when it reads them. */
  record: unknown
  /** Milliseconds since the Unix epoch, like all times in rows. */
  created_at: number
  updated_at: number
  /** Time of the next status query at the gateway; `null` if none is scheduled. */
  due_at: number | null
  /**
   * Time of the last send, stored just before sending; `null` if the transaction was never sent. The gateway may have
   * the request even if it never responded.
   */
  sent_at: number | null
  /** Time of the last status query at the gateway; `null` if there was none. */
  asked_at: number | null
  /** Number of consecutive failed queries. */
  failures: number
  /** The trace id in logs, requests and deliveries; `null` in rows of older server versions. */
  trace_id: string | null
}

export type NewTransaction = Omit<Transaction, 'version' | 'updated_at' | 'asked_at' | 'failures'>

/** The remainder of a pruned transaction. Its reference and its attempt cannot be used again. */
export interface Tombstone extends Pick<
  Transaction,
  'account' | 'kind' | 'reference' | 'group' | 'attempt' | 'outcome'
> {
  /** Amount and currency of the request, such as "1500 KES". */
  amount: string
  /** SHA-256 of the request, to recognize a repeated request. */
  digest: string
}

export interface HistoryEntry {
  at: number
  what: string
}

export interface NewEvent {
  id: string
  type: string
  /**
   * The part of the transaction that the event concerns, such as one airtime recipient. Events with equal `about` are
   * delivered in order.
   */
  about?: string
  /** The body of every delivery attempt, as JSON text. */
  body: string
}

export interface OutboxEvent extends NewEvent {
  /** Position of the event in the store: a newer event has a higher number. */
  sequence: number
  transaction_id: string
  /** The transaction's trace id; `null` in rows of older server versions. */
  trace_id: string | null
  created_at: number
  /** Number of failed delivery attempts. */
  failures: number
  finish: 'delivered' | 'given_up' | null
}

/** The last row of a page. The next page starts after it, in the order of `updated_at` and `id`. */
export type RowCursor = Pick<Transaction, 'updated_at' | 'id'>

/** Selects one page of a list of transactions. */
export interface ListQuery {
  outcome?: string | undefined
  /** Only rows with `updated_at` at or after this time. */
  updatedSince?: number | undefined
  after?: RowCursor | undefined
  limit: number
}

/** The outcomes of a transaction that a person has to check. */
export const FOR_A_PERSON = ['needs_attention', 'review', 'jammed'] as const

/** A change of a stored transaction. Absent fields keep their values. */
export interface Change {
  at: number
  /** A new record. The store increments the row's version for a new `record` or a new `sent_at`. */
  record?: unknown
  outcome?: string
  sent_at?: number
  due_at?: number | null
  asked_at?: number
  failures?: number
  /** One sentence for the history; `null` adds no entry. */
  historyEntry?: string | null
  events?: NewEvent[]
}

/**
 * Returns whether the change only records the time of a query. A store may write this change to disk later, since a
 * crash then only repeats the query.
 */
export function isLosable({ at, record, sent_at, asked_at, due_at, historyEntry, events }: Change): boolean {
  const isPlain = record === undefined && sent_at === undefined && !historyEntry && !events?.length
  const isSoon = due_at !== undefined && due_at !== null && due_at < at + SOON_MS
  return isPlain && asked_at !== undefined && !isSoon
}
const SOON_MS = 1_000

/**
 * The result of a delivery attempt. After a failure, `at` is the time of the next attempt, and `othersAt` the earliest
 * time for another event of the transaction.
 */
export type Delivery =
  | { kind: 'delivered' }
  | { kind: 'given_up' }
  | { kind: 'retry'; at: number; othersAt: number }

/** The notification of a committed change. */
export interface Changed {
  id: string
  /** Time of the next status query; `null` if none is scheduled, or another process runs it. */
  due_at: number | null
  /** Time of the next delivery attempt; `null` if none is scheduled, or another process makes it. */
  event_due_at: number | null
}

/** The result of recovering a restored store. */
export interface Recovery {
  /** Number of transactions for which a status query was scheduled. */
  asked: number
  /** Number of transactions that were unsent in the backup. Charges and airtime among them are never sent. */
  unsent: number
  /**
   * Time of the backup or, if unknown, of the last stored change: later changes are lost. `null` if the store is empty.
   */
  knownUntil: number | null
}

/** The queue of an event: `events` before its first delivery attempt, `retries` after a failed attempt. */
export type EventQueue = 'events' | 'retries'

/** The rows to count: due rows of a queue, undelivered events, or transactions with an outcome. */
export type Countable =
  | { of: 'due'; queue: 'transactions' | EventQueue; now: number }
  | { of: 'undelivered' }
  | { of: 'outcome'; kind: Transaction['kind']; outcome: string }

/** How many tokens each part of a shared budget holds at most, and how many it gains per second. */
export interface TokenLimits {
  most: { shared: number; reserved: number }
  perSecond: { shared: number; reserved: number }
}

/** The error of a store that is temporarily unavailable. The failed change was saved completely or not at all. */
export class StoreError extends Error {
  override readonly name = 'StoreError'
}

/** The database of the server. Every method may reject with a {@link StoreError}. */
export interface Store {
  /**
   * Inserts all rows, or none. Resolves with `false` if an id, reference or attempt is taken, also by a pruned
   * transaction.
   */
  insert(...transactions: NewTransaction[]): Promise<boolean>
  find(id: string): Promise<Transaction | null>
  findByReference(
    account: MerchantAccount,
    kind: Transaction['kind'],
    reference: string,
  ): Promise<Transaction | null>
  /** Resolves with all transactions of a group, such as the attempts of one order, ordered by attempt. */
  list(account: MerchantAccount, kind: Transaction['kind'], group: string): Promise<Transaction[]>
  search(account: MerchantAccount, kind: Transaction['kind'], query: ListQuery): Promise<Transaction[]>
  /**
   * Applies the change if the row still has this version. Resolves with the new row, or with `null` if the version
   * differs.
   */
  commit(id: string, version: number, change: Change): Promise<Transaction | null>
  history(id: string): Promise<HistoryEntry[]>
  /** Counts the scheduled status queries of other merchant accounts, which this server never runs. */
  countWaitingElsewhere(account: MerchantAccount): Promise<number>

  /** Resolves with due transactions and leases them: no other worker can claim them before `leaseUntil`. */
  claimTransactions(
    account: MerchantAccount,
    now: number,
    leaseUntil: number,
    limit: number,
  ): Promise<Transaction[]>
  /** Makes up to `limit` transactions due at `now` whose last status query failed. Resolves with their number. */
  hastenQueries(account: MerchantAccount, now: number, limit: number): Promise<number>
  /**
   * Resolves with at most one due event per transaction, and leases the transaction's events until `leaseUntil`. Events
   * with equal `about` are claimed in order.
   */
  claimEvents(
    account: MerchantAccount,
    queue: EventQueue,
    now: number,
    leaseUntil: number,
    limit: number,
  ): Promise<OutboxEvent[]>
  finishEvent(id: string, delivery: Delivery, at: number): Promise<void>
  /**
   * Makes failed events due at random times within `spreadMs`, after the merchant's backend has become available again.
   */
  hastenRetries(account: MerchantAccount, now: number, spreadMs: number): Promise<void>
  /** Resolves with the events whose sequence number is higher than `after`, oldest first. */
  listEvents(account: MerchantAccount, after: number, limit: number): Promise<OutboxEvent[]>
  /** Makes an event due again, even if it was delivered. Resolves with `false` if no event has this id. */
  replayEvent(account: MerchantAccount, id: string, at: number): Promise<boolean>
  /** Resolves with the time at which the next row of a queue can be claimed; `null` if the queue is empty. */
  nextDue(account: MerchantAccount, queue: 'transactions' | EventQueue): Promise<number | null>

  /**
   * Resolves with transactions that have no scheduled query and no change since `before`, ordered by last change. Some
   * of them must be kept; `prune` decides.
   */
  listEnded(
    account: MerchantAccount,
    before: number,
    after: RowCursor | null,
    limit: number,
  ): Promise<Transaction[]>
  /**
   * Replaces transactions by their tombstones, and deletes their history and events. Resolves with the number of
   * deleted transactions.
   *
   * Keeps a whole group if one of its transactions has changed since `before`, is still queried, has an undelivered
   * event, or needs a person.
   */
  prune(before: number, tombstones: readonly Tombstone[]): Promise<number>
  /** Resolves with the tombstones of a group, ordered by attempt. */
  listTombstones(account: MerchantAccount, kind: Transaction['kind'], group: string): Promise<Tombstone[]>
  /** Resolves with the time of the last recovery from a backup, by the command `recover`; `null` if there was none. */
  recoveredAt(): Promise<number | null>
  /** Counts rows up to `limit`. Undelivered events are counted for all merchant accounts. */
  count(account: MerchantAccount, what: Countable, limit: number): Promise<number>

  /**
   * Takes tokens for status queries from the budget that all processes of an account share, after counting `counted`
   * requests that did not wait. Resolves with the number of tokens, at most `queries`. Absent in a store for one process.
   */
  takeTokens?(
    account: MerchantAccount,
    queries: number,
    counted: number,
    limits: TokenLimits,
  ): Promise<number>

  /**
   * Calls `changed` after the commit of each change. Returns a function that stops the calls.
   *
   * @param watched Returns the ids of transactions to poll while the changes of other processes cannot be received.
   */
  watch(changed: (change: Changed) => void, watched?: () => string[]): () => void
  /** Tests whether the store can write to disk; rejects if it cannot. */
  ping(): Promise<void>
  close(): Promise<void>
}
