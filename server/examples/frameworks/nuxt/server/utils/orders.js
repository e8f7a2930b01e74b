// The orders of the shop: files in the folder orders. Replace them with your database. The price comes from here, never
// from a browser.

import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'

mkdirSync('orders', { recursive: true })

/** Whoever knows a reference can pay the order and see its outcome, so a reference is random. */
export function createOrder() {
  const order = randomUUID()
  const terms = { order, amount: '1500', currency: 'KES', narration: 'Two kangas' }
  writeFileSync(`orders/${order}.json`, JSON.stringify(terms))
  return order
}

export function findOrder(reference) {
  const file = `orders/${reference}.json`
  return /^[\w-]+$/.test(reference) && existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null
}

/** Receives each event at least once. Orders are fulfilled here, never by the page. */
export function fulfil({ type, data }) {
  const isPaid = type === 'checkout.paid' || type === 'checkout.paid_late'
  if (!isPaid) return console.log(`${type}: look at order ${data.order}`)
  // As text, because your database may have the amount as a number.
  const [paid, now] = [data, findOrder(data.order)].map((terms) => `${terms?.amount} ${terms?.currency}`)
  if (paid !== now) return console.log(`paid ${paid}, order ${now}: look at order ${data.order}`)
  // This file marks the order as paid, and a repeated event finds it. Ship what is marked, in a job that leaves out orders
  // with checkout.reversed or checkout.refunded: the process may die at any line.
  const [mark, payment] = [`orders/${data.order}.paid`, data.merchant_transaction_id]
  if (!existsSync(mark)) {
    writeFileSync(mark, payment, { flag: 'wx' })
    console.log(`fulfil ${data.order}`)
  } else if (readFileSync(mark, 'utf8') !== payment) console.log(`paid again: look at order ${data.order}`)
}
