/**
 * Where orders come from: a function of the merchant, or the merchant's backend, which answers `GET
 * {ORDERS_URL}/{order}`. Orders that the merchant signs are in `signed.ts`.
 *
 * The element's `order` attribute contains either an order's reference or a signed order. The server's configuration
 * determines which of the two is expected.
 */

import { invalid, refuse } from '../api/refusal.ts'
import { referenceKey } from '../contract/comparison-keys.ts'
import { NOT_JSON, parseJson, parseUrl } from '../contract/parse.ts'
import { isSteadyPath } from '../contract/steady-path.ts'
import { firstCharacters } from '../contract/text.ts'
import { exchange } from '../http/exchange.ts'
import { maskedBeginning } from '../privacy/redactor.ts'
import { withTimeout } from '../work/clock.ts'
import { readOrder, refuseUnavailable } from './order.ts'

import type { Secret } from '../config/secret.ts'
import type { Exchange, Fetch } from '../http/exchange.ts'
import type { Clock } from '../work/clock.ts'
import type { OrderInput, Resolution } from './order.ts'

const SOURCES = 'pass a function "orders", or set ORDERS_URL, ORDER_SIGNING_KEY or ORDER_PUBLIC_KEYS'
/** Refuses a server with two sources of orders, or with none although no feature makes orders. */
export const ONE_SOURCE = `Orders need exactly one source: ${SOURCES}.`
/** What a server says that has no source of orders, and makes the orders of links itself. */
export const ONLY_LINKS = `There is no source of orders, so only reusable links are paid. For orders of your own, ${SOURCES}.`

/**
 * Resolves with the order that the value of the element's `order` attribute identifies, or with a refusal. Called each
 * time a shopper starts a checkout.
 */
export type ResolveOrder = (order: string) => Promise<Resolution>

/**
 * Resolves with the reference of a signed order; `null` if the text is not a valid signed order. An expired order
 * counts as valid, because a shopper may return from the hosted page after the order has expired.
 */
export type IdentifyOrder = (order: string) => Promise<string | null>

/**
 * The merchant's function that finds an order by its reference. Returns `null` or `undefined` if the order is unknown.
 * A returned field that an order does not have is a type error, and a misspelt one is refused without TypeScript, too.
 */
export type FindOrder<Given extends Found = Found> = (reference: string) => Given & Exactly<Given, OrderInput>
export type Found = OrderInput | null | undefined | Promise<OrderInput | null | undefined>
type Exactly<Given, Shape> =
  Given extends Promise<infer Value>
    ? Promise<Exactly<Value, Shape>>
    : {
        [Name in keyof Given]: Name extends keyof Shape
          ? Exactly<Given[Name], NonNullable<Shape[Name]>>
          : never
      }

const UNKNOWN = refuse('order_unknown', 'There is no order of this reference.')

/** The time within which the merchant's function must return, in milliseconds. */
const DEADLINE_MS = 10_000

export function ordersByFunction(find: FindOrder, clock: Clock): ResolveOrder {
  const late = new Error(`it did not return within ${DEADLINE_MS / 1000} seconds`)
  return async (reference) => {
    try {
      const found = await withTimeout(DEADLINE_MS, clock, () => find(reference), late)
      return found ? readOrder(found) : UNKNOWN
    } catch (error) {
      return refuseUnavailable(`The function for orders failed: ${describeThrown(error)}`)
    }
  }
}

/** Describes what the merchant's function has thrown, and where. Values in it are masked: they may be personal. */
function describeThrown(error: unknown): string {
  if (!(error instanceof Error)) {
    return maskedBeginning(String(error)) ?? 'it threw nothing.'
  }

  const [, place] = /\n\s+(at .+)/.exec(error.stack ?? '') ?? []
  return [maskedBeginning(`${error.name}: ${error.message}`), place].filter(Boolean).join(', ')
}

/** The time within which ORDERS_URL must answer, in milliseconds. */
const ANSWER_DEADLINE_MS = 5_000
const MAX_ANSWER_BYTES = 64_000
/** The maximum number of characters of an address that a cure shows. */
const MAX_SHOWN = 200
/** The maximum number of characters of a reference that are logged. */
const MAX_LOGGED = 128

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
    const problem = findPathProblem(reference)
    if (problem !== null) {
      return invalid([{ path: 'order', message: problem }])
    }

    const address = addressOfOrder(url, reference)
    const answer = await exchange(fetch, clock, {
      method: 'GET',
      url: address,
      headers: { accept: 'application/json', authorization: `Bearer ${token.reveal()}` },
      deadlineMs: ANSWER_DEADLINE_MS,
      maxAnswerBytes: MAX_ANSWER_BYTES,
    })
    const order = `the order ${quoted(reference)}`
    const failure = `The shop could not be asked about ${order}: ORDERS_URL ${answer.summary}`
    if (answer.kind !== 'answer') {
      const isFailure = answer.status !== null && answer.status >= 400
      return refuseUnavailable(`${failure}${isFailure ? cureOf(answer, address) : '.'}`)
    }

    if (answer.status === 404) {
      return UNKNOWN
    }

    if (answer.status === 409) {
      return refuse('order_not_payable', 'This order can no longer be paid.')
    }
    // A page of a backend in debug mode shows the request and its token in any encoding, and is in the backend's own log.
    if (answer.status !== 200) {
      return refuseUnavailable(`${failure}${cureOf(answer, address)}`)
    }

    const json = parseJson(answer.text)
    if (json !== undefined) {
      return refuseOther(readOrder(json), reference)
    }

    const body = answer.text.trim() === '' ? 'an empty body.' : `text that ${NOT_JSON}: look at its log.`
    return refuseUnavailable(`The shop answered about ${order} with ${body}`)
  }
}

/** Refuses an order of another reference. */
function refuseOther(resolution: Resolution, reference: string): Resolution {
  if (resolution.kind === 'refused') {
    return resolution
  }

  const { order } = resolution.order
  if (referenceKey(order) === referenceKey(reference)) {
    return resolution
  }

  return refuseUnavailable(
    `The shop was asked about the order ${quoted(reference)}, and ORDERS_URL answered with another one, ${quoted(order)}: return the order whose reference is the last part of the path.`,
  )
}

function quoted(reference: string): string {
  return JSON.stringify(firstCharacters(reference, MAX_LOGGED))
}

/** Returns the address at which the merchant's backend is asked about an order. */
export function addressOfOrder(url: string, reference: string): string {
  return `${url}/${encodeURIComponent(reference)}`
}

/** Says what the merchant can do about an answer of ORDERS_URL that has no order. `address` was asked. */
export function cureOf(answer: Exchange, address: string): string {
  const { status } = answer

  if (status === 401 || status === 403) {
    return ': does it have the same ORDERS_TOKEN, and does it receive the header Authorization?'
  }

  const isRedirect = status !== null && status >= 300 && status <= 399
  if (answer.kind === 'answer' && isRedirect) {
    return cureOfRedirect(answer.headers?.get('location') ?? '', address)
  }

  return ': look at its log.'
}

/** ORDERS_URL can only lead to addresses that end with a slash and the reference. */
function cureOfRedirect(location: string, address: string): string {
  const end = address.slice(address.lastIndexOf('/'))
  const target = parseUrl(location, address)
  const place = target ? target.origin + target.pathname : ''
  if (place.endsWith(end)) {
    return `: set ORDERS_URL to ${firstCharacters(place.slice(0, -end.length), MAX_SHOWN)}.`
  }
  return `. No ORDERS_URL leads there, because it ends before the reference: the shop has to answer at ${firstCharacters(address, MAX_SHOWN)} itself, without a slash at the end, and without a login.`
}

/**
 * Returns why a reference cannot be asked about; `null` if it can. Its slashes are encoded, and a backend or a proxy may
 * decode the path, even twice: the path must then still lead to an order, and to no other place.
 */
function findPathProblem(reference: string): string | null {
  // Some servers leave out what follows a semicolon.
  const hasEmptyPart = reference.split('/').some((segment) => segment === '' || segment.startsWith(';'))
  return hasEmptyPart || !isSteadyPath(reference)
    ? 'must have no slash at an end or beside another one, no "." or ".." alone between slashes or before ";", "?" or "#", and no backslash or encoded slash, however it is encoded, because ORDERS_URL is asked for it as a path'
    : null
}
