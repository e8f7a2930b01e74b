// Signs an order and prints the tag for your page, so that no browser can change the price.  node order.mjs A-1042

import { createHmac } from 'node:crypto'

const { PUBLIC_URL, ORDER_SIGNING_KEY } = process.env
if (!PUBLIC_URL) {
  throw new Error('PUBLIC_URL is not set.')
}
if (!ORDER_SIGNING_KEY) {
  throw new Error('ORDER_SIGNING_KEY is not set.')
}

// As the payment server reads it: without slashes at the end.
const server = PUBLIC_URL.replace(/\/+$/, '')

const LIFETIME_SECONDS = 3600

const [reference] = process.argv.slice(2)
const now = Math.floor(Date.now() / 1000)

// The price comes from your database, as decimal text in whole units: "1500" is KES 1,500.00. So does the reference, as it
// is stored there. Find it by text: an integer column finds 1042 for "01042", and each spelling could be paid.
const order = { order: reference, amount: '1500', currency: 'KES', narration: 'Two kangas' }

const header = { alg: 'HS256' }
const claims = { ...order, aud: server, iat: now, exp: now + LIFETIME_SECONDS }
const signed = `${encode(header)}.${encode(claims)}`
const signature = createHmac('sha256', ORDER_SIGNING_KEY).update(signed).digest('base64url')

console.log(`<gateway-checkout order="${signed}.${signature}"></gateway-checkout>`)

function encode(part) {
  return Buffer.from(JSON.stringify(part)).toString('base64url')
}
