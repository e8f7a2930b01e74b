/** Stores the marks of orders. A mark identifies the newest signed version of an order (`OrderMark`). */

import type { MerchantAccount, OrderMark, Store } from '../../store.ts'
import type { CommitGroup } from './commit-group.ts'
import type { Statements } from './statements.ts'
import { OrderMarkRow } from './rows.ts'

export function createMarkOrder(statements: Statements, writes: CommitGroup): Store['markOrder'] {
  const find = (account: MerchantAccount, order: string): OrderMark | null =>
    OrderMarkRow.optional().parse(statements.findOrderMark.get({ ...account, order })) ?? null

  return async (account, order, mark) => {
    const known = find(account, order)
    if (known && known.issued_at >= mark.issued_at) return known
    await writes.add(() => statements.markOrder.run({ ...account, order, ...mark }))
    return find(account, order) ?? mark
  }
}
