/**
 * Middleware of all routes: sets response headers and counts responses. Headers are set before the response is created,
 * because changing a Hono response afterwards is several times slower.
 */

import type { Context, MiddlewareHandler } from 'hono'
import type { Metrics } from '../metrics.ts'
import { cors } from 'hono/cors'
import { matchedRoutes } from 'hono/route'

const SECURITY_HEADERS = Object.entries({
  'origin-agent-cluster': '?1',
  'referrer-policy': 'no-referrer',
  'strict-transport-security': 'max-age=15552000; includeSubDomains',
  'x-content-type-options': 'nosniff',
  'x-dns-prefetch-control': 'off',
  'x-download-options': 'noopen',
  'x-frame-options': 'DENY',
  'x-permitted-cross-domain-policies': 'none',
  'x-xss-protection': '0',
})

export const securityHeaders: MiddlewareHandler = (c, next) => {
  for (const [name, value] of SECURITY_HEADERS) c.header(name, value)
  return next()
}

/** Creates the CORS middleware: pages of the allowed origins may read responses. */
export function corsHeaders(allowedOrigins: readonly string[]): MiddlewareHandler {
  const preflight = cors({ origin: [...allowedOrigins], allowMethods: ['GET', 'POST'], maxAge: 600 })
  return (c, next) => {
    if (c.req.method === 'OPTIONS') return preflight(c, next)
    const origin = c.req.header('origin')
    c.header('vary', 'Origin')
    if (origin !== undefined && allowedOrigins.includes(origin)) {
      c.header('access-control-allow-origin', origin)
      c.header('access-control-expose-headers', 'ETag,Retry-After')
    }
    return next()
  }
}

/** Creates the middleware that counts responses by method, route and HTTP status. */
export function countRequests(metrics: Metrics): MiddlewareHandler {
  return async (c, next) => {
    await next()
    metrics.request(c.req.method, routeOf(c), c.res.status)
  }
}

/** Returns the path template of the request's route, such as `/api/payouts/:reference`; `none` if it has no route. */
export function routeOf(c: Context): string {
  const route = matchedRoutes(c).findLast(({ path }) => !path.endsWith('*'))
  return route?.path ?? 'none'
}
