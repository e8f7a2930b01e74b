/** The merchant account that a transaction belongs to. A server processes only the transactions of its own account. */
export interface MerchantAccount {
  environment: 'sandbox' | 'production'
  base_url: string
  account_number: string
}

export interface Transaction {
  /** An opaque id with at least 128 random bits. The API calls the id of a checkout `checkout_id`. */
  id: string
  kind: 'checkout' | 'payout' | 'charge' | 'airtime'
  account: MerchantAccount
  /** The reference of the transaction in requests to the gateway. Unique per merchant account and kind. */
  reference: string
  /**
   * The reference that the transactions of a group share. Checkouts share the reference of their order. Airtime
   * transactions share the reference of the merchant's airtime request. For a payout or a charge, `group` equals
   * `reference`.
   */
  group: string
  /** Position of the transaction in its `group`, counted from 1. Unique per merchant account, kind and group. */
  attempt: number
  /** Version number, which increases whenever `record` or `sent_at` changes. */
  version: number
  /** The outcome of the transaction, stored outside `record` so that lists can be filtered by outcome. */
  outcome: string
  /** The details of the transaction. Their format depends on `kind` and is not validated by the store. */
  record: unknown
  /** The time of creation, in milliseconds since the Unix epoch. All times of a transaction have this unit. */
  created_at: number
  updated_at: number
  /** Time of the next status query at the gateway; `null` if no query is scheduled. */
  due_at: number | null
  /**
   * When the request was last sent to the gateway; `null` if it was never sent. The time is stored just before sending,
   * so the gateway may or may not have received the request.
   */
  sent_at: number | null
  /** Time of the last status query at the gateway; `null` if there was no query. */
  asked_at: number | null
  /** Number of consecutive failed status queries. An outage of the gateway counts as at most one failure. */
  failures: number
  /**
   * The id that the log lines, gateway requests and deliveries about this transaction contain (`trace.ts`). `null` if
   * an older server version stored the transaction.
   */
  trace_id: string | null
}

export type NewTransaction = Omit<Transaction, 'version' | 'updated_at' | 'asked_at' | 'failures'>

/** The sort key of a row in a list of transactions. Lists are sorted by `updated_at`, then by `id`. */
export type RowCursor = Pick<Transaction, 'updated_at' | 'id'>
