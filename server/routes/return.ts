/**
 * Declares the routes for shoppers who come back: `/checkout/return/{checkout_id}` is where the hosted page sends
 * the shopper, and `POST /checkout/resume` returns the view to the page to which the shopper has returned.
 */

import { z } from 'zod'

import { CheckoutViewSchema } from '../api/view-schema.ts'
import { viewOf } from '../checkouts/view.ts'
import { referenceKey } from '../contract/comparison-keys.ts'
import { atMost, orRequired } from '../contract/fields.ts'
import { field } from '../contract/openapi-field.ts'
import { findOwn } from '../transactions/find.ts'
import { isAllowedReturn } from './allowed-pages.ts'
import { CheckoutPath, OrderText } from './checkout-form.ts'
import { checkoutIn, retryAfterOf } from './checkout-status.ts'
import { outcomePage } from './outcome-page.tsx'
import { answerPage } from './pages.tsx'
import { json, page, parsedBody, route } from './route.ts'

import type { Checkout } from '../checkouts/record.ts'
import type { Config } from '../config/config.ts'
import type { Frame } from './pages.tsx'
import type { Declaration, Needs, RouteDeps } from './route.ts'
import type { Hono } from 'hono'

/**
 * The beginning of the path identifies the checkout, whose status is queried at the gateway. Whatever follows is
 * ignored, and so are query parameters and bodies. [assumed] The gateway may redirect or post a form, and may append a
 * status to the URL.
 */
export function declareReturn(
  app: Hono,
  deps: Needs<'config' | 'synchronizer' | 'clock' | 'randomness' | 'limiter' | 'clientNetwork'>,
): void {
  const { config, synchronizer, clock } = deps

  const returned: Omit<Declaration<z.output<typeof CheckoutPath>>, 'id'> = {
    tag: 'Checkout',
    summary: 'Return a shopper from the hosted page',
    description:
      'Whatever follows the id in the path is ignored, and so are query parameters and the body. A failure is a page, too.',
    params: CheckoutPath,
    answers: [
      {
        status: 303,
        description: "A redirect to the merchant's page with #gateway-checkout-{checkout_id}.",
      },
      page('A page with the outcome. In a pop-up it closes itself.'),
    ],
    problems: ['unknown_checkout', 'store_unavailable', 'too_many_requests'],
    handle: async ({ c, params }) => {
      const row = await synchronizer.synchronizeWithin(params.checkout_id, 'requested')
      const checkout = checkoutIn(row, c, deps)
      const { visit } = checkout.record
      c.header('cache-control', 'no-store')
      if (visit.launch === 'redirect' && visit.return_url !== null) {
        return c.redirect(backTo(visit.return_url, checkout.id), 303)
      }

      const now = clock.now()
      const opener = visit.launch === 'popup' ? visit.origin : null
      const links = linksOf(checkout, config)
      const render = (frame: Frame) => outcomePage(frame, { checkout, now, links, opener })
      return answerPage(c, deps, { render, requested: visit.lang })
    },
  }
  route(app, 'GET', '/checkout/return/:checkout_id', { ...returned, id: 'returnFromHostedPage' })
  route(app, 'POST', '/checkout/return/:checkout_id', { ...returned, id: 'returnFromHostedPageByForm' })
}

/** Returns the pages to which the shopper may return; where no request named one, the front page of the shop. */
function linksOf(
  { id, record: { visit } }: Checkout,
  { publicUrl, returnUrls }: Pick<Config, 'publicUrl' | 'returnUrls'>,
): string[] {
  const named = visit.return_url === null ? visit.links : [visit.return_url]
  if (named.length > 0) {
    return named.map((url) => backTo(url, id))
  }
  if (visit.origin === null) {
    return []
  }

  const frontPage = `${visit.origin}/`
  // A form of this server's own pages has its origin, whose front page is the shop's only where this server is mounted.
  const isOurs = frontPage === `${publicUrl}/`
  return !isOurs && isAllowedReturn(frontPage, returnUrls) ? [frontPage] : []
}

/**
 * Returns `returnUrl` with the checkout id in the fragment, where the widget reads it. The fragment may begin with an
 * anchor or the route of a hash router, and may end with the id of an earlier checkout. With an anchor it is still a
 * valid selector, because scripts of shops look their fragment up by `querySelector`.
 */
function backTo(returnUrl: string, checkoutId: string): string {
  const url = new URL(returnUrl)
  const anchor = url.hash.replace(/[#-]gateway-checkout-[\w-]{24}$/, '')
  url.hash = `${anchor}${anchor && '-'}gateway-checkout-${checkoutId}`
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
export function declareResume(
  app: Hono,
  deps: Needs<
    | 'store'
    | 'account'
    | 'synchronizer'
    | 'identifyOrder'
    | 'fingerprints'
    | 'clock'
    | 'limiter'
    | 'clientNetwork'
  >,
): void {
  const { synchronizer, clock } = deps

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
      const stored = checkoutIn(await findOwn(deps, checkout_id), c, deps)
      const row = (await isOfOrder(stored, order, deps))
        ? await synchronizer.synchronizeWithin(checkout_id, 'poll')
        : null
      // A checkout of another order is answered, and counted as a guess, like one that does not exist.
      const checkout = checkoutIn(row, c, deps)
      const now = clock.now()
      const view = viewOf(checkout, now)
      c.header('cache-control', 'no-store')
      if (!view.settled) {
        c.header('retry-after', retryAfterOf(checkout, now))
      }
      return c.json(view)
    },
  })
}

/** Resolves with whether a checkout belongs to the order that a page names by `text`. */
export async function isOfOrder(
  { record: { requested, visit } }: Checkout,
  text: string,
  { identifyOrder, fingerprints }: Pick<RouteDeps, 'identifyOrder' | 'fingerprints'>,
): Promise<boolean> {
  if (fingerprints.all('order', text).some((digest) => visit.order_digests.includes(digest))) {
    return true
  }

  const identified = (await identifyOrder?.(text)) ?? null
  return identified !== null && referenceKey(identified) === referenceKey(requested.order)
}
