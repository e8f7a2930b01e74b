// Receives the payment server's events.  PORT=8081 INBOX=inbox node webhook.mjs

import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'

const { PORT, INBOX, MERCHANT_WEBHOOK_SECRET = '' } = process.env
const KEY = Buffer.from(MERCHANT_WEBHOOK_SECRET.replace(/^whsec_/, ''), 'base64')
if (!PORT || !INBOX) {
  throw new Error('PORT and INBOX have to be set.')
}
if (KEY.length < 24) {
  throw new Error('MERCHANT_WEBHOOK_SECRET has fewer than 24 bytes, so anybody could sign.')
}

const OLDEST_SECONDS = 300
const LARGEST_BODY = 1_000_000
// No money came.
const NEED_NOBODY = ['ping', 'checkout.unpaid', 'checkout.expired']

// What the orders of the shop cost now, without those that it has cancelled. Replace this with your database, whose decimal
// column gives "1500.00".
const ORDERS = new Map([
  ['A-1042', { amount: '1500.00', currency: 'KES' }],
  ['INV/2026/0042', { amount: '1500.00', currency: 'KES' }],
])

mkdirSync(INBOX, { recursive: true })

const server = createServer((request, response) => void answer(request, response))
server.listen(PORT, '127.0.0.1', () => console.log('listening'))

async function answer(request, response) {
  try {
    const isShort = Number(request.headers['content-length']) <= LARGEST_BODY
    const body = isShort ? await text(request) : ''
    response.statusCode = isGenuine(request.headers, body) ? 204 : 401
    if (response.statusCode === 204) {
      take(request.headers['webhook-id'], body)
    }
  } catch (error) {
    console.error(error)
    // The server delivers the event again later.
    response.statusCode = 500
  }

  response.end()
}

function isGenuine(headers, body) {
  const { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': signatures = '' } = headers
  // A timestamp that is no number is never within the limit.
  const isRecent = Math.abs(Date.now() / 1000 - Number(time)) <= OLDEST_SECONDS
  if (!isRecent) {
    return false
  }

  // Standard Webhooks: HMAC-SHA256 over id, timestamp and the unparsed body.
  const signature = createHmac('sha256', KEY).update(`${id}.${time}.${body}`).digest('base64')
  const expected = Buffer.from(`v1,${signature}`)
  // While a secret is being replaced, the header contains one signature for each secret.
  return signatures
    .split(' ')
    .map((each) => Buffer.from(each))
    .some((each) => each.length === expected.length && timingSafeEqual(each, expected))
}

function take(id, body) {
  const { type, data } = JSON.parse(body)
  const isPaid = type === 'checkout.paid' || type === 'checkout.paid_late'
  if (!isPaid) {
    // Reversed, refunded, in part: see Events in server/README.md. Whoever ships looks for these, too.
    if (!NEED_NOBODY.includes(type)) {
      review(id, body, `${type}: look at it`)
    }

    return
  }

  // The price may have changed since the page was rendered, and an event may be about no order of yours.
  const { order, merchant_transaction_id: payment } = data
  const paid = write(data)
  const now = write(ORDERS.get(order))
  if (paid !== now) {
    review(id, body, `paid ${paid}, order ${now}: look at ${order}`)
    return
  }

  // This file marks the order as paid: no second event fulfils it. The name is a digest, because a reference may be a path,
  // or too long for a name.
  const mark = `${createHash('sha256').update(order).digest('hex')}.paid`
  if (keep(mark, payment)) {
    console.log(`fulfil ${order}: ${data.amount_paid} ${data.currency}`)
  } else if (readFileSync(`${INBOX}/${mark}`, 'utf8') !== payment) {
    review(id, body, `paid again: look at ${order}`)
  }
}

/** Keeps for a person what no program decides: a second payment goes back. A repeated event is the same file. */
function review(id, body, what) {
  if (keep(`${id}.json`, body)) {
    console.log(what)
  }
}

/** Writes an amount as a number: 1500 and 1500.00 are equal. */
function write(terms) {
  return terms ? `${Number(terms.amount)} ${terms.currency}` : 'unknown'
}

/** Stores a file in INBOX, and returns whether it is new. `link` is atomic, so INBOX has only complete files. */
function keep(name, content) {
  const draft = `${INBOX}/${name}.${process.pid}.draft`
  writeFileSync(draft, content)

  // With a database: one transaction for the event, the order and what follows, before you respond.
  try {
    linkSync(draft, `${INBOX}/${name}`)
    return true
  } catch (error) {
    if (error.code === 'EEXIST') {
      return false
    }

    throw error
  } finally {
    rmSync(draft)
  }
}
