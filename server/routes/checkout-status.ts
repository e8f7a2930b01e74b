/** Declares `GET /checkout/status/{checkout_id}`, which returns the view of a checkout to the page of its shopper. */

import { refuse } from '../api/refusal.ts'
import { CheckoutViewSchema } from '../api/view-schema.ts'
import { pollPauseMs } from '../checkouts/kind.ts'
import { readCheckout } from '../checkouts/record.ts'
import { serializeView } from '../checkouts/view.ts'
import { CheckoutPath } from './checkout-form.ts'
import { checkoutHeaders } from './headers.ts'
import { ProblemError } from './problem.ts'
import { json, route } from './route.ts'

import type { Checkout } from '../checkouts/record.ts'
import type { Transaction } from '../store/transactions.ts'
import type { Needs } from './route.ts'
import type { Context, Hono } from 'hono'

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
export function answerJson(text: string, status: number, headers: Record<string, string>): Response {
  headers['content-type'] = 'application/json'
  return new Response(text, { status, headers })
}

/** Returns the value of the `Retry-After` header: the seconds until the page should poll again. */
export function retryAfterOf(checkout: Checkout, now: number): string {
  return String(Math.ceil(pollPauseMs(checkout, now) / 1000))
}
