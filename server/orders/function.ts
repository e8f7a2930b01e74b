/** Finds orders with a function that the merchant passes to `createApp`. */

import type { Clock } from '../clock.ts'
import type { OrderAsGiven, ResolveOrder } from './order.ts'
import { withTimeout } from '../with-timeout.ts'
import { readOrder, UNKNOWN } from './order.ts'

/**
 * The merchant's function that finds an order by its reference. Returns `null` or `undefined` if the order is unknown.
 */
export type FindOrder = (reference: string) => Found | Promise<Found>
type Found = OrderInput | null | undefined

/**
 * An order from the merchant's function. Amounts are text, or numbers that floating point represents exactly, such as
 * 1500.
 */
export type OrderInput = Omit<OrderAsGiven, 'amount' | 'splits'> & {
  amount: string | number
  splits?: { account: string; amount: string | number; reason: string }[] | null
}

/** The time within which the merchant's function must return, in milliseconds. */
const DEADLINE_MS = 10_000

export function ordersByFunction(find: FindOrder, clock: Clock): ResolveOrder {
  const late = `The function for orders did not return within ${DEADLINE_MS / 1000} seconds.`
  return async (reference) => {
    const found = await withTimeout(DEADLINE_MS, clock, () => find(reference), late)
    return found ? readOrder(found) : UNKNOWN
  }
}
