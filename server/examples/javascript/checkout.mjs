// Retrieves the checkout of an order.  node checkout.mjs A-1042
// Fulfil the order on this response or on a webhook event, never on an event in the browser.

import { find, finish } from './api.mjs'

const [order] = process.argv.slice(2)

const checkout = await find(`/checkouts/${encodeURIComponent(order)}`)
// The path also finds a checkout by its own id, which is no order.
if (checkout?.order === order) {
  const { outcome, amount_paid, amount, currency } = checkout
  console.log(`${order}: ${outcome}, ${amount_paid} of ${amount} ${currency}`)
  finish(checkout)
} else {
  console.log(`${order}: nobody has begun to pay`)
  process.exitCode = 1
}
