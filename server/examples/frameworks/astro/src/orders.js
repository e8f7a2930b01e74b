// The orders of the shop: replace them with your database. The price comes from here, never from a browser.

import { randomUUID } from 'node:crypto'

// On globalThis, because a framework may load this file more than once.
const orders = (globalThis.orders ??= new Map())

/** Whoever knows a reference can pay the order and see its outcome, so a reference is random. */
export function createOrder() {
  const order = randomUUID()
  orders.set(order, { order, amount: '1500', currency: 'KES', narration: 'Two kangas' })
  return order
}

export function findOrder(reference) {
  return orders.get(reference) ?? null
}

/** Receives each event at least once. Orders are fulfilled here, never by the page. */
export function fulfil({ id, type, data }) {
  if (type === 'checkout.paid') console.log(`fulfil ${data.order} (${id})`)
}
