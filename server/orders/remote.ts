/** Finds orders with a request to the merchant's backend: `GET {ORDERS_URL}/{order}`. */

import type { Clock } from '../clock.ts'
import type { Secret } from '../config/secret.ts'
import type { Fetch } from '../exchange.ts'
import type { ResolveOrder } from './order.ts'
import { exchange } from '../exchange.ts'
import { parseJson } from '../json.ts'
import { refuse } from '../refusal.ts'
import { readOrder, refuseUnavailable, UNKNOWN } from './order.ts'

const DEADLINE_MS = 5_000
const MAX_ANSWER_BYTES = 64_000
const UNANSWERED = {
  timeout: `did not respond within ${DEADLINE_MS / 1000} seconds`,
  unreachable: 'cannot be reached',
  too_large: `responded with more than ${MAX_ANSWER_BYTES / 1000} kB`,
} as const

interface RemoteOrders {
  url: string
  token: Secret
  fetch: Fetch
  clock: Clock
}

/**
 * Returns a function that requests an order from the merchant's backend. The response status 404 means that the order
 * is unknown, and 409 that the order can no longer be paid. After any other failure, the shopper may try again later.
 */
export function ordersByUrl({ url, token, fetch, clock }: RemoteOrders): ResolveOrder {
  return async (reference) => {
    if (!isPathSegment(reference)) return UNKNOWN
    const answer = await exchange(fetch, clock, {
      method: 'GET',
      url: `${url}/${encodeURIComponent(reference)}`,
      headers: { accept: 'application/json', authorization: `Bearer ${token.reveal()}` },
      deadlineMs: DEADLINE_MS,
      maxAnswerBytes: MAX_ANSWER_BYTES,
    })
    if (answer.kind !== 'answer')
      return refuseUnavailable(
        `The shop could not be asked about the order: ORDERS_URL ${UNANSWERED[answer.kind]}.`,
      )
    if (answer.status === 404) return UNKNOWN
    if (answer.status === 409) return refuse('order_not_payable', 'This order can no longer be paid.')
    if (answer.status !== 200)
      return refuseUnavailable(`The shop answered HTTP ${answer.status} about the order.`)
    const found = parseJson(answer.text)
    if (found === undefined) return refuseUnavailable('The shop answered with text that is not JSON.')
    return readOrder(found)
  }
}

/**
 * Returns whether the reference is a single segment of a URL path, even if a backend or a proxy decodes the path twice.
 * Lone surrogates are refused, because URLs cannot contain them.
 */
function isPathSegment(reference: string): boolean {
  return !/[/\\\p{Cc}\p{Surrogate}]|%(25)*(2f|5c)|^(\.|%(25)*2e)+$/iu.test(reference)
}
