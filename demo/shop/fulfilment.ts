import { compare, isDecimal } from '../../server/contract/decimal.ts'
import { CURRENCY, priceOf } from './goods.ts'
import { isOfOrder } from './notification.ts'
import type { Notification, OrderNotification } from './notification.ts'
import type { Order, Standing } from './order.ts'

interface Fulfilment {
  apply(notification: Notification): void
  orders(): Order[]
  watch(changed: () => void): () => void
}

export function createFulfilment(): Fulfilment {
  const orders = new Map<string, Order>()
  const taken = new Set<string>()
  const watchers = new Set<() => void>()
  return {
    apply(notification) {
      if (!isOfOrder(notification) || taken.has(notification.id)) return
      taken.add(notification.id)
      const next = after(orders.get(notification.data.order), notification)
      orders.delete(next.order)
      orders.set(next.order, next)
      for (const changed of watchers) changed()
    },
    orders: () => [...orders.values()].toReversed(),
    watch(changed) {
      watchers.add(changed)
      return () => watchers.delete(changed)
    },
  }
}

function after(before: Order | undefined, { type, data }: OrderNotification): Order {
  const { order, amount_paid, currency } = data
  const heard = [...(before?.heard ?? []), type]
  return {
    order,
    amount_paid,
    currency,
    heard,
    standing: standing(before?.standing ?? 'open', type, data),
  }
}

const STANDING_AFTER = new Map<string, Standing>([
  ['checkout.paid', 'fulfilled'],
  ['checkout.paid_late', 'fulfilled'],
  ['checkout.partial', 'part_paid'],
  ['checkout.unpaid', 'unpaid'],
  ['checkout.expired', 'unpaid'],
  ['checkout.reversed', 'taken_back'],
  ['checkout.refunded', 'taken_back'],
  ['checkout.review', 'look_at_it'],
  ['checkout.needs_attention', 'look_at_it'],
])

function standing(before: Standing, type: string, data: OrderNotification['data']): Standing {
  const next = STANDING_AFTER.get(type) ?? before
  // A later event of another attempt may report less money than was received: keep the better status.
  if (next === 'unpaid' && before !== 'open') return before
  if (next === 'part_paid' && before === 'fulfilled') return before
  return next === 'fulfilled' && before !== 'fulfilled' && !isCovered(data) ? 'look_at_it' : next
}

function isCovered({ order, amount_paid, currency }: OrderNotification['data']): boolean {
  const price = priceOf(order)
  return price !== null && currency === CURRENCY && isDecimal(amount_paid) && compare(amount_paid, price) >= 0
}
