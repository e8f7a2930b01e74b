/** Counts rows of the store for health checks and metrics. */

import type { Countable, MerchantAccount } from '../../store.ts'
import type { Database } from './database.ts'
import { CountRow } from '../sqlite/rows.ts'
import { accountKey } from './rows.ts'
import { STATEMENTS } from './statements.ts'

export async function countRows(
  database: Database,
  account: MerchantAccount,
  what: Countable,
  limit: number,
): Promise<number> {
  const [row] = await count()
  return CountRow.parse(row).waiting

  function count(): Promise<unknown[]> {
    const key = accountKey(account)
    switch (what.of) {
      case 'undelivered':
        return database.query(STATEMENTS.countUndelivered, [limit])
      case 'outcome':
        return database.query(STATEMENTS.countOutcome, [limit, key, what.kind, what.outcome])
      case 'due':
        return what.queue === 'transactions'
          ? database.query(STATEMENTS.countDueTransactions, [limit, key, what.now])
          : database.query(STATEMENTS.countDueEvents, [limit, key, what.now, what.queue === 'retries'])
    }
  }
}
