// Keeps the orders of the shop, as the events of the payment server change them.

import { compare } from '../../server/contract/decimal.ts'
import { CURRENCY, priceOf } from './goods.ts'

import type { CheckoutView, EventType, MerchantEvent } from '../../server/index.ts'
import type { Order, Standing } from './goods.ts'

const STANDING_AFTER: Partial<Record<EventType, Standing>> = {
  'checkout.paid': 'fulfilled',
  'checkout.paid_late': 'fulfilled',
  'checkout.partial': 'part_paid',
  'checkout.unpaid': 'unpaid',
  'checkout.expired': 'unpaid',
  'checkout.reversed': 'taken_back',
  'checkout.refunded': 'taken_back',
  'checkout.review': 'look_at_it',
  'checkout.needs_attention': 'look_at_it',
}

export function createFulfilment() {
  const orders = new Map<string, Order>()
  const appliedIds = new Set<string>()
  const watchers = new Set<() => void>()
  return {
    apply({ id, type, data }: MerchantEvent): void {
      // Only checkouts have an order.
      if (!('checkout_id' in data) || appliedIds.has(id)) {
        return
      }

      appliedIds.add(id)
      const { order, amount_paid, currency } = data
      const { standing: before = 'open', heard = [] } = orders.get(order) ?? {}
      const standing = standingAfter(before, type, data)
      // A map lists what was inserted last as last: the order that changed last.
      orders.delete(order)
      orders.set(order, { order, standing, amount_paid, currency, heard: [...heard, type] })
      for (const onChange of watchers) {
        onChange()
      }
    },
    /** Returns the orders, the one that changed last first. */
    orders: (): Order[] => [...orders.values()].toReversed(),
    /** Calls `onChange` after each change, until the returned function is called. */
    watch(onChange: () => void): () => void {
      watchers.add(onChange)
      return () => watchers.delete(onChange)
    },
  }
}

function standingAfter(before: Standing, type: EventType, view: CheckoutView): Standing {
  const next = STANDING_AFTER[type] ?? before
  // A later event of another attempt may report less money than was received: keep the better standing.
  if (next === 'unpaid' && before !== 'open') {
    return before
  }
  if (next === 'part_paid' && before === 'fulfilled') {
    return before
  }
  return next === 'fulfilled' && before !== 'fulfilled' && !isCovered(view) ? 'look_at_it' : next
}

function isCovered({ order, amount_paid, currency }: CheckoutView): boolean {
  const price = priceOf(order)
  return price !== null && currency === CURRENCY && compare(amount_paid, price) >= 0
}
