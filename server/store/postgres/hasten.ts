/**
 * Makes failed status queries due earlier when the gateway is available again. Makes failed deliveries due earlier when
 * the merchant's backend is available again.
 */

import type { MerchantAccount, Store } from '../../store.ts'
import type { Database } from './database.ts'
import { accountKey } from './rows.ts'
import { STATEMENTS } from './statements.ts'

/** The maximum number of deliveries that one statement makes due earlier. */
const HASTENED_AT_ONCE = 2_000

/** @param lower Called after rows of `queue` became due earlier. No row became due before `dueAt`. */
export function createHastening(
  database: Database,
  lower: (account: MerchantAccount, queue: 'transactions' | 'retries', dueAt: number) => void,
): Pick<Store, 'hastenQueries' | 'hastenRetries'> {
  return {
    async hastenQueries(account, now, limit) {
      const hastened = await database.query(STATEMENTS.hastenQueries, [accountKey(account), now, limit])
      lower(account, 'transactions', now)
      return hastened.length
    },
    async hastenRetries(account, now, spreadMs) {
      const values = [accountKey(account), now, spreadMs, HASTENED_AT_ONCE]
      while ((await database.query(STATEMENTS.hastenRetries, values)).length === HASTENED_AT_ONCE);
      lower(account, 'retries', now)
    },
  }
}
