/** Brings failed queries and deliveries forward when the gateway or the merchant's backend is back. */

import type { MerchantAccount, Store } from '../../store.ts'
import type { Database } from './database.ts'
import { accountKey } from './rows.ts'
import { STATEMENTS } from './statements.ts'

/** How many deliveries one statement brings forward. */
const HASTENED_AT_ONCE = 2_000

/** @param lower Called with a queue and the time at which its rows became due. */
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
