/** The status queries that are scheduled in the store: which transactions are due, and when the others are. */

import type { KindName } from '../api/kind-table.ts'
import type { MerchantAccount } from './merchant-account.ts'
import type { Transaction } from './transactions.ts'

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
}
