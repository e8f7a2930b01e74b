/**
 * What must survive: transactions, their history, and the events that the merchant is still to be told.
 *
 * The interface is named for what the server does and knows no SQL. Two rules hold in every engine: a change is
 * one atom (record, history and events together, or nothing), and a change is made to the version that was
 * read, or not at all. What is due lives in the rows, so a crash forgets nothing.
 */

/** Where a row belongs. Workers touch only rows of their own home, so sandbox rows never meet production keys. */
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
  /** The reference that the gateway knows it by. Unique per home and kind. */
  reference: string
  /** What it was made for: the order of a checkout. */
  group: string
  /** Counts the transactions of one group, from 1. Unique per home, kind and group. */
  attempt: number
  /** Grows by one with every change of the record. */
  version: number
  /** What it came to, in the kind's own words; lists are filtered by it. */
  outcome: string
  /** The kind's own state, as stored. Parsed by the kind. */
  record: unknown
  /** Milliseconds since the Unix epoch, as all times in rows. */
  created_at: number
  updated_at: number
  /** When the gateway is to be asked again without anybody's asking for it; `null`: never. */
  due_at: number | null
  /** When it was last about to be sent; `null`: never. What may still be on its way must not be given up. */
  sent_at: number | null
  /** When the gateway was last asked. */
  asked_at: number | null
  /** Questions in a row that brought no answer. */
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
  /** Whom or what of the transaction it tells about: order is kept for each. Without it, about the whole. */
  about?: string
  /** The whole body, written once, so that every delivery sends the same bytes. */
  body: string
}

export interface OutboxEvent extends NewEvent {
  /** Grows with every event of the store. */
  sequence: number
  transaction_id: string
  created_at: number
  /** Deliveries that failed so far. */
  failures: number
  finish: 'delivered' | 'given_up' | null
}

/** A page of a list, in the order of the last change. */
export interface ListQuery {
  outcome?: string | undefined
  /** Changed at this time or later. */
  updatedSince?: number | undefined
  /** Behind this row. */
  after?: { updated_at: number; id: string } | undefined
  limit: number
}

/** Everything is optional: what is left out stays as it is. */
export interface Change {
  at: number
  /** A new record, or sending it, makes a new version. */
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

/** After a failure the transaction's other events wait as well: for less long, and one of them is the next. */
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
  /** All of them, or `false` and none, when a row with one's id, reference or attempt is there already. */
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
  /** Applies the change as one atom if the row still has this version; tells the row as it is then, or `null` when it was stale. */
  commit(id: string, version: number, change: Change): Promise<Transaction | null>
  history(id: string): Promise<HistoryEntry[]>
  /** How many rows of other homes wait for something. Nobody here touches them. */
  countWaitingElsewhere(account: MerchantAccount): Promise<number>

  /** Transactions whose time has come, leased until `leaseUntil` so that no other worker takes them. */
  claimTransactions(
    account: MerchantAccount,
    now: number,
    leaseUntil: number,
    limit: number,
  ): Promise<Transaction[]>
  /**
   * Of each transaction one event that is not delivered, if its time has come: of those about the same the oldest, and
   * of these the one that is due first.
   */
  claimEvents(
    account: MerchantAccount,
    now: number,
    leaseUntil: number,
    limit: number,
  ): Promise<OutboxEvent[]>
  finishEvent(id: string, delivery: Delivery, at: number): Promise<void>
  /** Events behind a sequence number, oldest first. */
  listEvents(account: MerchantAccount, after: number, limit: number): Promise<OutboxEvent[]>
  /** Makes an event due once more, whatever became of it; `false` when there is none of this id. */
  replayEvent(account: MerchantAccount, id: string, at: number): Promise<boolean>
  /** When the next thing in a queue can be claimed, leases considered; `null` when nothing waits. */
  nextDue(account: MerchantAccount, queue: 'transactions' | 'events'): Promise<number | null>

  /** Calls back with the id of every transaction that was changed, after the commit. */
  watch(changed: (id: string) => void): () => void
  ping(): Promise<void>
  close(): Promise<void>
}
