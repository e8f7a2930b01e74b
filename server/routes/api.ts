/** `/api`: for the merchant's backend, in any language. Off while no key is set. */

import type { MiddlewareHandler } from 'hono'
import type { Secrets } from '../config.ts'
import type { ChargeApi } from './api/charges.ts'
import type { AirtimeApi } from './api/airtime.ts'
import type { CheckoutApi } from './api/checkouts.ts'
import type { EventApi } from './api/events.ts'
import type { PayoutApi } from './api/payouts.ts'
import type { RateApi } from './api/rates.ts'
import { Hono } from 'hono'
import { chargeApi } from './api/charges.ts'
import { airtimeApi } from './api/airtime.ts'
import { checkoutApi } from './api/checkouts.ts'
import { eventApi } from './api/events.ts'
import { historyApi } from './api/history.ts'
import { payoutApi } from './api/payouts.ts'
import { rateApi } from './api/rates.ts'
import { ProblemError } from './problem.ts'
import { isSameSecret } from './secret.ts'

interface ApiRoutes extends AirtimeApi, ChargeApi, CheckoutApi, EventApi, PayoutApi, RateApi {
  /** MERCHANT_API_KEY and the one before it. */
  keys: Secrets | null
}

export function apiRoutes(deps: ApiRoutes): Hono {
  const app = new Hono()
  app.use(requireKey(deps.keys))
  app.route('/payouts', payoutApi(deps))
  app.route('/charges', chargeApi(deps))
  app.route('/airtime', airtimeApi(deps))
  app.route('/checkouts', checkoutApi(deps))
  app.route('/events', eventApi(deps))
  app.route('/history', historyApi(deps))
  app.route('/', rateApi(deps))
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
