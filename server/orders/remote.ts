/** Finds orders with a request to the merchant's backend: `GET {ORDERS_URL}/{order}`. */

import type { Clock } from '../work/clock.ts'
import type { Secret } from '../config/secret.ts'
import type { Fetch } from '../http/exchange.ts'
import type { Resolution, ResolveOrder } from './order.ts'
import { exchange } from '../http/exchange.ts'
import { readOrder, refuseUnavailable, UNKNOWN } from './order.ts'
import { maskedBeginning } from '../privacy/redactor.ts'
import { refuse } from '../api/refusal.ts'
import { parseJson } from '../contract/parse.ts'
import { firstCharacters, lookAlikeForm } from '../contract/text.ts'

const DEADLINE_MS = 5_000
const MAX_ANSWER_BYTES = 64_000
/** The maximum number of characters of a reference that are logged. */
const MOST_LOGGED = 128

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
    const order = `the order ${JSON.stringify(firstCharacters(reference, MOST_LOGGED))}`
    const failure = `The shop could not be asked about ${order}: ORDERS_URL ${answer.summary}`
    if (answer.kind !== 'answer') return refuseUnavailable(`${failure}.`)
    if (answer.status === 404) return UNKNOWN
    if (answer.status === 409) return refuse('order_not_payable', 'This order can no longer be paid.')
    const beginning = maskedBeginning(answer.text)
    if (answer.status !== 200) {
      const begins = beginning === null ? '' : ` It begins: ${beginning}`
      return refuseUnavailable(`${failure}${cureOf(answer.status)}${begins}`)
    }
    const found = parseJson(answer.text)
    if (found !== undefined) return refuseOther(readOrder(found), reference)
    const what = beginning === null ? 'an empty body.' : `text that is not JSON. It begins: ${beginning}`
    return refuseUnavailable(`The shop answered about ${order} with ${what}`)
  }
}

/** Refuses an order of another reference, unless a database may have found it as the same in another spelling. */
function refuseOther(resolution: Resolution, asked: string): Resolution {
  if (resolution.kind === 'refused') return resolution
  const { order } = resolution.order
  if (lookAlikeForm(order) === lookAlikeForm(asked)) return resolution
  const [one, other] = [asked, order].map((text) => JSON.stringify(firstCharacters(text, MOST_LOGGED)))
  return refuseUnavailable(
    `The shop was asked about the order ${one}, and ORDERS_URL answered with another one, ${other}: return the order whose reference is the last part of the path.`,
  )
}

function cureOf(status: number): string {
  if (status === 401 || status === 403)
    return ': does it have the same ORDERS_TOKEN, and does it receive the header Authorization?'
  return status >= 300 && status <= 399 ? ': set ORDERS_URL to where it leads.' : ': look at its log.'
}

/**
 * Returns whether the reference is a single segment of a URL path, even if a backend or a proxy decodes the path twice.
 * U+FFFD is refused, which replaces what could not be read, and half a surrogate pair, of which there is no URL.
 */
function isPathSegment(reference: string): boolean {
  return !/[/\\\p{Cc}\p{Surrogate}\ufffd]|%(25)*(2f|5c)|^(\.|%(25)*2e)+$/iu.test(reference)
}
