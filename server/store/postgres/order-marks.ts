/** Stores the marks of orders. A mark identifies the newest signed version of an order (`OrderMark`). */

import type { Store } from '../../store.ts'
import type { Database } from './database.ts'
import { OrderMarkRow } from '../sqlite/rows.ts'
import { accountKey } from './rows.ts'
import { STATEMENTS } from './statements.ts'

export function createMarkOrder(database: Database): Store['markOrder'] {
  return async (account, order, mark) => {
    const key = [accountKey(account), order]
    const find = async () =>
      OrderMarkRow.optional().parse((await database.query(STATEMENTS.findOrderMark, key))[0])
    const known = await find()
    if (known && known.issued_at >= mark.issued_at) return known
    await database.query(STATEMENTS.markOrder, [...key, mark.issued_at, mark.digest])
    // Another process may have stored a newer mark meanwhile.
    return (await find()) ?? mark
  }
}
