/**
 * The interface of the store, which holds transactions, their history and their events. One class implements this
 * interface for SQLite, another for Postgres.
 *
 * Every implementation commits a record, its history entry and its events atomically. A commit fails if the row's
 * version has changed since the row was read. Due times are stored in the rows and survive a crash.
 */

/** The merchant account that a transaction belongs to. A server processes only the transactions of its own account. */
export interface MerchantAccount {
  environment: 'sandbox' | 'production'
  base_url: string
  account_number: string
}

export interface Transaction {
  /** An opaque id with at least 128 random bits. The id of a checkout is its `checkout_id`. */
  id: string
  kind: 'checkout' | 'payout' | 'charge' | 'airtime'
  account: MerchantAccount
  /** The reference in requests to the gateway. Unique per merchant account and kind. */
  reference: string
  /**
   * The reference that related transactions share. Checkouts: the reference of the order. Airtime: the merchant's
   * reference. Payouts and charges: equal to `reference`.
   */
  group: string
  /** Position of the transaction in its `group`, counted from 1. Unique per merchant account, kind and group. */
  attempt: number
  /** Incremented whenever `record` or `sent_at` changes. */
  version: number
  /** The outcome of the transaction. Stored in a column, so that lists can be filtered by outcome. */
  outcome: string
  /** The data of the transaction. The format depends on `kind` and is validated when the record is read. */
  record: unknown
  /** Milliseconds since the Unix epoch. All times in rows have this unit. */
  created_at: number
  updated_at: number
  /** Time of the next status query at the gateway; `null` if none is scheduled. */
  due_at: number | null
  /**
   * The time of the last attempt to send the request to the gateway, stored just before sending; `null` if never sent.
   * The gateway may have received the request even if no response arrived.
   */
  sent_at: number | null
  /** Time of the last status query at the gateway; `null` if there was none. */
  asked_at: number | null
  /** Number of consecutive status queries that failed. */
  failures: number
  /** The trace id in logs, requests and deliveries; `null` if an older server version stored the row. */
  trace_id: string | null
}

export type NewTransaction = Omit<Transaction, 'version' | 'updated_at' | 'asked_at' | 'failures'>

/** What remains of a pruned transaction. New transactions cannot use its reference or its attempt number. */
export interface Tombstone extends Pick<
  Transaction,
  'account' | 'kind' | 'reference' | 'group' | 'attempt' | 'outcome'
> {
  /** Amount and currency of the request, such as "1500 KES". */
  amount: string
  /** SHA-256 of the request, to recognize a repeated request. */
  digest: string
}

/** The newest signed order of a reference: its claim `iat`, in seconds, and the SHA-256 of its terms. */
export interface OrderMark {
  issued_at: number
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
   * The part of the transaction that the event concerns, for example one airtime recipient. Events of a transaction
   * with equal `about` are delivered in order.
   */
  about?: string
  /** The body of every delivery attempt, as JSON text. */
  body: string
}

export interface OutboxEvent extends NewEvent {
  /** Position of the event in the store. Newer events have higher numbers. */
  sequence: number
  transaction_id: string
  /** The trace id of the transaction; `null` if an older server version stored the transaction. */
  trace_id: string | null
  created_at: number
  /** Number of failed delivery attempts. */
  failures: number
  finish: 'delivered' | 'given_up' | null
}

/** The last row of a page. The next page contains later rows, ordered by `updated_at`, then by `id`. */
export type RowCursor = Pick<Transaction, 'updated_at' | 'id'>

/** The filters of a list of transactions, and the position and size of one page. */
export interface ListQuery {
  outcome?: string | undefined
  /** Only rows with `updated_at` at or after this time. */
  updatedSince?: number | undefined
  after?: RowCursor | undefined
  limit: number
}

/** The outcomes after which a person has to check the transaction. */
export const FOR_A_PERSON = ['needs_attention', 'review', 'jammed'] as const

/** A change to a stored transaction. Absent fields keep their values. */
export interface Change {
  at: number
  /** The new record. A new `record` or a new `sent_at` increments the version of the row. */
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

/** Returns whether the store may write the change to disk later. A crash then only repeats a status query. */
export function isLosable({ at, record, sent_at, asked_at, due_at, historyEntry, events }: Change): boolean {
  const isPlain = record === undefined && sent_at === undefined && !historyEntry && !events?.length
  const isSoon = due_at !== undefined && due_at !== null && due_at < at + SOON_MS
  return isPlain && asked_at !== undefined && !isSoon
}
const SOON_MS = 1_000

/**
 * The result of a delivery attempt. For `retry`, `at` is the time of the next attempt; other events of the transaction
 * are not delivered before `othersAt`.
 */
export type Delivery =
  | { kind: 'delivered' }
  | { kind: 'given_up' }
  | { kind: 'retry'; at: number; othersAt: number }

/** The notification that the transaction `id` has changed. */
export interface Changed {
  id: string
  /** Time of the next status query; `null` if no query is scheduled, or another process will run the query. */
  due_at: number | null
  /** Time of the next delivery; `null` if no delivery is scheduled, or another process will deliver the event. */
  event_due_at: number | null
}

/** The result of recovering a store that was restored from a backup. */
export interface Recovery {
  /** Number of transactions for which a status query was scheduled. */
  asked: number
  /** Number of transactions that were unsent in the backup. Unsent charges and airtime requests will never be sent. */
  unsent: number
  /**
   * The time of the backup or, if unknown, the time of the last stored change. Later changes are lost. `null` if the
   * store is empty.
   */
  knownUntil: number | null
}

/** An event is in `events` before the first delivery attempt, and in `retries` after a failed attempt. */
export type EventQueue = 'events' | 'retries'

/** The rows to count, which are due rows, undelivered events, or transactions with one outcome. */
export type Countable =
  | { of: 'due'; queue: 'transactions' | EventQueue; now: number }
  | { of: 'undelivered' }
  | { of: 'outcome'; kind: Transaction['kind']; outcome: string }

/** The maximum number of tokens in each part of a request budget, and the tokens added per second. */
export type TokenLimits = Record<'most' | 'perSecond', { shared: number; reserved: number }>

/** Thrown while the store is unavailable. The change that failed was saved either completely or not at all. */
export class StoreError extends Error {
  override readonly name = 'StoreError'
}

/** The database of the server. Every method may reject with a {@link StoreError}. */
export interface Store {
  /** Inserts all transactions or none. Resolves with `false` if one of their references or attempts is already used. */
  insert(...transactions: NewTransaction[]): Promise<boolean>
  find(id: string): Promise<Transaction | null>
  findByReference(
    account: MerchantAccount,
    kind: Transaction['kind'],
    reference: string,
  ): Promise<Transaction | null>
  /** Resolves with all transactions of a group, ordered by attempt. */
  list(account: MerchantAccount, kind: Transaction['kind'], group: string): Promise<Transaction[]>
  search(account: MerchantAccount, kind: Transaction['kind'], query: ListQuery): Promise<Transaction[]>
  /**
   * Applies the change to the row with this id and version. Resolves with the changed row, or with `null` if no row has
   * this id and version.
   */
  commit(id: string, version: number, change: Change): Promise<Transaction | null>
  history(id: string): Promise<HistoryEntry[]>
  /** Counts the status queries that are scheduled for other merchant accounts. This server never runs these queries. */
  countWaitingElsewhere(account: MerchantAccount): Promise<number>

  /** Claims due transactions. No other worker can claim these transactions before `leaseUntil`. */
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
  /**
   * Claims at most one due event per transaction, and leases all events of these transactions until `leaseUntil`.
   * Events with equal `about` are claimed in order.
   */
  claimEvents(
    account: MerchantAccount,
    queue: EventQueue,
    now: number,
    leaseUntil: number,
    limit: number,
  ): Promise<OutboxEvent[]>
  finishEvent(id: string, delivery: Delivery, at: number): Promise<void>
  /** Schedules the next attempts of failed deliveries at random times between `now` and `now + spreadMs`. */
  hastenRetries(account: MerchantAccount, now: number, spreadMs: number): Promise<void>
  /** Resolves with the events whose sequence number is higher than `after`, oldest first. */
  listEvents(account: MerchantAccount, after: number, limit: number): Promise<OutboxEvent[]>
  /** Makes an event due at `at`, even an event that was delivered. Resolves with `false` if no event has this id. */
  replayEvent(account: MerchantAccount, id: string, at: number): Promise<boolean>
  /** Resolves with the time at which the next row of a queue can be claimed; `null` if the queue is empty. */
  nextDue(account: MerchantAccount, queue: 'transactions' | EventQueue): Promise<number | null>

  /**
   * Resolves with transactions that have no scheduled status query and no change since `before`, ordered like a page of
   * `search`. `prune` decides which of these transactions may be deleted.
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
   * A group is kept as a whole if one of its transactions has changed since `before`, has a scheduled status query, has
   * an undelivered event, or needs a check by a person.
   */
  prune(before: number, tombstones: readonly Tombstone[]): Promise<number>
  /** Resolves with the tombstones of a group, ordered by attempt. */
  listTombstones(account: MerchantAccount, kind: Transaction['kind'], group: string): Promise<Tombstone[]>
  /** Stores a mark, unless a mark as new or newer exists. Resolves with the stored mark, which is never pruned. */
  markOrder(account: MerchantAccount, order: string, mark: OrderMark): Promise<OrderMark>
  /** Time of the last recovery by the command `recover`; `null` if the store was never recovered. */
  recoveredAt(): Promise<number | null>
  /**
   * Counts the rows that `what` selects, up to `limit`. Undelivered events are counted for all merchant accounts
   * together.
   */
  count(account: MerchantAccount, what: Countable, limit: number): Promise<number>

  /**
   * Takes tokens from the request budget that all processes of a merchant account share. Each status query needs one
   * token. Resolves with the number of tokens taken, at most `queries`. A store for a single process lacks this method.
   *
   * @param counted Number of requests that were already sent without waiting for a token. Their tokens are deducted
   * first.
   */
  takeTokens?(
    account: MerchantAccount,
    queries: number,
    counted: number,
    limits: TokenLimits,
  ): Promise<number>
  /** Counts the pool's connections, and the statements that wait for one. A store without a pool lacks this method. */
  connections?(): Record<'inUse' | 'idle' | 'waiting', number>

  /**
   * Calls `changed` after each committed change. Returns a function that stops these calls.
   *
   * @param watched Returns the ids of the transactions that the caller watches. These transactions are polled while
   * notifications from other processes do not arrive.
   */
  watch(changed: (change: Changed) => void, watched?: () => string[]): () => void
  /** Tests whether the store can write to disk. Rejects if the write fails. */
  ping(): Promise<void>
  close(): Promise<void>
}
