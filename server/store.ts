/**
 * The store's interface: transactions, their history, and the events for the merchant. Independent of SQL.
 *
 * Every implementation guarantees: a commit is atomic (record, history and events together, or nothing), and a commit
 * is applied only if the row still has the version that was read. Due times are stored in the rows, so they survive a
 * crash.
 */

/**
 * Every row belongs to one account. Workers process only rows of their own, so production keys never process sandbox
 * rows.
 */
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
  /** For a checkout, the order's reference; for airtime, the merchant's reference. */
  group: string
  /** Number of the transaction within its group, from 1. Unique per merchant account, kind and group. */
  attempt: number
  /** Incremented whenever `record` or `sent_at` changes. */
  version: number
  /** The kind's outcome, stored for filtering lists. */
  outcome: string
  /** State in the kind's own format, as stored. Each kind parses its records. */
  record: unknown
  /** Milliseconds since the Unix epoch, like all times in rows. */
  created_at: number
  updated_at: number
  /** When the worker queries the gateway next; `null`: never. */
  due_at: number | null
  /**
   * When the transaction was last sent, stored just before sending; `null`: never. The gateway may have received the
   * request even if no response arrived.
   */
  sent_at: number | null
  /** When the gateway was last queried; `null`: never. */
  asked_at: number | null
  /** Number of consecutive failed queries. */
  failures: number
  /** The trace id in logs, requests and deliveries about the transaction; `null` in rows of older server versions. */
  trace_id: string | null
}

export type NewTransaction = Omit<Transaction, 'version' | 'updated_at' | 'asked_at' | 'failures'>

/** What is left of a pruned transaction. Its reference and its attempt stay taken. */
export interface Tombstone extends Pick<
  Transaction,
  'account' | 'kind' | 'reference' | 'group' | 'attempt' | 'outcome'
> {
  /** Amount and currency of the request, such as "1500 KES". */
  amount: string
  /** Digest of the request. */
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
   * The part of the transaction that the event concerns, for example one recipient. Events keep their order per part.
   */
  about?: string
  /** The complete body, serialized once: every delivery sends the same bytes. */
  body: string
}

export interface OutboxEvent extends NewEvent {
  /** Increases with every event in the store. */
  sequence: number
  transaction_id: string
  /** The transaction's trace id. */
  trace_id: string | null
  created_at: number
  /** Failed delivery attempts of the event. */
  failures: number
  finish: 'delivered' | 'given_up' | null
}

/** The row after which a page of a list starts. Rows are ordered by their last change. */
export type RowCursor = Pick<Transaction, 'updated_at' | 'id'>

/** Selects one page of a list. */
export interface ListQuery {
  outcome?: string | undefined
  /** Only rows changed at or after this time. */
  updatedSince?: number | undefined
  after?: RowCursor | undefined
  limit: number
}

/** Outcomes with which a settled transaction still waits for a person. */
export const FOR_A_PERSON = ['needs_attention', 'review', 'jammed'] as const

/** The fields that a commit changes. Absent fields keep their values. */
export interface Change {
  at: number
  /** A new record or a new `sent_at` increments the version. */
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
 * Returns whether the change only records when the gateway was queried. A store may write such a change to disk
 * later, because the gateway is queried again after a crash. A requested query (`due_at` alone) is always written
 * durably.
 */
export function isLosable({ at, record, sent_at, asked_at, due_at, historyEntry, events }: Change): boolean {
  const isPlain = record === undefined && sent_at === undefined && !historyEntry && !events?.length
  const isSoon = due_at !== undefined && due_at !== null && due_at < at + SOON_MS
  return isPlain && asked_at !== undefined && !isSoon
}
const SOON_MS = 1_000

/** The result of a delivery. After a failure, `othersAt` is when another event of the same transaction may be tried. */
export type Delivery =
  | { kind: 'delivered' }
  | { kind: 'given_up' }
  | { kind: 'retry'; at: number; othersAt: number }

/** A change of a transaction, after its commit. */
export interface Changed {
  id: string
  /** When the gateway is queried next. `null`: never, or another process queries it. */
  due_at: number | null
  /** When an event of the transaction is delivered next. `null`: never, or another process delivers it. */
  event_due_at: number | null
}

/** The result of recovering a restored store. */
export interface Recovery {
  /** The number of transactions that the gateway is asked about. */
  asked: number
  /**
   * The number of transactions that were not sent before the backup. Charges and airtime among them are never sent.
   */
  unsent: number
  /**
   * The time up to which the store is complete: that of the backup or, if unknown, of the last stored change. `null`:
   * the store has no transactions.
   */
  knownUntil: number | null
}

/** The queue of an event: `events` before its first delivery attempt, `retries` after a failed one. */
export type EventQueue = 'events' | 'retries'

/** What can be counted: a queue's due rows, undelivered events, or the transactions with an outcome. */
export type Countable =
  | { of: 'due'; queue: 'transactions' | EventQueue; now: number }
  | { of: 'undelivered' }
  | { of: 'outcome'; kind: Transaction['kind']; outcome: string }

/**
 * The store is temporarily unavailable; a retry may succeed. The interrupted change was saved completely or not at
 * all.
 */
export class StoreError extends Error {
  override readonly name = 'StoreError'
}

/** Every promise here may reject with a {@link StoreError}. */
export interface Store {
  /**
   * Inserts all rows, or none and returns `false` if an id, a reference or an attempt exists already, also of a pruned
   * transaction.
   */
  insert(...transactions: NewTransaction[]): Promise<boolean>
  find(id: string): Promise<Transaction | null>
  findByReference(
    account: MerchantAccount,
    kind: Transaction['kind'],
    reference: string,
  ): Promise<Transaction | null>
  /** Returns all transactions of a group, first attempt first. */
  list(account: MerchantAccount, kind: Transaction['kind'], group: string): Promise<Transaction[]>
  search(account: MerchantAccount, kind: Transaction['kind'], query: ListQuery): Promise<Transaction[]>
  /** Applies the change atomically if the row still has this version. Returns the new row, or `null` if it was stale. */
  commit(id: string, version: number, change: Change): Promise<Transaction | null>
  history(id: string): Promise<HistoryEntry[]>
  /** Counts the rows of other merchant accounts that have a due time. Workers never process these rows. */
  countWaitingElsewhere(account: MerchantAccount): Promise<number>

  /** Returns due transactions and leases them until `leaseUntil`; no other worker can claim them before. */
  claimTransactions(
    account: MerchantAccount,
    now: number,
    leaseUntil: number,
    limit: number,
  ): Promise<Transaction[]>
  /**
   * Makes at most `limit` transactions due now whose last query failed. Resolves with their number. Used to probe the
   * gateway, and when the gateway is available again.
   */
  hastenQueries(account: MerchantAccount, now: number, limit: number): Promise<number>
  /**
   * Returns at most one due event per transaction, and leases the transaction's events until `leaseUntil`. Events keep
   * their order per `about`; of the first event of each `about`, the transaction's earliest due event is returned.
   */
  claimEvents(
    account: MerchantAccount,
    queue: EventQueue,
    now: number,
    leaseUntil: number,
    limit: number,
  ): Promise<OutboxEvent[]>
  finishEvent(id: string, delivery: Delivery, at: number): Promise<void>
  /** Makes failed events due within `spreadMs`, at random times. Used when the merchant's backend is back. */
  hastenRetries(account: MerchantAccount, now: number, spreadMs: number): Promise<void>
  /** Returns the events after a sequence number, oldest first. */
  listEvents(account: MerchantAccount, after: number, limit: number): Promise<OutboxEvent[]>
  /** Makes an event due again, whether or not it was delivered. Returns `false` if no event has this id. */
  replayEvent(account: MerchantAccount, id: string, at: number): Promise<boolean>
  /** Returns when the next row of a queue can be claimed, including leased rows; `null` if the queue is empty. */
  nextDue(account: MerchantAccount, queue: 'transactions' | EventQueue): Promise<number | null>

  /**
   * Returns transactions that are never queried again and have not changed since `before`, the first changed first.
   * Whether they may be pruned is decided by `prune`.
   */
  listEnded(
    account: MerchantAccount,
    before: number,
    after: RowCursor | null,
    limit: number,
  ): Promise<Transaction[]>
  /**
   * Replaces transactions by their tombstones, and deletes their history and their events. Keeps a transaction, with
   * its whole group, if one of the group was changed since `before`, is queried again, has an undelivered event, or
   * waits for a person. Returns the number of deleted transactions.
   */
  prune(before: number, tombstones: readonly Tombstone[]): Promise<number>
  /** Returns the tombstones of a group, first attempt first. */
  listTombstones(account: MerchantAccount, kind: Transaction['kind'], group: string): Promise<Tombstone[]>
  /** When the store was last recovered from a backup, by the command `recover`; `null`: never. */
  recoveredAt(): Promise<number | null>
  /** Counts rows by an index, up to `limit`. Undelivered events are those of every merchant account. */
  count(account: MerchantAccount, what: Countable, limit: number): Promise<number>

  /**
   * Calls `changed` for each changed transaction, after the commit. Returns a function that stops watching.
   *
   * @param watched Returns the ids of the transactions to watch. A store that is not notified of the changes of other
   * processes polls these transactions.
   */
  watch(changed: (change: Changed) => void, watched?: () => string[]): () => void
  /** Tests whether the store can write durably; rejects if it cannot. */
  ping(): Promise<void>
  close(): Promise<void>
}
