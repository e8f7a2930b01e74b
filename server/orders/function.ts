/** Orders from a function in the merchant's own process. */

import type { Clock } from '../clock.ts'
import type { OrderAsGiven, ResolveOrder } from './order.ts'
import { withTimeout } from '../with-timeout.ts'
import { readOrder, refuse } from './order.ts'

/** An order as the merchant's code gives it, or nothing when there is none of that reference. */
export type FindOrder = (reference: string) => Found | Promise<Found>
type Found = GivenOrder | null | undefined

/** Amounts may be numbers where that is exact: 1500, not 0.1. */
export type GivenOrder = Omit<OrderAsGiven, 'amount' | 'splits'> & {
  amount: string | number
  splits?: { account: string; amount: string | number; reason: string }[] | null
}

/** A shopper waits for it, and a merchant's database may hang. */
const DEADLINE_MS = 10_000

export function ordersByFunction(find: FindOrder, clock: Clock): ResolveOrder {
  const late = `The function for orders did not return within ${DEADLINE_MS / 1000} seconds.`
  return async (reference) => {
    const found = await withTimeout(DEADLINE_MS, clock, () => find(reference), late)
    return found ? readOrder(found) : refuse('order_unknown', 'There is no order of this reference.')
  }
}
