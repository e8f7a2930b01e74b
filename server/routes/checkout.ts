/** `POST /checkout/initiate` and `GET /checkout/status/{checkout_id}`. */

import type { Context } from 'hono'
import type { Config } from '../config.ts'
import type { Clock } from '../clock.ts'
import type { Initiate, Initiated } from '../checkouts/initiate.ts'
import type { Checkout } from '../checkouts/record.ts'
import type { ResolveOrder } from '../orders/order.ts'
import type { Transaction } from '../store.ts'
import type { Synchronizer } from '../transactions/synchronizer.ts'
import { Hono } from 'hono'
import { z } from 'zod'
import { readCheckout } from '../checkouts/record.ts'
import { pollPauseMs } from '../checkouts/kind.ts'
import { viewOf } from '../checkouts/view.ts'
import { readBody } from './body.ts'
import { isAllowedOrigin, isAllowedReturn } from './origin.ts'
import { chargesOff, gatewayProblem, invalid, ProblemError, readGiven } from './problem.ts'

interface CheckoutRoutes {
  config: Pick<Config, 'publicUrl' | 'allowedOrigins' | 'returnUrls'>
  resolveOrder: ResolveOrder
  initiate: Initiate
  synchronizer: Synchronizer
  clock: Clock
}

/** An empty field of a form is one that was not filled in. */
const given = (max: number) =>
  z
    .string({ error: 'must be text' })
    .trim()
    .max(max, `must be at most ${max} characters`)
    .optional()
    .transform((value) => value || undefined)

export const InitiateForm = z.object(
  {
    /** A reference, or a signed order. */
    order: z
      .string({ error: (issue) => (issue.input === undefined ? 'is required' : 'must be text') })
      .trim()
      .min(1, 'must not be blank')
      .max(4_000, 'must be at most 4000 characters'),
    payer_name: given(100),
    payer_email: given(100),
    payer_msisdn: given(25),
    /** Completes a national number; one that is not known leaves it to DEFAULT_COUNTRY. */
    country: given(35),
    return_url: given(2_000),
    launch: z.enum(['redirect', 'popup'], 'must be redirect or popup').default('redirect'),
    lang: given(35),
  },
  'must be an object',
)

export function checkoutRoutes({
  config,
  resolveOrder,
  initiate,
  synchronizer,
  clock,
}: CheckoutRoutes): Hono {
  const app = new Hono()

  app.post('/initiate', async (c) => {
    const origin = c.req.header('origin') ?? null
    if (!isAllowedOrigin(origin, config.publicUrl, config.allowedOrigins)) {
      throw new ProblemError('origin_not_allowed', `ALLOWED_ORIGINS does not name ${origin}.`)
    }
    const form = readGiven(InitiateForm, await readBody(c))
    const resolution = await resolveOrder(form.order)
    if (resolution.kind === 'refused') throw new ProblemError(resolution.code, resolution.detail)
    const { order } = resolution
    if (form.return_url && !isAllowedReturn(form.return_url, config.returnUrls)) {
      throw new ProblemError('return_url_not_allowed', 'RETURN_URLS does not cover this return_url.')
    }
    const payer = {
      name: form.payer_name,
      email: form.payer_email,
      msisdn: form.payer_msisdn,
      country: form.country?.toUpperCase(),
    }
    const return_url = order.return_url ?? form.return_url ?? null
    const visit = { launch: form.launch, return_url, origin, lang: form.lang ?? null }
    return answerInitiated(c, await initiate(order, payer, visit), clock.now(), config.publicUrl)
  })

  app.get('/status/:checkout_id', async (c) => {
    const checkout = checkoutIn(await synchronizer.synchronizeWithin(c.req.param('checkout_id'), 'poll'))
    const now = clock.now()
    const view = viewOf(checkout, now)
    const etag = `"${view.version}"`
    c.header('etag', etag)
    c.header('cache-control', 'no-cache')
    if (!view.settled) c.header('retry-after', wait(checkout, now))
    // A proxy that compresses makes it weak: W/"3".
    if (c.req.header('if-none-match')?.includes(etag)) return c.body(null, 304)
    return c.json(view)
  })

  return app
}

/** The checkout in this row, for whoever may know its id. */
export function checkoutIn(row: Transaction | null): Checkout {
  if (row?.kind === 'checkout') return readCheckout(row)
  throw new ProblemError('unknown_checkout', 'No checkout has this id.')
}

/** Seconds until there may be news. */
function wait(checkout: Checkout, now: number): string {
  return String(Math.ceil(pollPauseMs(checkout, now) / 1000))
}

function answerInitiated(c: Context, initiated: Initiated, now: number, publicUrl: string): Response {
  switch (initiated.kind) {
    case 'created':
    case 'existing': {
      const view = viewOf(initiated.checkout, now)
      c.header('cache-control', 'no-store')
      if (!view.settled) c.header('retry-after', wait(initiated.checkout, now))
      if (wantsJson(c)) return c.json(view, initiated.kind === 'created' ? 201 : 200)
      return c.redirect(view.redirect_url ?? `${publicUrl}/checkout/return/${view.checkout_id}`, 303)
    }
    case 'order_changed':
      throw new ProblemError(
        'order_changed',
        'A checkout with the earlier terms of this order can still be paid. Try again when it has ended.',
      )
    case 'amount_not_whole':
      throw new ProblemError(
        'amount_not_whole',
        `The gateway takes whole units of a currency, and ${initiated.amount} has a fraction.`,
      )
    case 'currency_not_supported':
      throw new ProblemError(
        'currency_not_supported',
        `GATEWAY_SERVICE_CODE has no service for ${initiated.currency}.`,
      )
    case 'charges_off':
      throw chargesOff()
    case 'invalid':
      throw invalid(initiated.errors)
    case 'gateway_refused': {
      const { refusal, why } = initiated
      if (refusal) throw new ProblemError('gateway_refused', why, { gateway: refusal })
      throw new ProblemError('gateway_contradiction', why)
    }
    case 'unclear':
      throw gatewayProblem(initiated.error)
  }
}

export function wantsJson(c: Context): boolean {
  return c.req.header('accept')?.includes('application/json') ?? false
}
