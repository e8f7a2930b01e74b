/**
 * Declares the routes below `/api`, the HTTP API for the merchant's backend. The API is off while MERCHANT_API_KEY is
 * not set.
 */

import type { Hono, MiddlewareHandler } from 'hono'
import type { Secrets } from '../config.ts'
import type { RouteDeps } from './route.ts'
import { declareAirtime } from './api/airtime.ts'
import { declareCharges } from './api/charges.ts'
import { declareCheckouts } from './api/checkouts.ts'
import { declareEvents } from './api/events.ts'
import { declareHistory } from './api/history.ts'
import { declarePayouts } from './api/payouts.ts'
import { declareRates } from './api/rates.ts'
import { ProblemError } from './problem.ts'
import { isSameSecret } from './secret.ts'

export function declareApi(app: Hono, deps: RouteDeps): void {
  app.use('/api/*', requireKey(deps.config.apiKeys))
  declarePayouts(app, deps)
  declareCharges(app, deps)
  declareAirtime(app, deps)
  declareCheckouts(app, deps)
  declareEvents(app, deps)
  declareHistory(app, deps)
  declareRates(app, deps)
}

/**
 * Returns the middleware that checks the API key of each request.
 *
 * @param keys The current and the previous value of MERCHANT_API_KEY; `null` if the API is off.
 */
function requireKey(keys: Secrets | null): MiddlewareHandler {
  return async (c, next) => {
    if (!keys) throw new ProblemError('not_found', 'The merchant API is off: no MERCHANT_API_KEY is set.')
    c.header('cache-control', 'no-store')
    const given = /^bearer +(.+)$/i.exec(c.req.header('authorization') ?? '')?.[1] ?? ''
    if (!keys.some((key) => isSameSecret(given, key))) {
      c.header('www-authenticate', 'Bearer')
      throw new ProblemError('unauthorized', 'Send Authorization: Bearer with the MERCHANT_API_KEY.')
    }
    await next()
  }
}
