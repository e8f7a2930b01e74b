/** The route that answers a request, as logs and metrics name it. */

import { matchedRoutes } from 'hono/route'

import type { Metrics } from '../metrics/metrics.ts'
import type { Context, MiddlewareHandler } from 'hono'

/** Creates the middleware that counts responses by method, route and HTTP status. */
export function countRequests(metrics: Metrics): MiddlewareHandler {
  return async (c, next) => {
    await next()
    metrics.request(c.req.method, routeOf(c), c.res.status)
  }
}

/**
 * Returns the path template of the request's route, such as `/api/payouts/:reference`; `none` if the request has no
 * route.
 */
export function routeOf(c: Context): string {
  // Hono lists middleware among the routes, with the method ALL.
  const route = matchedRoutes(c).findLast(({ method }) => method !== 'ALL')
  return route?.path ?? 'none'
}
