/** `/api`: the HTTP API for the merchant's backend. Disabled while no API key is configured. */

import type { MiddlewareHandler } from 'hono'
import type { Secrets } from '../config.ts'
import type { ApiDeps } from './api/transactions.ts'
import { Hono } from 'hono'
import { declareAirtime } from './api/airtime.ts'
import { declareCharges } from './api/charges.ts'
import { declareCheckouts } from './api/checkouts.ts'
import { declareEvents } from './api/events.ts'
import { declareHistory } from './api/history.ts'
import { declarePayouts } from './api/payouts.ts'
import { declareRates } from './api/rates.ts'
import { ProblemError } from './problem.ts'
import { isSameSecret } from './secret.ts'

interface ApiRoutes extends ApiDeps {
  /** MERCHANT_API_KEY and its previous value; `null`: the API is off. */
  keys: Secrets | null
}

export function apiRoutes(deps: ApiRoutes): Hono {
  const app = new Hono()
  app.use('/api/*', requireKey(deps.keys))
  declarePayouts(app, deps)
  declareCharges(app, deps)
  declareAirtime(app, deps)
  declareCheckouts(app, deps)
  declareEvents(app, deps)
  declareHistory(app, deps)
  declareRates(app, deps)
  return app
}

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
