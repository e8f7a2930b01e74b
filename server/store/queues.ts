/** What waits in the store: status queries, and events before the first delivery and after a failed one. */

import type { KindName } from '../api/kind-table.ts'
import type { EventQueue } from './events.ts'
import type { MerchantAccount } from './merchant-account.ts'

/** What `count` counts: the due rows of a queue, undelivered events, or the transactions with a given outcome. */
export type Countable =
  | { of: 'due'; queue: 'transactions' | EventQueue; now: number }
  | { of: 'undelivered' }
  | { of: 'outcome'; kind: KindName; outcome: string }

export interface QueueStore {
  /** Resolves with the time at which the next row of a queue can be claimed; `null` if the queue is empty. */
  nextDue(account: MerchantAccount, queue: 'transactions' | EventQueue): Promise<number | null>
  /**
   * Resolves with the number of rows that `what` selects, or with `limit` if there are more. For `undelivered`, counts
   * the events of all merchant accounts, not only those of `account`.
   */
  count(account: MerchantAccount, what: Countable, limit: number): Promise<number>
}
