/**
 * `GET /checkout/return/{checkout_id}`: where the hosted page sends the shopper.
 *
 * Whatever a gateway appends to the address is not read: the address names the checkout by itself, and what
 * became of it is asked. [assumed] Some gateways append a status, some append nothing.
 */

import type { Clock } from '../clock.ts'
import type { Randomness } from '../randomness.ts'
import type { Synchronizer } from '../transactions/synchronizer.ts'
import type { Visit } from '../checkouts/record.ts'
import { Hono } from 'hono'
import { viewOf } from '../checkouts/view.ts'
import { checkoutIn } from './checkout.ts'
import { answerPage, chooseLanguage, outcomePage } from './pages.tsx'

interface ReturnRoutes {
  synchronizer: Synchronizer
  clock: Clock
  randomness: Randomness
}

export function returnRoutes({ synchronizer, clock, randomness }: ReturnRoutes): Hono {
  const app = new Hono()

  app.get('/return/:checkout_id', async (c) => {
    const checkout = checkoutIn(await synchronizer.synchronizeWithin(c.req.param('checkout_id'), 'hint'))
    const { visit } = checkout.record
    const back = backTo(visit, checkout.id)
    c.header('cache-control', 'no-store')
    c.header('referrer-policy', 'no-referrer')
    if (visit.launch === 'redirect' && back) return c.redirect(back, 303)

    const nonce = randomness.token()
    const view = viewOf(checkout, clock.now())
    const language = await chooseLanguage(visit.lang, c.req.header('accept-language'))
    const opener = visit.launch === 'popup' ? visit.origin : null
    return answerPage(c, await outcomePage({ view, language, nonce, back, opener }), nonce, 200)
  })

  return app
}

/** The merchant's page, with the checkout for its tag to take up. */
function backTo({ return_url }: Visit, checkoutId: string): string | null {
  if (return_url === null) return null
  const url = new URL(return_url)
  url.hash = `gateway-checkout=${checkoutId}`
  return url.href
}
