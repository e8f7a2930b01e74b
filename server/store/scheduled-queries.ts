/** The status queries that are scheduled in the store, and how many rows of each queue are due. */

import type { KindName } from '../api/kind-table.ts'
import type { EventQueue } from './events.ts'
import type { MerchantAccount } from './merchant-account.ts'
import type { Transaction } from './transactions.ts'

/** What `count` counts: the due rows of a queue, undelivered events, or the transactions with a given outcome. */
export type Countable =
  | { of: 'due'; queue: 'transactions' | EventQueue; now: number }
  | { of: 'undelivered' }
  | { of: 'outcome'; kind: KindName; outcome: string }

export interface ScheduledQueryStore {
  /** Claims up to `limit` due transactions, with a lease until `leaseUntil`. `commit` ends the lease earlier. */
  claimTransactions(
    account: MerchantAccount,
    now: number,
    leaseUntil: number,
    limit: number,
  ): Promise<Transaction[]>
  /** Requests a query at `at`, if the row has this revision. Neither reads nor returns the record, which may be long. */
  requestQuery(id: string, revision: number, at: number): Promise<boolean>
  /** Requests a query at `now` for up to `limit` transactions whose last query failed. Resolves with their number. */
  bringQueriesForward(account: MerchantAccount, now: number, limit: number): Promise<number>
  /**
   * If the last change, query or request of a transaction has a time after `now`, reduces its due time by the
   * difference. Leases end at `leaseUntil` at the latest.
   */
  correctFutureTimes(account: MerchantAccount, now: number, leaseUntil: number): Promise<void>
  /** Resolves with transactions of a kind that have a scheduled status query, in the order of their ids. */
  listScheduled(
    account: MerchantAccount,
    kind: KindName,
    afterId: string,
    limit: number,
  ): Promise<Transaction[]>
  /** Resolves with the time at which the next row of a queue can be claimed; `null` if the queue is empty. */
  nextDue(account: MerchantAccount, queue: 'transactions' | EventQueue): Promise<number | null>
  /**
   * Resolves with the number of rows that `what` selects, or with `limit` if there are more. For `undelivered`, counts
   * the events of all merchant accounts, not only those of `account`.
   */
  count(account: MerchantAccount, what: Countable, limit: number): Promise<number>
}
