/**
 * The store: transactions, their history, and the events for the merchant.
 *
 * The interface is named for what the server does and has no SQL. Two rules hold in every implementation: a change is
 * atomic (record, history and events together, or nothing), and it is made to the version that was read, or not at all.
 * Due times are part of the rows, so a crash loses nothing.
 */

/** Workers touch only rows of their own merchant account, so sandbox rows never meet production keys. */
export interface MerchantAccount {
  environment: 'sandbox' | 'production'
  base_url: string
  account_number: string
}

export interface Transaction {
  /** Opaque, at least 128 random bits. A checkout's `checkout_id`. */
  id: string
  kind: 'checkout' | 'payout' | 'charge' | 'airtime'
  account: MerchantAccount
  /** The reference that the gateway knows it by. Unique per merchant account and kind. */
  reference: string
  /** What it was created for: the order of a checkout, the merchant's reference of airtime. */
  group: string
  /** Counts the transactions of one group, from 1. Unique per merchant account, kind and group. */
  attempt: number
  /** Grows by one with every change of the record. */
  version: number
  /** The kind's outcome. Lists are filtered by it. */
  outcome: string
  /** The kind's own state, as stored. Parsed by the kind. */
  record: unknown
  /** Milliseconds since the Unix epoch, as all times in rows. */
  created_at: number
  updated_at: number
  /** When the worker queries the gateway next; `null`: never. */
  due_at: number | null
  /** When it was last about to be sent; `null`: never. It may have arrived even if no answer came. */
  sent_at: number | null
  /** When the gateway was last queried. */
  asked_at: number | null
  /** Queries in a row that failed. */
  failures: number
}

export type NewTransaction = Omit<Transaction, 'version' | 'updated_at' | 'sent_at' | 'asked_at' | 'failures'>

export interface HistoryEntry {
  at: number
  what: string
}

export interface NewEvent {
  id: string
  type: string
  /** Which part of the transaction it concerns, for example one recipient: events keep their order per part. */
  about?: string
  /** The whole body, written once, so that every delivery sends the same bytes. */
  body: string
}

export interface OutboxEvent extends NewEvent {
  /** Grows with every event of the store. */
  sequence: number
  transaction_id: string
  created_at: number
  /** Failed attempts to deliver it. */
  failures: number
  finish: 'delivered' | 'given_up' | null
}

/** A page of a list, in the order of the last change. */
export interface ListQuery {
  outcome?: string | undefined
  /** Changed at this time or later. */
  updatedSince?: number | undefined
  /** Start after this row. */
  after?: { updated_at: number; id: string } | undefined
  limit: number
}

/** Absent fields stay as they are. */
export interface Change {
  at: number
  /** A new record or a new `sent_at` increments the version. */
  record?: unknown
  outcome?: string
  sent_at?: number
  due_at?: number | null
  asked_at?: number
  failures?: number
  /** For the history: one sentence; `null` when nothing happened. */
  historyEntry?: string | null
  events?: NewEvent[]
}

/** `othersAt`: when another event of the same transaction may be tried after a failure. */
export type Delivery =
  | { kind: 'delivered' }
  | { kind: 'given_up' }
  | { kind: 'retry'; at: number; othersAt: number }

/** The store cannot be used now. Nothing was changed; the same may succeed later. */
export class StoreError extends Error {
  override readonly name = 'StoreError'
}

/** Every promise here may reject with a {@link StoreError}. */
export interface Store {
  /** Inserts all rows, or none and returns `false` if an id, a reference or an attempt exists already. */
  insert(...transactions: NewTransaction[]): Promise<boolean>
  find(id: string): Promise<Transaction | null>
  findByReference(
    account: MerchantAccount,
    kind: Transaction['kind'],
    reference: string,
  ): Promise<Transaction | null>
  /** All transactions of a group, the first attempt first. */
  list(account: MerchantAccount, kind: Transaction['kind'], group: string): Promise<Transaction[]>
  search(account: MerchantAccount, kind: Transaction['kind'], query: ListQuery): Promise<Transaction[]>
  /** Applies the change atomically if the row still has this version. Returns the new row, or `null` if it was stale. */
  commit(id: string, version: number, change: Change): Promise<Transaction | null>
  history(id: string): Promise<HistoryEntry[]>
  /** How many rows of other merchant accounts have something due. They are not touched. */
  countWaitingElsewhere(account: MerchantAccount): Promise<number>

  /** Due transactions, leased until `leaseUntil` so that no other worker takes them. */
  claimTransactions(
    account: MerchantAccount,
    now: number,
    leaseUntil: number,
    limit: number,
  ): Promise<Transaction[]>
  /**
   * At most one due event per transaction. Events keep their order per `about`; among the first of each, the one due
   * first is returned.
   */
  claimEvents(
    account: MerchantAccount,
    now: number,
    leaseUntil: number,
    limit: number,
  ): Promise<OutboxEvent[]>
  finishEvent(id: string, delivery: Delivery, at: number): Promise<void>
  /** Events after a sequence number, oldest first. */
  listEvents(account: MerchantAccount, after: number, limit: number): Promise<OutboxEvent[]>
  /** Makes an event due again, delivered or not; `false` when there is no event with this id. */
  replayEvent(account: MerchantAccount, id: string, at: number): Promise<boolean>
  /** When the next row of a queue can be claimed, leases included; `null` when the queue is empty. */
  nextDue(account: MerchantAccount, queue: 'transactions' | 'events'): Promise<number | null>

  /** Calls `changed` with the id of each changed transaction, after the commit. Returns how to stop. */
  watch(changed: (id: string) => void): () => void
  ping(): Promise<void>
  close(): Promise<void>
}
