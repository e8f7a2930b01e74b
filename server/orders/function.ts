/** Finds orders with a function that the merchant passes to `createApp`. */

import type { Clock } from '../work/clock.ts'
import type { OrderAsGiven, ResolveOrder } from './order.ts'
import { withTimeout } from '../work/clock.ts'
import { readOrder, UNKNOWN } from './order.ts'

/**
 * The merchant's function that finds an order by its reference. Returns `null` or `undefined` if the order is unknown.
 * A returned field that an order does not have is a type error: a misspelt optional field would be ignored.
 */
export type FindOrder<Given extends Found = Found> = (reference: string) => Given & Exactly<Given, OrderInput>
export type Found = OrderInput | null | undefined | Promise<OrderInput | null | undefined>
type Exactly<Given, Shape> =
  Given extends Promise<infer Value>
    ? Promise<Exactly<Value, Shape>>
    : {
        [Name in keyof Given]: Name extends keyof Shape
          ? Exactly<Given[Name], NonNullable<Shape[Name]>>
          : never
      }

/**
 * An order from the merchant's function. Amounts are text, or numbers that floating point represents exactly, such as
 * 1500.
 */
export type OrderInput = Omit<OrderAsGiven, 'amount' | 'splits'> & {
  /** A whole number of major units of the currency. */
  amount: string | number
  /** Shares of the amount for partner accounts. */
  splits?: Split[] | null
}

interface Split {
  /** The number of the partner account. */
  account: string
  /** Major units of the order's currency. */
  amount: string | number
  /** What the share is for. */
  reason: string
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
