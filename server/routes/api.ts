/**
 * Declares the routes below `/api`, the HTTP API for the merchant's backend. The API is off while MERCHANT_API_KEY is
 * not set.
 */

import type { Hono, MiddlewareHandler } from 'hono'
import type { RouteDeps } from './route.ts'
import { declareAirtime } from './api/airtime.ts'
import { declareCharges } from './api/charges.ts'
import { declareCheckouts } from './api/checkouts.ts'
import { declareEvents } from './api/events.ts'
import { declareHistory } from './api/history.ts'
import { declarePayouts } from './api/payouts.ts'
import { declareRates } from './api/rates.ts'
import { problem, ProblemError } from './problem.ts'

export function declareApi(app: Hono, deps: RouteDeps): void {
  app.use('/api/*', requireKey(deps))
  declarePayouts(app, deps)
  declareCharges(app, deps)
  declareAirtime(app, deps)
  declareCheckouts(app, deps)
  declareEvents(app, deps)
  declareHistory(app, deps)
  declareRates(app, deps)
}

/**
 * Returns the middleware that checks the API key of each request. The right key is never limited: a program with an old
 * key may share the address of one with the right key, and no key can be guessed.
 */
function requireKey({ config, limiter, clientNetwork }: RouteDeps): MiddlewareHandler {
  const keys = config.apiKeys
  return async (c, next) => {
    if (!keys) throw problem('not_found', 'The merchant API is off: no MERCHANT_API_KEY is set.')
    c.header('cache-control', 'no-store')
    const given = /^bearer +(.+)$/i.exec(c.req.header('authorization') ?? '')?.[1]
    if (given === undefined || !keys.some((key) => key.equals(given))) {
      // Another website can make a browser send requests without a key, but not with one.
      const refused = given === undefined ? null : limiter.take('api_keys', clientNetwork(c))
      if (refused) throw new ProblemError(refused)
      c.header('www-authenticate', 'Bearer')
      throw problem('unauthorized', 'Send Authorization: Bearer with the MERCHANT_API_KEY.')
    }
    await next()
  }
}
