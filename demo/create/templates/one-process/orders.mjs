// The orders of the shop: files in the folder orders, which outlive a restart. Replace them with your database.

import { randomUUID } from 'node:crypto'
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'

mkdirSync('orders', { recursive: true })

/** Whoever knows a reference can pay the order and see its outcome, so a reference is random. */
export function createOrder() {
  const order = randomUUID()
  const terms = { order, amount: '1500', currency: 'KES', narration: 'Two kangas' }
  writeFileSync(`orders/${order}.json`, JSON.stringify(terms))
  return order
}

/**
 * Returns an order as it is stored. The payment server asks here, so no browser can change the price. The reference is the
 * stored one, too. In a database, compare text: an integer column finds 1042 for "01042", and both would be paid. Return
 * null for an order that was cancelled: a payment of it is then kept for a person.
 */
export function findOrder(reference) {
  const file = `orders/${reference}.json`
  const isKnown = /^[\w-]+$/.test(reference) && existsSync(file)
  if (!isKnown) {
    return null
  }

  return JSON.parse(readFileSync(file, 'utf8'))
}

/** Receives each outcome at least once. Orders are fulfilled here, never by the page. */
export function onEvent({ id, type, data }) {
  const isPaid = type === 'checkout.paid' || type === 'checkout.paid_late'
  if (!isPaid) {
    // What ended without money needs nobody, and payouts and the like have no order.
    const needsNobody = !data?.order || type === 'checkout.unpaid' || type === 'checkout.expired'
    return needsNobody ? console.log(type) : review(id, `${type}: look at order ${data.order}`)
  }

  const order = findOrder(data.order)
  if (!order) {
    return review(id, `${type}: there is no order ${data.order}`)
  }

  // As numbers, because a decimal column gives "1500.00".
  const isExact = Number(data.amount) === Number(order.amount) && data.currency === order.currency
  if (!isExact) {
    const now = `${order.amount} ${order.currency}`
    return review(id, `paid ${data.amount} ${data.currency}, order ${now}: look at order ${data.order}`)
  }

  // This file marks the order as paid, and a repeated event finds it. Ship what is marked, in a job that leaves out orders
  // with checkout.reversed or checkout.refunded: the process may die at any line. If a file cannot be written, this
  // throws, and the event is delivered again.
  const mark = `orders/${data.order}.paid`
  const payment = data.merchant_transaction_id
  if (keep(mark, payment)) {
    console.log(`paid: fulfil order ${data.order}`)
  } else if (readFileSync(mark, 'utf8') !== payment) {
    review(id, `paid again: look at order ${data.order}`)
  }
}

/** Keeps for a person what no program decides: a second payment goes back. A repeated event is the same file. */
function review(id, what) {
  writeFileSync(`orders/${id}.review`, what)
  console.log(what)
}

/** Stores a file, and returns whether it is new. `link` is atomic, so a full disk leaves no empty file. */
function keep(file, content) {
  // A power cut may have left an empty one.
  const isEmpty = statSync(file, { throwIfNoEntry: false })?.size === 0
  if (isEmpty) {
    rmSync(file)
  }

  const draft = `${file}.${process.pid}.draft`
  try {
    writeFileSync(draft, content)
    linkSync(draft, file)
    return true
  } catch (error) {
    if (error.code === 'EEXIST') {
      return false
    }

    throw error
  } finally {
    rmSync(draft, { force: true })
  }
}
