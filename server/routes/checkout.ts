/**
 * Declares the routes about one checkout, for its shopper: `GET /checkout/status/{checkout_id}` returns the view,
 * `GET /checkout/return/{checkout_id}` is where the hosted page sends the shopper, and `POST /checkout/resume` returns
 * the view to the page to which the shopper has returned.
 */

import type { Context, Hono } from 'hono'
import type { Checkout } from '../checkouts/record.ts'
import type { Transaction } from '../store/store.ts'
import type { Frame } from './pages.tsx'
import type { RouteDeps } from './route.ts'
import { readCheckout } from '../checkouts/record.ts'
import { answerPage, outcomePage } from './pages.tsx'
import { json, page, parsedBody, route, isJson } from './route.ts'
import { z } from 'zod'
import { field, text } from '../contract/description.ts'
import { refuse } from '../api/refusal.ts'
import { CheckoutViewSchema } from '../api/view-schema.ts'
import { pollPauseMs } from '../checkouts/kind.ts'
import { serializeView, viewOf } from '../checkouts/view.ts'
import { digestOrder } from '../checkouts/visit.ts'
import { findOwn } from '../transactions/record.ts'
import { atMost, orRequired } from '../contract/fields.ts'
import { checkoutHeaders } from './headers.ts'
import { isAllowedReturn } from './allowed-urls.ts'
import { ProblemError } from './problem.ts'

/** The schema of the element's attribute `order`, which contains either the reference of an order or a signed order. */
export const OrderText = field(
  atMost(
    z
      .string(orRequired('must be text'))
      .trim()
      .refine((value) => value !== '', 'must not be blank')
      .meta({ minLength: 1 }),
    4_000,
  ),
  'The order: a reference or a signed order, as the configuration says. 1–4000 characters.',
  'demo-1500-kangas',
)

/** The path parameter of every route about a single checkout. */
export const CheckoutPath = z.object({
  checkout_id: text('Id of the checkout. Whoever knows it may read the view.', 'pZ0R4uXbTn2vM8kQwY6sLg'),
})

export function declareReturns(app: Hono, deps: RouteDeps): void {
  declareReturn(app, deps)
  declareResume(app, deps)
}

export function declareStatus(app: Hono, deps: RouteDeps): void {
  const { config, synchronizer, clock } = deps

  route(app, 'GET', '/checkout/status/:checkout_id', {
    id: 'retrieveCheckoutStatus',
    tag: 'Checkout',
    summary: 'Retrieve the view of a checkout, as its shopper',
    description:
      'Retry-After says when to ask again, in seconds. With If-None-Match the answer is 304 while the view is the same.',
    params: CheckoutPath,
    answers: [
      json(200, 'The view.', CheckoutViewSchema),
      { status: 304, description: 'The view is the same, apart from server_time.' },
    ],
    problems: ['unknown_checkout', 'store_unavailable', 'too_many_requests'],
    handle: async ({ c, params }) => {
      const checkout = checkoutIn(await synchronizer.synchronizeWithin(params.checkout_id, 'poll'), c, deps)
      const now = clock.now()
      const { settled, etag, text } = serializeView(checkout, now)
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

/**
 * The path identifies the checkout, whose status is queried at the gateway. Query parameters are ignored. [assumed] The
 * gateway may append a status to the URL, or nothing.
 */
function declareReturn(app: Hono, deps: RouteDeps): void {
  const { config, synchronizer, clock } = deps

  route(app, 'GET', '/checkout/return/:checkout_id', {
    id: 'returnFromHostedPage',
    tag: 'Checkout',
    summary: 'Return a shopper from the hosted page',
    params: CheckoutPath,
    answers: [
      {
        status: 303,
        description: "A redirect to the merchant's page with #gateway-checkout={checkout_id}.",
      },
      page('A page with the outcome. In a pop-up it closes itself.'),
    ],
    problems: ['unknown_checkout', 'store_unavailable', 'too_many_requests'],
    handle: async ({ c, params }) => {
      const row = await synchronizer.synchronizeWithin(params.checkout_id, 'returned')
      const checkout = checkoutIn(row, c, deps)
      const { visit } = checkout.record
      const back = visit.return_url === null ? null : backTo(visit.return_url, checkout.id)
      c.header('cache-control', 'no-store')
      c.header('referrer-policy', 'no-referrer')
      if (visit.launch === 'redirect' && back) return c.redirect(back, 303)

      const view = viewOf(checkout, clock.now())
      const opener = visit.launch === 'popup' ? visit.origin : null
      const known = back ? [back] : visit.links.map((url) => backTo(url, checkout.id))
      // Where the requests named no page to return to, the front page of the shop is shown.
      const front = [`${visit.origin}/`].filter((url) => isAllowedReturn(url, config.returnUrls))
      const links = known.length > 0 ? known : front
      const render = (frame: Frame) => outcomePage(frame, { view, links, opener })
      return answerPage(c, deps, { render, requested: visit.lang })
    },
  })
}

/**
 * Returns `returnUrl` with the checkout id in the fragment, after the route of a hash router. The widget on the merchant's
 * page reads the id from the fragment.
 */
function backTo(returnUrl: string, checkoutId: string): string {
  const url = new URL(returnUrl)
  const route = url.hash.replace(/[#&]gateway-checkout=[^&]*$/, '')
  url.hash = `${route}${route && '&'}gateway-checkout=${checkoutId}`
  return url.href
}

const ResumeForm = z
  .object(
    {
      order: OrderText,
      checkout_id: field(
        atMost(z.string(orRequired('must be text')), 100),
        "The checkout id of the URL's fragment. At most 100 characters.",
        'pZ0R4uXbTn2vM8kQwY6sLg',
      ),
    },
    'must be an object',
  )
  .meta({ id: 'ResumeRequest', description: 'A checkout with which a shopper returned.' })

/**
 * The widget reads the checkout id from the fragment of the page's URL. Anybody can write an id into a link, so the
 * widget also sends the element's attribute `order`, and the view is returned only if the checkout belongs to it.
 */
function declareResume(app: Hono, deps: RouteDeps): void {
  const { synchronizer, identifyOrder, clock } = deps

  route(app, 'POST', '/checkout/resume', {
    id: 'resumeCheckout',
    tag: 'Checkout',
    summary: 'Retrieve the checkout with which a shopper returned, if it belongs to the order',
    description:
      'A checkout belongs to the order texts that started it, and to signed orders of its reference, also to expired ones.',
    body: parsedBody(clock, { schema: ResumeForm }),
    answers: [json(200, 'The view.', CheckoutViewSchema)],
    problems: ['unknown_checkout', 'store_unavailable', 'too_many_requests'],
    handle: async ({ c, body }) => {
      const { order, checkout_id } = await body()
      const found = checkoutIn(await findOwn(deps, checkout_id), c, deps)
      const row = (await isOf(found, order, identifyOrder))
        ? await synchronizer.synchronizeWithin(checkout_id, 'poll')
        : null
      const checkout = checkoutIn(row, c, deps)
      const now = clock.now()
      const view = viewOf(checkout, now)
      c.header('cache-control', 'no-store')
      if (!view.settled) c.header('retry-after', wait(checkout, now))
      return c.json(view)
    },
  })
}

/** Resolves with whether a checkout belongs to the order that a page names by `text`. */
export async function isOf(
  { record: { requested, visit } }: Checkout,
  text: string,
  identifyOrder: RouteDeps['identifyOrder'],
): Promise<boolean> {
  return visit.texts.includes(digestOrder(text)) || (await identifyOrder?.(text)) === requested.order
}

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
  const unknown = refuse('unknown_checkout', 'No checkout has this id.')
  throw new ProblemError(limiter.take('checkouts', clientNetwork(c)) ?? unknown)
}

export function answerJson(text: string, status: number, headers: Record<string, string>): Response {
  headers['content-type'] = 'application/json'
  return new Response(text, { status, headers })
}

/** Returns the value of the `Retry-After` header: the seconds until the page should poll again. */
export function wait(checkout: Checkout, now: number): string {
  return String(Math.ceil(pollPauseMs(checkout, now) / 1000))
}

/** Returns whether the response is JSON: the client accepts JSON or sent it. Whoever sends JSON follows no redirect. */
export function wantsJson(c: Context): boolean {
  return isJson(c) || (c.req.header('accept')?.includes('application/json') ?? false)
}
