/**
 * Declares `GET /checkout/methods`, which says before a press which operator a phone number belongs to, and whether it
 * is away. The answer names no order and no person, so every page gets the same one, and may keep it for a while.
 */

import { z } from 'zod'

import { CheckoutMethodsSchema } from '../api/view-schema.ts'
import { describeMethods } from '../checkouts/prompt.ts'
import { CountryText } from './checkout-form.ts'
import { json, route } from './route.ts'

import type { Needs } from './route.ts'
import type { Hono } from 'hono'

/** Seconds for which an operator that comes back may still be shown as away. [assumed] */
const MAX_AGE = 60

export function declareMethods(app: Hono, { config }: Needs<'config'>): void {
  route(app, 'GET', '/checkout/methods', {
    id: 'listCheckoutMethods',
    tag: 'Checkout',
    summary: 'List the operators that ask payers on the phone',
    description:
      'For a hint while a number is typed: the number belongs to the operator with the longest prefix. POST /checkout/initiate decides, also about amounts.',
    query: z.object({ country: CountryText }),
    answers: [json(200, 'The operators, in the order of GATEWAY_CHARGE_METHODS.', CheckoutMethodsSchema)],
    problems: [],
    handle: ({ c, query }) => {
      const methods = describeMethods(config.charges, query.country ?? config.country)
      return c.json(methods, 200, { 'cache-control': `public, max-age=${MAX_AGE}` })
    },
  })
}
