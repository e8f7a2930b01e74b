/**
 * Declares `POST /checkout/resume`, with which the widget shows a checkout again after a shopper has returned from the
 * hosted page. The widget reads the checkout id from the fragment of the page's URL. Anybody can write an id into a
 * link, so the widget also sends the element's attribute `order`. The server returns the view only if the checkout
 * belongs to this order.
 */

import type { Hono } from 'hono'
import type { RouteDeps } from './route.ts'
import { z } from 'zod'
import { describeFields } from '../api/field.ts'
import { CheckoutViewSchema } from '../api/view-schema.ts'
import { digestOrder } from '../checkouts/visit.ts'
import { viewOf } from '../checkouts/view.ts'
import { atMost, orRequired } from '../contract/fields.ts'
import { checkoutIn, OrderText, wait } from './checkout.ts'
import { json, parsedBody, route } from './route.ts'

const ResumeForm = describeFields(
  { order: OrderText, checkout_id: atMost(z.string(orRequired('must be text')), 100) },
  {
    order: [
      'The order of the page: a reference or a signed order, as the configuration says. 1–4000 characters.',
      'demo-1500-kangas',
    ],
    checkout_id: ["The checkout id of the URL's fragment. At most 100 characters.", 'pZ0R4uXbTn2vM8kQwY6sLg'],
  },
  'must be an object',
).meta({ ref: 'ResumeRequest', description: 'A checkout with which a shopper returned.' })

export function declareResume(app: Hono, deps: RouteDeps): void {
  const { findOwn, synchronizer, identifyOrder, clock } = deps

  route(app, 'POST', '/checkout/resume', {
    id: 'resumeCheckout',
    tag: 'Checkout',
    summary: 'Retrieve the checkout with which a shopper returned, if it belongs to the order',
    description:
      'A checkout belongs to the order texts that started it, and to signed orders of its reference, also to expired ones.',
    body: parsedBody(clock, {
      schema: ResumeForm,
      example: { order: 'demo-1500-kangas', checkout_id: 'pZ0R4uXbTn2vM8kQwY6sLg' },
    }),
    answers: [json(200, 'The view.', CheckoutViewSchema)],
    problems: ['unknown_checkout', 'store_unavailable', 'too_many_requests'],
    handle: async ({ c, body }) => {
      const { order, checkout_id } = await body()
      const found = checkoutIn(await findOwn(checkout_id), c, deps)
      const { requested, visit } = found.record
      const isOwn =
        visit.texts.includes(digestOrder(order)) || (await identifyOrder?.(order)) === requested.order
      const row = isOwn ? await synchronizer.synchronizeWithin(checkout_id, 'poll') : null
      const checkout = checkoutIn(row, c, deps)
      const now = clock.now()
      const view = viewOf(checkout, now)
      c.header('cache-control', 'no-store')
      if (!view.settled) c.header('retry-after', wait(checkout, now))
      return c.json(view)
    },
  })
}
