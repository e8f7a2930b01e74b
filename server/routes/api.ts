/**
 * The HTTP API for the merchant's backend, below `/api`: the check of its key before every route, and the routes that a
 * server has whatever its features are, about events, history and exchange rates. The API is off while MERCHANT_API_KEY is
 * not set; what MERCHANT_READ_KEY opens is on while either is. The other routes are those of the features.
 */

import { acceptedAt } from '../config/ending-secrets.ts'
import { declareEvents } from './api/events.ts'
import { declareHistory } from './api/history.ts'
import { declareRates } from './api/rates.ts'
import { problem, ProblemError } from './problem.ts'

import type { Needs } from './route.ts'
import type { Hono, MiddlewareHandler } from 'hono'

/** The paths that MERCHANT_READ_KEY opens, those of the feature `payments`. */
const READ_PATHS = /^\/api\/(payments(\.csv)?|days\/[^/]+)$/

/** Declares the routes about transactions of every kind, and about the gateway. */
export function declareRecords(
  app: Hono,
  deps: Needs<'store' | 'account' | 'client' | 'clock' | 'log' | 'config' | 'fingerprints' | 'kinds'>,
): void {
  declareEvents(app, deps)
  declareHistory(app, deps)
  declareRates(app, deps)
}

/**
 * Returns the middleware that checks the API key of each request. Requests with a right key are never limited: a
 * program with an old key may share their address.
 */
export function requireKey({
  config,
  clock,
  limiter,
  clientNetwork,
}: Needs<'config' | 'clock' | 'limiter' | 'clientNetwork'>): MiddlewareHandler {
  return async (c, next) => {
    const isReading = READ_PATHS.test(c.req.path)
    const doors = [config.apiKeys, ...(isReading ? [config.readKeys] : [])].filter((keys) => keys !== null)
    if (doors.length === 0) {
      throw problem('not_found', 'The merchant API is off: no MERCHANT_API_KEY is set.')
    }

    c.header('cache-control', 'no-store')
    const sent = /^bearer +(.+)$/i.exec(c.req.header('authorization') ?? '')?.[1]
    const accepted = doors.flatMap((keys) => [...acceptedAt(keys, clock.now())])
    if (sent !== undefined && accepted.some((key) => key.equals(sent))) {
      return next()
    }

    // Only wrong keys count: any website can make the merchant's browsers send requests without a key.
    const limitReached = sent === undefined ? null : limiter.take('api_keys', clientNetwork(c))
    if (limitReached) {
      throw new ProblemError(limitReached)
    }

    c.header('www-authenticate', 'Bearer')
    const names = isReading ? 'MERCHANT_API_KEY or the MERCHANT_READ_KEY' : 'MERCHANT_API_KEY'
    throw problem('unauthorized', `Send Authorization: Bearer with the ${names}.`)
  }
}
