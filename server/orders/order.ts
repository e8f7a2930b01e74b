/**
 * Defines and validates the order that a checkout pays for, and looks it up: with a function of the merchant, or with a
 * request to the merchant's backend, `GET {ORDERS_URL}/{order}`. The price comes from the merchant, never from the
 * browser.
 *
 * The element's `order` attribute contains either an order's reference or a signed order. The server's configuration
 * determines which of the two is expected.
 */

import { z } from 'zod'

import { invalid, joinProblems, refuse, refuseWithReason } from '../api/refusal.ts'
import { SplitSettlement, splitListOf } from '../contract/charge.ts'
import { exactnessRuleOf, isExactIn } from '../contract/currency.ts'
import { canonical } from '../contract/decimal.ts'
import {
  accountNumber,
  atMost,
  cleanName,
  currency,
  positive,
  firstCharacters,
  referenceKey,
  text,
  verbatim,
} from '../contract/fields.ts'
import { LONGEST } from '../contract/lengths.ts'
import { NOT_JSON, parseJson, parseUrl, safeParse } from '../contract/parse.ts'
import { isSteadyPath } from '../contract/steady-path.ts'
import { exchange } from '../http/exchange.ts'
import { findUnknownFields } from '../openapi/unknown-fields.ts'
import { maskedBeginning } from '../privacy/redactor.ts'
import { withTimeout } from '../work/clock.ts'

import type { Refusal } from '../api/refusal.ts'
import type { Secret } from '../config/secret.ts'
import type { Exchange, Fetch } from '../http/exchange.ts'
import type { Clock } from '../work/clock.ts'

/**
 * Returns the schema of an optional field. `null` is treated as absent, because databases use `null` for missing
 * values.
 */
const optional = <Schema extends z.ZodType>(schema: Schema) =>
  schema
    .nullable()
    .transform((value) => value ?? undefined)
    .optional()

/** The beginning of the names of orders that this server makes itself, of reusable links (`links/orders.ts`). */
export const LINK_ORDER_PREFIX = 'link-'

/** Returns the schema of an order's reference, as a page names it and as the merchant's look-up returns it. */
export const orderReference = (max: number) =>
  verbatim(max, 'write another text with encodeURIComponent in the tag, and decode it in "orders"')

export function isLinkOrder(reference: string): boolean {
  return referenceKey(reference).startsWith(LINK_ORDER_PREFIX)
}

/**
 * The schema of an order. `amount` is decimal text in major units of `currency`; for example, "1500" means KES 1,500.
 * If `service` is absent, the setting GATEWAY_SERVICE_CODE is used.
 */
export const Order = z
  .object(
    {
      order: orderReference(128).refine(
        (reference) => !isLinkOrder(reference),
        `must not begin with "${LINK_ORDER_PREFIX}", which only orders of links do`,
      ),
      amount: positive,
      currency,
      narration: text(LONGEST.narration),
      /** The merchant's account number at the gateway. Default: the setting GATEWAY_ACCOUNT_NUMBER. */
      account: optional(accountNumber),
      service: optional(text(LONGEST.code)),
      /**
       * The partner accounts that receive shares of the amount. An order with `splits` is sent to the gateway as a
       * charge. [spec: Split settlement flow]
       */
      splits: optional(splitListOf(SplitSettlement)),
      payer: optional(
        z.object(
          {
            name: optional(text(LONGEST.name).transform((name) => cleanName(name) || undefined)),
            email: optional(text(LONGEST.email)),
            msisdn: optional(text(LONGEST.phoneNumber)),
          },
          'must be an object',
        ),
      ),
      return_url: optional(
        atMost(z.url({ protocol: /^https?$/, error: 'must be an absolute http(s) URL' }), LONGEST.returnUrl),
      ),
    },
    'must be an object',
  )
  .superRefine(({ amount, currency }, context) => {
    if (isExactIn(currency, amount)) {
      return
    }

    context.addIssue({ code: 'custom', path: ['amount'], message: exactnessRuleOf(currency) })
  })
  .transform((order) => ({ ...order, amount: canonical(order.amount) }))
export type Order = z.output<typeof Order> & {
  /** What the payer of a reusable link chose. */
  link?: LinkChoice
}

/** What the payer of a reusable link chose. */
export interface LinkChoice {
  /** The id of the link. */
  id: string
  /** The amount of one piece. */
  amount: string
  quantity: number
  /** What the payer answered to the question of the link; absent if nothing was asked. Personal data. */
  answer?: string
}
type OrderAsGiven = z.input<typeof Order>

const SOURCES = 'pass a function "orders", or set ORDERS_URL, ORDER_SIGNING_KEY or ORDER_PUBLIC_KEYS'
/** Refuses a server with two sources of orders, or with none although no feature makes orders. */
export const ONE_SOURCE = `Orders need exactly one source: ${SOURCES}.`
/** What a server says that has no source of orders, and makes the orders of links itself. */
export const ONLY_LINKS = `There is no source of orders, so only reusable links are paid. For orders of your own, ${SOURCES}.`

/** `isNewest` is whether the merchant stated the order last, and not another version of it since. */
export type ResolvedOrder = { kind: 'order'; order: Order; isNewest: boolean }
export type Resolution = ResolvedOrder | Refusal

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

const UNKNOWN = refuse('order_unknown', 'There is no order of this reference.')

/**
 * Returns the refusal for an order that the merchant's backend did not provide. `reason` appears only in the log,
 * because the browser must not learn how the backend responds.
 */
function refuseUnavailable(reason: string): Refusal {
  const detail = 'The order cannot be looked up at the moment.'
  return refuseWithReason('orders_unavailable', detail, reason)
}

/**
 * Validates an order from the merchant. Returns the order, or a refusal that names every invalid field, and every
 * misspelt one. An order may be a row of the merchant's database, so its other fields are ignored.
 *
 * @param code The problem code of the refusal. Pass `order_invalid` for a signed order.
 */
export function readOrder(
  received: unknown,
  code: 'orders_unavailable' | 'order_invalid' = 'orders_unavailable',
): Resolution {
  const misspelt = findUnknownFields(Order, received, 'shop')
  const parsed = safeParse(Order, received)
  if (parsed.success && misspelt.length === 0) {
    return { kind: 'order', order: parsed.data, isNewest: true }
  }

  const { issues = [] } = parsed.error ?? {}
  const invalidFields = issues.map(({ path, message }) => ({ path: z.core.toDotPath(path), message }))
  const problems = [...misspelt, ...invalidFields].map(({ path, message }) => `${path || 'it'} ${message}`)
  const problem = `The merchant's order cannot be used: ${joinProblems(problems)}.`
  return code === 'order_invalid' ? refuse(code, problem) : refuseUnavailable(problem)
}

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

/**
 * An order from the merchant's function. Amounts are text, or numbers that floating point represents exactly, such as
 * 1500.
 */
export type OrderInput = Omit<OrderAsGiven, 'amount' | 'splits'> & {
  /** A whole number of major units of the currency. */
  amount: string | number
  /** Shares of the amount for partner accounts. */
  splits?: Split[] | null
}

interface Split {
  /** The number of the partner account. */
  account: string
  /** Major units of the order's currency. */
  amount: string | number
  /** What the share is for. */
  reason: string
}

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
