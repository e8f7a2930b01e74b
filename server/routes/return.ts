/**
 * Declares `GET /checkout/return/{checkout_id}`, to which the hosted page redirects the shopper.
 *
 * The path identifies the checkout, and the server queries the checkout's status at the gateway. Query parameters are
 * ignored. [assumed] The gateway may append a status to the URL, or nothing.
 */

import type { Hono } from 'hono'
import type { RouteDeps } from './route.ts'
import { z } from 'zod'
import { viewOf } from '../checkouts/view.ts'
import { checkoutIn, CheckoutPath } from './checkout.ts'
import { isAllowedReturn } from './origin.ts'
import { answerPage, chooseLanguage, outcomePage } from './pages.tsx'
import { route } from './route.ts'

export function declareReturn(app: Hono, deps: RouteDeps): void {
  const { config, synchronizer, clock, randomness } = deps

  route(app, 'GET', '/checkout/return/:checkout_id', {
    id: 'returnFromHostedPage',
    tag: 'Checkout',
    summary: 'Return a shopper from the hosted page',
    params: CheckoutPath,
    answers: [
      {
        status: 303,
        description: "A redirect to the merchant's page, with #gateway-checkout={checkout_id}.",
      },
      {
        status: 200,
        description: 'A page with the outcome. In a pop-up it closes itself.',
        content: { type: 'text/html', schema: z.string().meta({ description: 'The page.' }) },
      },
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

      const nonce = randomness.token()
      const view = viewOf(checkout, clock.now())
      const language = await chooseLanguage(visit.lang, c.req.header('accept-language'))
      const opener = visit.launch === 'popup' ? visit.origin : null
      const known = back ? [back] : visit.links.map((url) => backTo(url, checkout.id))
      const links = known.length > 0 ? known : frontPages(visit.origin, config.returnUrls)
      return answerPage(c, await outcomePage({ view, language, nonce, links, opener }), nonce, 200)
    },
  })
}

/** Returns the front page of the shop, for checkouts whose requests named no page to return to. */
function frontPages(origin: string | null, allowed: readonly string[]): string[] {
  const url = `${origin}/`
  return origin !== null && isAllowedReturn(url, allowed) ? [url] : []
}

/**
 * Returns `returnUrl` with the checkout id in the fragment. The widget on the merchant's page reads the id from the
 * fragment.
 */
function backTo(returnUrl: string, checkoutId: string): string {
  const url = new URL(returnUrl)
  url.hash = `gateway-checkout=${checkoutId}`
  return url.href
}
