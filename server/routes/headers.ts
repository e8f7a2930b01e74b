/**
 * Headers of all responses, and middleware that counts responses. Middleware sets headers before the response is
 * created, because changing a Hono response afterwards is several times slower.
 *
 * A `Headers` object, too, takes longer than the rest of a frequent response. Frequent routes are therefore declared
 * before the middleware, and create their responses with {@link checkoutHeaders}.
 */

import type { Context, MiddlewareHandler } from 'hono'
import type { Metrics } from '../metrics.ts'
import { cors } from 'hono/cors'
import { matchedRoutes } from 'hono/route'

/** A new object from a literal: V8 takes microseconds to add properties to an object that begins with a spread. */
const createSecurityHeaders = (): Record<string, string> => ({
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
  setHeaders(c, createSecurityHeaders())
  return next()
}

/** Creates the CORS middleware: pages of the allowed origins may read responses. */
export function corsHeaders(allowedOrigins: readonly string[]): MiddlewareHandler {
  const preflight = cors({ origin: [...allowedOrigins], allowMethods: ['GET', 'POST'], maxAge: 600 })
  return (c, next) => {
    if (c.req.method === 'OPTIONS') return preflight(c, next)
    setHeaders(c, checkoutHeaders(c, allowedOrigins))
    return next()
  }
}

/** Returns the headers of a response below `/checkout`, including those of all responses. */
export function checkoutHeaders(c: Context, allowedOrigins: readonly string[]): Record<string, string> {
  const headers = createSecurityHeaders()
  const origin = c.req.header('origin')
  headers['vary'] = 'Origin'
  if (origin !== undefined && allowedOrigins.includes(origin)) {
    headers['access-control-allow-origin'] = origin
    headers['access-control-expose-headers'] = 'ETag,Retry-After'
  }
  return headers
}

export function setHeaders(c: Context, headers: Record<string, string>): void {
  for (const [name, value] of Object.entries(headers)) c.header(name, value)
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
  const route = matchedRoutes(c).findLast(({ method }) => method !== 'ALL')
  return route?.path ?? 'none'
}
