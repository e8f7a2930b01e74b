/**
 * Declares `POST /checkout/initiate`, which starts a checkout, and `GET /checkout/status/{checkout_id}`, which returns
 * the view of a checkout.
 */

import type { Context, Hono } from 'hono'
import type { Checkout } from '../checkouts/record.ts'
import type { Visit } from '../checkouts/visit.ts'
import type { Order } from '../orders/order.ts'
import type { Transaction } from '../store.ts'
import type { RouteDeps } from './route.ts'
import { z } from 'zod'
import { describeFields, text } from '../api/field.ts'
import { CheckoutViewSchema } from '../api/view-schema.ts'
import { readCheckout } from '../checkouts/record.ts'
import { pollPauseMs } from '../checkouts/kind.ts'
import { promptMethods } from '../checkouts/prompt.ts'
import { serializeView, viewOf } from '../checkouts/view.ts'
import { digestOrder } from '../checkouts/visit.ts'
import { atMost, orRequired } from '../contract/fields.ts'
import { parseUrl } from '../contract/parse-url.ts'
import { checkoutHeaders, setHeaders } from './headers.ts'
import { isAllowedOrigin, isAllowedReturn } from './origin.ts'
import { orProblem, ProblemError, problemOf } from './problem.ts'
import { json, parsedBody, route } from './route.ts'
import { lookUpOrder, promptRequest, startOnce } from './start-limits.ts'

/** Returns the schema of an optional form field with at most `max` characters. An empty field counts as absent. */
const given = (max: number) =>
  atMost(z.string({ error: 'must be text' }).trim(), max)
    .optional()
    .transform((value) => value || undefined)

/** The schema of the element's attribute `order`, which contains either the reference of an order or a signed order. */
export const OrderText = atMost(
  z
    .string(orRequired('must be text'))
    .trim()
    .refine((value) => value !== '', 'must not be blank')
    .meta({ minLength: 1 }),
  4_000,
)

/** A digit as Arabic and Persian keyboards write it. The last four bits are its value. */
const ARABIC_DIGIT = /[\u0660-\u0669\u06f0-\u06f9]/g
const toLatin = (digit: string) => String(digit.charCodeAt(0) % 16)

const InitiateForm = describeFields(
  {
    order: OrderText,
    payer_name: given(100),
    payer_email: given(100),
    payer_msisdn: given(25).transform((number) => number?.replace(ARABIC_DIGIT, toLatin)),
    country: given(35),
    return_url: given(2_000),
    launch: z.enum(['redirect', 'popup'], 'must be redirect or popup').default('redirect'),
    method: z.enum(['page', 'prompt'], 'must be page or prompt').default('page'),
    payment_method_code: given(32),
    lang: given(35),
  },
  {
    order: [
      'The order: a reference or a signed order, as the configuration says. 1–4000 characters.',
      'demo-1500-kangas',
    ],
    payer_name: [
      'Name of the payer. At most 100 characters. Required unless the order names the payer.',
      'Asha Otieno',
    ],
    payer_email: [
      'E-mail address of the payer. At most 100 characters. Required unless the order names it.',
      'asha@example.com',
    ],
    payer_msisdn: [
      'Phone number of the payer. At most 25 characters. A national number is completed by country. Required unless the order names it.',
      '0700000001',
    ],
    country: [
      'Country that completes a national phone number, ISO 3166-1 alpha-2. Default, also for an unknown one: DEFAULT_COUNTRY.',
      'KE',
    ],
    return_url: [
      'Where the shopper returns to. At most 2000 characters; RETURN_URLS must cover it.',
      'https://shop.example/thanks',
    ],
    launch: ['How the hosted page is opened.'],
    method: [
      "How the shopper pays: on the hosted page, or by a prompt on the payer's phone. Without an operator for the currency in GATEWAY_CHARGE_METHODS, a prompt becomes a hosted page.",
    ],
    payment_method_code: [
      'Operator that sends the prompt, one of GATEWAY_CHARGE_METHODS. At most 32 characters. Default: by the phone number, otherwise the first.',
      'MOMO_KEN',
    ],
    lang: ['Language of the pages of this server, BCP 47. At most 35 characters.', 'sw'],
  },
  'must be an object',
).meta({ ref: 'InitiateRequest', description: 'A checkout of an order.' })

/**
 * Returns the visit of an initiate request. A visit records how the shopper opens the hosted page, and to which page
 * the shopper returns.
 */
function visitOf(
  { launch, return_url, lang }: z.output<typeof InitiateForm>,
  order: Order,
  origin: string | null,
): Omit<Visit, 'texts'> {
  return {
    launch,
    return_url: order.return_url ?? return_url ?? null,
    is_order_url: order.return_url !== undefined,
    links: [],
    origin,
    lang: lang ?? null,
  }
}

/** The path parameter of every route about a single checkout. */
export const CheckoutPath = describeFields(
  { checkout_id: text },
  { checkout_id: ['Id of the checkout. Whoever knows it may read the view.', 'pZ0R4uXbTn2vM8kQwY6sLg'] },
)

export function declareCheckout(app: Hono, deps: RouteDeps): void {
  declareInitiate(app, deps)
  declareStatus(app, deps)
}

function declareInitiate(app: Hono, deps: RouteDeps): void {
  const { config, identifyOrder, initiate, clock, limiter, clientNetwork } = deps

  route(app, 'POST', '/checkout/initiate', {
    id: 'initiateCheckout',
    tag: 'Checkout',
    summary: 'Create the checkout of an order, or retrieve the existing one',
    description:
      'Answers with the view to Accept: application/json, otherwise with a redirect to the hosted page. ALLOWED_ORIGINS must name the origin of the page.',
    body: parsedBody(clock, {
      schema: InitiateForm,
      example: {
        order: 'demo-1500-kangas',
        payer_name: 'Asha Otieno',
        payer_email: 'asha@example.com',
        payer_msisdn: '0700000001',
      },
    }),
    answers: [
      json(201, 'The checkout was created.', CheckoutViewSchema),
      json(200, 'A checkout of the same order existed.', CheckoutViewSchema),
      { status: 303, description: 'A redirect to the hosted page, for a plain form.' },
    ],
    problems: INITIATE_PROBLEMS,
    handle: async ({ c, body }) => {
      const origin = c.req.header('origin') ?? null
      if (!isAllowedOrigin(origin, config.publicUrl, config.allowedOrigins)) {
        throw new ProblemError('origin_not_allowed', `ALLOWED_ORIGINS does not name ${origin}.`)
      }
      const network = clientNetwork(c)
      const refused = limiter.findRefusal('orders', network)
      if (refused) throw problemOf(refused)
      const form = await body()
      if (form.return_url && !isAllowedReturn(form.return_url, config.returnUrls)) {
        const page = parseUrl(form.return_url)?.origin ?? 'no host'
        throw new ProblemError(
          'return_url_not_allowed',
          `Neither RETURN_URLS nor, without it, ALLOWED_ORIGINS covers this return_url on ${page}.`,
        )
      }
      const order = await lookUpOrder(form.order, network, deps)
      const payer = {
        name: form.payer_name,
        email: form.payer_email,
        msisdn: form.payer_msisdn,
        country: form.country?.toUpperCase(),
      }
      const texts = identifyOrder ? [] : [digestOrder(form.order)]
      const visit = { ...visitOf(form, order, origin), texts }
      const isPrompt = form.method === 'prompt'
      const prompt = isPrompt ? promptRequest(form.payment_method_code, deps) : null
      const start = () => initiate(order, { payer, visit, prompt })
      const started = await startOnce(start, { order, payer, network }, deps)
      const { kind, checkout } = orProblem(started)
      const now = clock.now()
      const view = viewOf(checkout, now)
      if (isPrompt)
        view.prompt ??= {
          method: null,
          methods: promptMethods(config.charges, checkout.record.requested.currency),
        }
      const headers = checkoutHeaders(c, config.allowedOrigins)
      headers['cache-control'] = 'no-store'
      if (!view.settled) headers['retry-after'] = wait(checkout, now)
      if (wantsJson(c)) return answerJson(JSON.stringify(view), kind === 'created' ? 201 : 200, headers)
      setHeaders(c, headers)
      return c.redirect(view.redirect_url ?? `${config.publicUrl}/checkout/return/${view.checkout_id}`, 303)
    },
  })
}

function declareStatus(app: Hono, deps: RouteDeps): void {
  const { config, synchronizer, clock } = deps

  route(app, 'GET', '/checkout/status/:checkout_id', {
    id: 'retrieveCheckoutStatus',
    tag: 'Checkout',
    summary: 'Retrieve the view of a checkout, as its shopper',
    description:
      'Retry-After says when to ask again, in seconds. With If-None-Match the answer is 304 while the version is the same.',
    params: CheckoutPath,
    answers: [
      json(200, 'The view. Its version is the ETag.', CheckoutViewSchema),
      { status: 304, description: 'The version is the same.' },
    ],
    problems: ['unknown_checkout', 'store_unavailable', 'too_many_requests'],
    handle: async ({ c, params }) => {
      const checkout = checkoutIn(await synchronizer.synchronizeWithin(params.checkout_id, 'poll'), c, deps)
      const now = clock.now()
      const { settled, text } = serializeView(checkout, now)
      const etag = `"${checkout.version}"`
      const headers = checkoutHeaders(c, config.allowedOrigins)
      headers['etag'] = etag
      headers['cache-control'] = 'no-cache'
      if (!settled) headers['retry-after'] = wait(checkout, now)
      // A proxy that compresses the response adds the prefix W/ to the ETag.
      if (c.req.header('if-none-match')?.includes(etag)) return new Response(null, { status: 304, headers })
      return answerJson(text, 200, headers)
    },
  })
}

const INITIATE_PROBLEMS = [
  'origin_not_allowed',
  'return_url_not_allowed',
  'order_unknown',
  'order_invalid',
  'order_expired',
  'order_not_payable',
  'order_changed',
  'charges_off',
  'orders_unavailable',
  'amount_not_whole',
  'currency_not_supported',
  'gateway_refused',
  'gateway_contradiction',
  'gateway_unavailable',
  'store_unavailable',
  'too_many_requests',
] as const

/**
 * Converts the row that a shopper's request names into a checkout. Requests for existing checkouts are never limited,
 * because a shopper may share an address with somebody who guesses ids.
 *
 * @throws {ProblemError} `unknown_checkout` if there is no row, or the row is not a checkout; `too_many_requests`
 * instead after too many such requests from the same network.
 */
export function checkoutIn(
  row: Transaction | null,
  c: Context,
  { limiter, clientNetwork }: Pick<RouteDeps, 'limiter' | 'clientNetwork'>,
): Checkout {
  if (row?.kind === 'checkout') return readCheckout(row)
  const refused = limiter.take('checkouts', clientNetwork(c))
  throw refused ? problemOf(refused) : new ProblemError('unknown_checkout', 'No checkout has this id.')
}

function answerJson(text: string, status: number, headers: Record<string, string>): Response {
  headers['content-type'] = 'application/json'
  return new Response(text, { status, headers })
}

/** Returns the value of the `Retry-After` header: the seconds until the page should poll again. */
export function wait(checkout: Checkout, now: number): string {
  return String(Math.ceil(pollPauseMs(checkout, now) / 1000))
}

export function wantsJson(c: Context): boolean {
  return c.req.header('accept')?.includes('application/json') ?? false
}
