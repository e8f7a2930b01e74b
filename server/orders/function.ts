/** Orders from a function in the merchant's own process. */

import type { OrderAsGiven, ResolveOrder } from './order.ts'
import { readOrder, refuse } from './order.ts'

/** An order as the merchant's code gives it, or nothing when there is none of that reference. */
export type FindOrder = (reference: string) => Found | Promise<Found>
type Found = GivenOrder | null | undefined

/** Amounts may be numbers where that is exact: 1500, not 0.1. */
export type GivenOrder = Omit<OrderAsGiven, 'amount' | 'splits'> & {
  amount: string | number
  splits?: { account: string; amount: string | number; reason: string }[] | null
}

export function ordersByFunction(find: FindOrder): ResolveOrder {
  return async (reference) => {
    const found = await find(reference)
    return found ? readOrder(found) : refuse('order_unknown', 'There is no order of this reference.')
  }
}
