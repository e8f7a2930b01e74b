// The orders of the shop. Replace them with your database.

import { randomUUID } from 'node:crypto'

// On globalThis, because a framework may load this file more than once.
const orders = (globalThis.orders ??= new Map())
const fulfilled = (globalThis.fulfilled ??= new Set())

/** Whoever knows a reference can pay the order and see its outcome, so a reference is random. */
export function createOrder() {
  const order = randomUUID()
  orders.set(order, { order, amount: '1500', currency: 'KES', narration: 'Two kangas' })
  return order
}

/** Returns the price of an order. The payment server asks here, so no browser can change it. */
export function findOrder(reference) {
  return orders.get(reference) ?? null
}

/** Receives each outcome at least once. Orders are fulfilled here, never by the page. */
export function onEvent({ id, type, data }) {
  const order = orders.get(data.order)
  const isPaid = type === 'checkout.paid' || type === 'checkout.paid_late'
  const isCurrent = data.amount === order?.amount && data.currency === order?.currency
  if (!isPaid || !isCurrent) return console.log(`${type}: look at order ${data.order}`)
  if (fulfilled.has(id)) return
  fulfilled.add(id)
  console.log(`paid: fulfil order ${data.order}`)
}
