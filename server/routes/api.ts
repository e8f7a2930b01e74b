/**
 * Declares what the routes below `/api`, the HTTP API for the merchant's backend, have in common: the key, and the
 * events, the history and the exchange rates. The API is off while MERCHANT_API_KEY is not set. The other routes are
 * those of the features.
 */

import { acceptedAt } from '../config/secret.ts'
import { declareEvents } from './api/events.ts'
import { declareHistory } from './api/history.ts'
import { declareRates } from './api/rates.ts'
import { problem, ProblemError } from './problem.ts'

import type { Needs } from './route.ts'
import type { Hono, MiddlewareHandler } from 'hono'

/** Declares the routes about transactions of every kind, and about the gateway. */
export function declareRecords(
  app: Hono,
  deps: Needs<'store' | 'account' | 'client' | 'clock' | 'log'>,
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
  const keys = config.apiKeys
  return async (c, next) => {
    if (!keys) {
      throw problem('not_found', 'The merchant API is off: no MERCHANT_API_KEY is set.')
    }

    c.header('cache-control', 'no-store')
    const sent = /^bearer +(.+)$/i.exec(c.req.header('authorization') ?? '')?.[1]
    if (sent !== undefined && acceptedAt(keys, clock.now()).some((key) => key.equals(sent))) {
      return next()
    }

    // Only wrong keys count: any website can make the merchant's browsers send requests without a key.
    const limitReached = sent === undefined ? null : limiter.take('api_keys', clientNetwork(c))
    if (limitReached) {
      throw new ProblemError(limitReached)
    }

    c.header('www-authenticate', 'Bearer')
    throw problem('unauthorized', 'Send Authorization: Bearer with the MERCHANT_API_KEY.')
  }
}
