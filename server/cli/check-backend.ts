/**
 * The part of the command `check` that asks the merchant's backend: ORDERS_URL about an order that does not exist, and
 * MERCHANT_WEBHOOK_URL to accept a forged event. Neither request changes anything in a backend that does what it should.
 */

import { createHmac } from 'node:crypto'
import type { Config } from '../config.ts'
import type { Finding } from './finding.ts'
import type { Shell } from './shell.ts'
import type { Exchange } from '../exchange.ts'
import { exchange } from '../exchange.ts'
import { systemRandomness } from '../randomness.ts'
import { fine, note, problem } from './finding.ts'

const DEADLINE_MS = 8_000
const MAX_RESPONSE_BYTES = 64_000
const LIMITS = { deadlineMs: DEADLINE_MS, maxAnswerBytes: MAX_RESPONSE_BYTES }

/** Checks whether ORDERS_URL accepts ORDERS_TOKEN. A backend that does responds with 404 about an unknown reference. */
export async function checkOrders(shell: Shell, config: Config): Promise<Finding> {
  const what = 'orders'
  const { orders } = config
  if (!orders)
    return note(
      what,
      'None of ORDERS_URL, ORDER_SIGNING_KEY and ORDER_PUBLIC_KEYS is set: pass the function "orders" to embed, start or createApp.',
    )
  if (orders.kind === 'signed') return fine(what, 'Orders are signed.')
  const url = `${orders.url}/check-${systemRandomness.uuid()}`
  const response = await exchange(shell.fetchFor(config), shell.clock, {
    method: 'GET',
    url,
    headers: { accept: 'application/json', authorization: `Bearer ${orders.token.reveal()}` },
    ...LIMITS,
  })
  if (response.kind !== 'answer') return problem(what, `ORDERS_URL ${unansweredBy(response)}`)
  const { status } = response
  if (status === 404) return fine(what, 'ORDERS_URL was asked about an order that does not exist: HTTP 404.')
  if (status === 401 || status === 403)
    return problem(
      what,
      `ORDERS_URL responds with HTTP ${status}: it does not accept ORDERS_TOKEN, or does not receive the header Authorization.`,
    )
  return problem(
    what,
    `ORDERS_URL responds with HTTP ${status}, and must respond with 404, about an order that does not exist.`,
  )
}

/** Checks whether MERCHANT_WEBHOOK_URL refuses an event that is signed with an empty key, as anybody can. */
export async function checkWebhook(shell: Shell, config: Config): Promise<Finding> {
  const what = 'events'
  const { webhook } = config
  if (!webhook)
    return note(
      what,
      'MERCHANT_WEBHOOK_URL is not set: "serve" tells nobody of a payment. Only onEvent, in a server of your own, receives events without it.',
    )
  const id = `check-${systemRandomness.uuid()}`
  const now = shell.clock.now()
  const time = String(Math.floor(now / 1000))
  // No type of event that this server sends, so that a backend that accepts it fulfils nothing.
  const body = JSON.stringify({ type: 'check.forged', timestamp: new Date(now).toISOString(), data: {} })
  const signature = createHmac('sha256', '').update(`${id}.${time}.${body}`).digest('base64')
  const response = await exchange(shell.fetchFor(config), shell.clock, {
    method: 'POST',
    url: webhook.url,
    headers: {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': time,
      'webhook-signature': `v1,${signature}`,
    },
    body,
    ...LIMITS,
  })
  if (response.kind !== 'answer') return problem(what, `MERCHANT_WEBHOOK_URL ${unansweredBy(response)}`)
  const { status } = response
  if (status >= 200 && status <= 299)
    return problem(
      what,
      `MERCHANT_WEBHOOK_URL accepted a forged event with HTTP ${status}: anybody can tell it that an order is paid, or it is another page. Verify the signature, and refuse an empty MERCHANT_WEBHOOK_SECRET.`,
    )
  if ([400, 401, 403, 422].includes(status))
    return fine(what, `MERCHANT_WEBHOOK_URL refuses a forged event: HTTP ${status}.`)
  return problem(
    what,
    `MERCHANT_WEBHOOK_URL responds to a forged event with HTTP ${status}, and must respond with 401.`,
  )
}

function unansweredBy({ kind }: Exclude<Exchange, { kind: 'answer' }>): string {
  switch (kind) {
    case 'timeout':
      return `did not respond within ${DEADLINE_MS / 1000} seconds.`
    case 'unreachable':
      return 'cannot be reached from this machine. Is your backend running?'
    case 'too_large':
      return 'responds with more than 64 kB: it is another page.'
  }
}
