/**
 * Declares `POST /checkout/initiate`, which starts a checkout of an order for the shopper's page, or resumes it.
 */

import { isRefusal } from '../api/refusal.ts'
import { CheckoutViewSchema } from '../api/view-schema.ts'
import { findOlder } from '../checkouts/current.ts'
import { initiate } from '../checkouts/initiate.ts'
import { choosePayer } from '../checkouts/payer.ts'
import { promptMethods } from '../checkouts/prompt.ts'
import { viewOf } from '../checkouts/view.ts'
import { compare } from '../contract/decimal.ts'
import { LONGEST } from '../contract/lengths.ts'
import { isAllowedReturn, judgeOrigin, problemOfReturn } from './allowed-pages.ts'
import { wantsJson } from './answer-format.ts'
import { InitiateForm } from './checkout-form.ts'
import { answerJson, retryAfterOf } from './checkout-status.ts'
import { findOrder, findPayable, nameText } from './find-order.ts'
import { checkoutHeaders, setHeaders } from './headers.ts'
import { outcomePage } from './outcome-page.tsx'
import { answerPage } from './pages.tsx'
import { answerPressAgain } from './press-again.tsx'
import { ProblemError, nameOrder, orProblem } from './problem.ts'
import { json, parsedBody, route } from './route.ts'

import type { CheckoutView } from '../api/view.ts'
import type { Log } from '../log/log.ts'
import type { Order, ResolvedOrder } from '../orders/order.ts'
import type { FindOrderDeps, NamedOrder } from './find-order.ts'
import type { Frame } from './pages.tsx'
import type { Needs } from './route.ts'
import type { Context, Hono } from 'hono'

type InitiateDeps = FindOrderDeps &
  Needs<'log' | 'client' | 'sender' | 'callbacks' | 'clock' | 'randomness' | 'metrics' | 'warnIfIdle'>

export function declareInitiate(app: Hono, deps: InitiateDeps): void {
  const { config, clock, log } = deps
  let hasWarned = false

  route(app, 'POST', '/checkout/initiate', {
    id: 'initiateCheckout',
    tag: 'Checkout',
    summary: 'Create the checkout of an order, or retrieve the existing one',
    description:
      'Answers a JSON body, and Accept: application/json, with the view, and a form with a redirect to the hosted page. ALLOWED_ORIGINS must name the origin of the page.',
    body: parsedBody(clock, {
      schema: InitiateForm,
      example: { payer_name: 'Asha Otieno', payer_email: 'asha@example.com', payer_msisdn: '0700000001' },
    }),
    answers: [
      json(201, 'The checkout was created.', CheckoutViewSchema),
      json(200, 'A checkout of the order existed, or a page replaces a prompt.', CheckoutViewSchema),
      {
        status: 303,
        description:
          'A redirect to the hosted page, for a plain form. With Origin: null, 200 and a page that asks for one more press.',
      },
    ],
    problems: INITIATE_PROBLEMS,
    handle: async ({ c, body }) => {
      const { origin, isHidden } = judgeOrigin(c, config)
      const form = await body()
      nameText(c, form.order, deps)
      if (form.return_url && !isAllowedReturn(form.return_url, config.returnUrls)) {
        throw problemOfReturn(form.return_url)
      }

      const named = await findOrder(c, [form.order], deps)
      if (named.kind === 'order') {
        noteOrder(c, named, log)
      }
      if (isHidden) {
        warnOfHiddenOrigin()
        const payable = await findPayable(named, deps)
        if (!('record' in payable)) {
          return answerPressAgain(c, deps, payable, form)
        }

        const render = (frame: Frame) => outcomePage(frame, { checkout: payable, now: clock.now() })
        return answerPage(c, deps, { render, requested: form.lang ?? null })
      }

      const { kind, checkout } = await startNamed(c, { ...form, origin }, named, deps)
      const now = clock.now()
      const wantsPrompt = form.method === 'prompt'
      const operators = wantsPrompt ? promptMethods(config.charges, checkout.record.requested) : null
      const current = viewOf(checkout, now, operators)
      // A press opens no page on which an order would be paid that the merchant no longer gives.
      const view = kind === 'former' ? withoutPage(current) : current
      const headers = checkoutHeaders(c, config.allowedOrigins)
      headers['cache-control'] = 'no-store'
      if (!view.settled) {
        headers['retry-after'] = retryAfterOf(checkout, now)
      }
      if (wantsJson(c)) {
        return answerJson(JSON.stringify(view), kind === 'created' ? 201 : 200, headers)
      }

      setHeaders(c, headers)
      return c.redirect(view.redirect_url ?? `${config.publicUrl}/checkout/return/${view.checkout_id}`, 303)
    },
  })

  function warnOfHiddenOrigin(): void {
    if (!hasWarned) {
      log.warn({}, HIDDEN)
    }

    hasWarned = true
  }
}

function withoutPage({ redirect_url: _page, ...view }: CheckoutView): CheckoutView {
  return view
}

type Start = InitiateForm & { origin: string | null }

/** Names the order in the log, and says what the shop should correct about it. */
function noteOrder(c: Context, { order: { order, amount }, leftOut = [] }: ResolvedOrder, log: Log): void {
  nameOrder(c, order)
  if (leftOut.length > 0) {
    log.warn({ order }, describeLeftOut(leftOut))
  }
  if (compare(amount, '0') === 0) {
    log.warn({ order }, NOTHING_TO_PAY)
  }
}

const NOTHING_TO_PAY =
  'The amount of this order is 0. Gateways may refuse it, and nothing would be paid: look at what your orders return.'

/** Names the fields and not their values, which are personal data. */
function describeLeftOut(fields: readonly string[]): string {
  return `${fields.join(' and ')} of this order ${fields.length === 1 ? 'is' : 'are'} too long for the gateway, and left out: the shopper is asked. Return one name of at most ${LONGEST.name} characters, one e-mail address of at most ${LONGEST.email}, and one phone number of at most ${LONGEST.phoneNumber}.`
}

/** Starts the checkout of an order, or finds the existing one. That of a former order is only shown. */
async function startNamed(c: Context, form: Start, named: NamedOrder, deps: InitiateDeps) {
  if (named.kind === 'former') {
    return named
  }

  const { order, isNewest } = named
  return isNewest ? start(c, form, order, deps) : orProblem(await findOlder(deps, order))
}

async function start(c: Context, form: Start, order: Order, deps: InitiateDeps) {
  const { config, identifyOrder, clientNetwork, fingerprints } = deps
  const { payer_name: name, payer_email: email, payer_msisdn: msisdn } = form
  const payer = choosePayer(order, { name, email, msisdn }, form.country ?? config.country)
  if (isRefusal(payer)) {
    throw new ProblemError(payer)
  }

  // A returning shopper's checkout is found by this digest. The reference in a signed order identifies it without.
  const order_digests = identifyOrder ? [] : [fingerprints.of('order', form.order)]
  const visit = { ...visitOf(form, order), order_digests }
  const prompt =
    form.method === 'prompt' ? { method: form.payment_method_code, network: clientNetwork(c) } : null
  deps.warnIfIdle()
  return orProblem(await initiate(deps, order, { payer, visit, prompt }))
}

/** Returns how the shopper pays and where they return to: to the page of the order, if it names one. */
function visitOf({ launch, return_url, lang, origin }: Start, order: Order) {
  return {
    launch,
    origin,
    return_url: order.return_url ?? return_url ?? null,
    is_order_url: order.return_url !== undefined,
    links: [],
    lang: lang ?? null,
  }
}

const HIDDEN =
  'A form came with the header Origin: null: its page has Referrer-Policy: no-referrer, or is in a sandboxed frame. The shopper has to press once more, on a page of this server. Let the pages with the tag send Referrer-Policy: strict-origin-when-cross-origin, and the frame have allow-same-origin or allow-popups-to-escape-sandbox: otherwise every further press comes without an origin, too.'

/** The problems of an order that is looked up, and of its terms. */
export const ORDER_PROBLEMS = [
  'order_unknown',
  'order_invalid',
  'order_expired',
  'order_not_payable',
  'order_changed',
  'charges_off',
  'orders_unavailable',
  'amount_not_whole',
  'currency_not_supported',
  'store_unavailable',
  'too_many_requests',
] as const

const INITIATE_PROBLEMS = [
  ...ORDER_PROBLEMS,
  'origin_not_allowed',
  'return_url_not_allowed',
  'amount_out_of_bounds',
  'operator_unavailable',
  'gateway_refused',
  'gateway_unauthorized',
  'gateway_contradiction',
  'gateway_answer_invalid',
  'gateway_unavailable',
  'recovery_uncompared',
] as const
