/**
 * Declares the routes about a checkout for the shopper's page: `POST /checkout/initiate` starts a checkout of an order,
 * or resumes it, and `GET /checkout/status/{checkout_id}` returns the view. Decides which pages may start one
 * (ALLOWED_ORIGINS), and where shoppers may return to (RETURN_URLS).
 */

import { z } from 'zod'

import { isRefusal, refuse } from '../api/refusal.ts'
import { CheckoutViewSchema } from '../api/view-schema.ts'
import { findCurrent, findOlder } from '../checkouts/current.ts'
import { initiate } from '../checkouts/initiate.ts'
import { pollPauseMs } from '../checkouts/kind.ts'
import { choosePayer } from '../checkouts/payer.ts'
import { promptMethods } from '../checkouts/prompt.ts'
import { readCheckout, digestOrder } from '../checkouts/record.ts'
import { serializeView, viewOf } from '../checkouts/view.ts'
import { compare } from '../contract/decimal.ts'
import { atMost, cleanName, isBlank, withoutControls } from '../contract/fields.ts'
import { field, text } from '../contract/openapi-field.ts'
import { parseUrl } from '../contract/parse.ts'
import { isSteadyPath } from '../contract/steady-path.ts'
import { orderReference } from '../orders/order.ts'
import { checkoutHeaders, setHeaders } from './headers.ts'
import { answerPage, outcomePage } from './pages.tsx'
import { answerPressAgain } from './press-again.tsx'
import { ProblemError, nameOrder, orProblem, problem } from './problem.ts'
import { json, parsedBody, route, isJson } from './route.ts'

import type { ProblemCode } from '../api/problem-codes.ts'
import type { Refusal } from '../api/refusal.ts'
import type { Checkout } from '../checkouts/record.ts'
import type { Config } from '../config/config.ts'
import type { Order, ResolvedOrder } from '../orders/order.ts'
import type { Transaction } from '../store/store.ts'
import type { Frame } from './pages.tsx'
import type { Needs } from './route.ts'
import type { Context, Hono } from 'hono'

/** The element's attribute `order`: the reference of an order, or a signed order if the configuration says so. */
export const OrderText = field(
  z.preprocess(
    (value) => (typeof value === 'string' ? value.trim() : value),
    orderReference(4_000).meta({ minLength: 1 }),
  ),
  'The order: a reference or a signed order, as the configuration says. 1–4000 printable ASCII characters, and single spaces within.',
  'demo-1500-kangas',
)

/** The path parameter of every route about a single checkout. */
export const CheckoutPath = z.object({
  checkout_id: text('Id of the checkout. Whoever knows it may read the view.', 'pZ0R4uXbTn2vM8kQwY6sLg'),
})

/** Describes an optional form field with at most `max` characters. A blank field counts as absent. */
const optional = (max: number, description: string, example: string) =>
  field(
    atMost(z.string({ error: 'must be text' }).overwrite(withoutControls).trim(), max)
      .optional()
      .transform((value) => (value === undefined || isBlank(value) ? undefined : value)),
    description,
    example,
  )

export const CountryText = optional(
  35,
  'Country that completes a national phone number, ISO 3166-1 alpha-2. Of an unknown one, a number needs + and its calling code. Default: DEFAULT_COUNTRY.',
  'KE',
)

const InitiateForm = z
  .object(
    {
      order: OrderText,
      payer_name: optional(
        100,
        'Name of the payer, without a link, and not beginning with =, +, - or @. Required unless the order names it.',
        'Asha Otieno',
      ).refine(
        (value) => value === undefined || cleanName(value) === value,
        'must be a name: without a link, and not beginning with =, +, - or @',
      ),
      payer_email: optional(100, 'E-mail address. Required unless the order has it.', 'asha@example.com'),
      payer_msisdn: optional(
        25,
        'Phone number of the payer. A national number is completed by country. Required unless the order names it.',
        '0700000001',
      ),
      country: CountryText,
      return_url: optional(
        2_000,
        'Where the shopper returns to. RETURN_URLS must cover it.',
        'https://shop.example/thanks',
      ),
      launch: field(
        z.enum(['redirect', 'popup'], 'must be redirect or popup').default('redirect'),
        'How the hosted page is opened.',
      ),
      method: field(
        z.enum(['page', 'prompt'], 'must be page or prompt').default('page'),
        "How the shopper pays: on the hosted page, or by a prompt on the payer's phone. Without an operator for the currency in GATEWAY_CHARGE_METHODS, and beyond the limits on prompts, a prompt becomes a hosted page.",
      ),
      payment_method_code: optional(
        32,
        'Operator that sends the prompt, one of GATEWAY_CHARGE_METHODS. Default: by the phone number, otherwise the first.',
        'MOMO_KEN',
      ),
      lang: optional(35, 'Language of the pages of this server, BCP 47.', 'sw'),
    },
    'must be an object',
  )
  .meta({ id: 'InitiateRequest', description: 'A checkout of an order.' })

type FindOrderDeps = Needs<'config' | 'log' | 'resolveOrder' | 'identifyOrder' | 'limiter' | 'clientNetwork'>

type InitiateDeps = FindOrderDeps &
  Needs<
    | 'store'
    | 'account'
    | 'client'
    | 'synchronizer'
    | 'callbacks'
    | 'fingerprints'
    | 'clock'
    | 'randomness'
    | 'metrics'
    | 'warnIfIdle'
  >

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
      const { order, isNewest } = await findOrder(c, form, deps)
      if (isHidden) {
        warnOfHiddenOrigin()
        const { checkout } = orProblem(await (isNewest ? findCurrent : findOlder)(deps, order))
        if (checkout === null) {
          return answerPressAgain(c, deps, order, form)
        }

        const view = viewOf(checkout, clock.now())
        const render = (frame: Frame) => outcomePage(frame, { view })
        return answerPage(c, deps, { render, requested: form.lang ?? null })
      }

      const { kind, checkout } = isNewest
        ? await start(c, { ...form, origin }, order, deps)
        : orProblem(await findOlder(deps, order))
      const now = clock.now()
      const wantsPrompt = form.method === 'prompt'
      const operators = wantsPrompt ? promptMethods(config.charges, checkout.record.requested) : null
      const view = viewOf(checkout, now, operators)
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

/**
 * The `Origin` that browsers send with the form of a page whose Referrer-Policy is `no-referrer`, and from a sandboxed
 * frame without `allow-same-origin`. A window that such a frame opens never has an origin: no press there starts a checkout.
 */
const HIDDEN_ORIGIN = 'null'
const HIDDEN =
  'A form came with the header Origin: null: its page has Referrer-Policy: no-referrer, or is in a sandboxed frame. The shopper has to press once more, on a page of this server. Let the pages with the tag send Referrer-Policy: strict-origin-when-cross-origin, and the frame have allow-same-origin or allow-popups-to-escape-sandbox: otherwise every further press comes without an origin, too.'

/**
 * Returns the origin of the page that sent a request. `isHidden` is whether the browser hides it: whoever allows the
 * request then asks for one more press, on a page of this server.
 *
 * @throws {ProblemError} if no shopper of this server can have sent the request from there.
 */
export function judgeOrigin(
  c: Context,
  { publicUrl, allowedOrigins }: Config,
): { origin: string | null; isHidden: boolean } {
  const origin = readOrigin(c, publicUrl)
  const isHidden = origin === HIDDEN_ORIGIN && wantsPage(c)
  if (!isHidden && !isAllowedOrigin(origin, publicUrl, allowedOrigins)) {
    throw problem('origin_not_allowed', `ALLOWED_ORIGINS does not name the header Origin: ${origin}.`)
  }
  return { origin, isHidden }
}

/**
 * Returns the origin of the page that sent a request; `null` if the client names none. A browser says by
 * `Sec-Fetch-Site`, which no page can set, that its page has the origin of this server, also where it hides that origin.
 */
function readOrigin(c: Context, publicUrl: string): string | null {
  const isOwn = c.req.header('sec-fetch-site') === 'same-origin'
  return isOwn ? new URL(publicUrl).origin : (c.req.header('origin') ?? null)
}

type Start = z.output<typeof InitiateForm> & { origin: string | null }

/** Resolves with the order that a form names, if the shopper may return to where the form says. */
async function findOrder(
  c: Context,
  form: Pick<Start, 'order' | 'return_url'>,
  deps: FindOrderDeps,
): Promise<ResolvedOrder> {
  const { config, resolveOrder, identifyOrder, clientNetwork, log } = deps
  // A signed order is not its reference, and is too long for the log.
  if (!identifyOrder) {
    nameOrder(c, form.order)
  }
  if (form.return_url && !isAllowedReturn(form.return_url, config.returnUrls)) {
    throw problemOfReturn(form.return_url)
  }

  const resolution = await resolveOrder(form.order)
  if (resolution.kind === 'refused') {
    throw new ProblemError(limitGuess(resolution, clientNetwork(c), deps))
  }

  const { order } = resolution
  nameOrder(c, order.order)
  if (compare(order.amount, '0') === 0) {
    log.warn({ order: order.order }, NOTHING_TO_PAY)
  }
  return resolution
}

const NOTHING_TO_PAY =
  'The amount of this order is 0. Gateways may refuse it, and nothing would be paid: look at what your orders return.'

/** Starts the checkout of an order, or finds the existing one. */
async function start(c: Context, form: Start, order: Order, deps: InitiateDeps) {
  const { config, identifyOrder, clientNetwork } = deps
  const { payer_name: name, payer_email: email, payer_msisdn: msisdn } = form
  const payer = choosePayer(order, { name, email, msisdn }, form.country ?? config.country)
  if (isRefusal(payer)) {
    throw new ProblemError(payer)
  }

  // A returning shopper's checkout is found by this digest. The reference in a signed order identifies it without.
  const visit = { ...visitOf(form, order), order_digests: identifyOrder ? [] : [digestOrder(form.order)] }
  const prompt =
    form.method === 'prompt' ? { method: form.payment_method_code, network: clientNetwork(c) } : null
  deps.warnIfIdle()
  return orProblem(await initiate(deps, order, { payer, visit, prompt }))
}

/** Names only the host: the rest of the URL may be personal. */
function problemOfReturn(url: string): ProblemError {
  const parsed = parseUrl(url)
  const place = parsed ? `on ${parsed.protocol}//${parsed.host}` : 'that is not an absolute URL'
  return problem(
    'return_url_not_allowed',
    `RETURN_URLS, or without it ALLOWED_ORIGINS and PUBLIC_URL, do not cover this return_url ${place}.`,
  )
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

/**
 * Returns the refusal of an order, or that of the limit on guesses if it is one guess too many. An order that exists,
 * or whose signature is valid, is found whatever else has come from the client's address.
 */
export function limitGuess(refusal: Refusal, network: string | null, { limiter }: Needs<'limiter'>): Refusal {
  if (!GUESSES.includes(refusal.code)) {
    return refusal
  }
  return limiter.take('orders', network) ?? refusal
}

/** The refusals of orders that the client may have guessed. */
const GUESSES: readonly ProblemCode[] = ['order_unknown', 'order_invalid']

export function declareStatus(
  app: Hono,
  deps: Needs<'config' | 'synchronizer' | 'clock' | 'limiter' | 'clientNetwork'>,
): void {
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
      if (!settled) {
        headers['retry-after'] = retryAfterOf(checkout, now)
      }
      // A proxy that compresses the response adds the prefix W/ to the ETag.
      if (c.req.header('if-none-match')?.includes(etag)) {
        return new Response(null, { status: 304, headers })
      }
      return answerJson(text, 200, headers)
    },
  })
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
  { limiter, clientNetwork }: Needs<'limiter' | 'clientNetwork'>,
): Checkout {
  if (row?.kind === 'checkout') {
    return readCheckout(row)
  }

  const unknown = refuse('unknown_checkout', 'No checkout has this id.')
  throw new ProblemError(limiter.take('checkouts', clientNetwork(c)) ?? unknown)
}

/** Adds to `headers`, which is faster than a copy. */
function answerJson(text: string, status: number, headers: Record<string, string>): Response {
  headers['content-type'] = 'application/json'
  return new Response(text, { status, headers })
}

/** Returns the value of the `Retry-After` header: the seconds until the page should poll again. */
export function retryAfterOf(checkout: Checkout, now: number): string {
  return String(Math.ceil(pollPauseMs(checkout, now) / 1000))
}

/** Returns whether to respond with JSON, not with a page or a redirect: the client accepts JSON, or has sent it. */
export function wantsJson(c: Context): boolean {
  return isJson(c) || (c.req.header('accept')?.includes('application/json') ?? false)
}

/** Returns whether to respond with a page: the client is a browser that navigates. */
export function wantsPage(c: Context): boolean {
  return !wantsJson(c) && (c.req.header('accept')?.includes('text/html') ?? false)
}

/**
 * Returns whether a page of this origin may start a checkout. Browsers send the page's `Origin` with every POST.
 * Clients that send no `Origin` (`null`) are allowed.
 */
export function isAllowedOrigin(
  origin: string | null,
  publicUrl: string,
  allowed: readonly string[],
): boolean {
  return origin === null || origin === new URL(publicUrl).origin || allowed.includes(origin)
}

/**
 * Returns whether a shopper may return to `url`. Each URL in `allowed` permits itself and all URLs below its path. A
 * URL without a path permits all URLs of its origin.
 */
export function isAllowedReturn(url: string, allowed: readonly string[]): boolean {
  const parsed = parseUrl(url)
  if (!parsed) {
    return false
  }

  const { protocol, host, pathname, username, password } = parsed
  if (username !== '' || password !== '') {
    return false
  }

  const path = normalizePath(pathname)
  return allowed.some((entry) => {
    const base = new URL(entry)
    // Not compared by `origin`, which is "null" for an app's scheme such as capacitor:, and the page's for `blob:`.
    if (base.host !== host || base.protocol !== protocol || host === '') {
      return false
    }
    if (base.pathname === '/' || base.pathname === '') {
      return true
    }

    const folder = normalizePath(base.pathname)?.replace(/\/$/, '')
    return path !== null && folder !== undefined && `${path}/`.startsWith(`${folder}/`)
  })
}

/** Returns the decoded path of a parsed URL; `null` if another server could read the path differently. */
function normalizePath(pathname: string): string | null {
  try {
    return isSteadyPath(pathname) ? decodeURIComponent(pathname) : null
  } catch {
    return null
  }
}
