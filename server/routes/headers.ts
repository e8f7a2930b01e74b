/**
 * The headers of all responses. They are set before a response is created, because adding headers to an existing Hono
 * response is several times slower. The policies of pages (CSP) are in `pages.tsx` and `docs.ts`. Nothing is refused
 * here: see `isAllowedOrigin` in `checkout.ts`.
 *
 * The routes that start, show or stream a checkout get the most requests. They set their headers themselves, with
 * {@link checkoutHeaders}, and are declared before the middleware that sets headers, so that this middleware does not
 * run for them. Most of their responses get the headers as a plain object, because creating a `Headers` object would
 * take longer than all other work for the response.
 */

import type { Context, MiddlewareHandler } from 'hono'
import { createHash } from 'node:crypto'
import { cors } from 'hono/cors'

/**
 * Returns a new object with the security headers of every response. The object is a literal, not a spread of a
 * constant, because callers add headers to the object: V8 takes microseconds to add a property to an object that was
 * created with a spread.
 */
export const createSecurityHeaders = (): Record<string, string> => ({
  'origin-agent-cluster': '?1',
  'referrer-policy': 'no-referrer',
  'strict-transport-security': 'max-age=15552000',
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

/** Removes HSTS where PUBLIC_URL has a path: its host is the shop's, for which this server does not speak. */
export const withoutHsts: MiddlewareHandler = async (c, next) => {
  await next()
  c.res.headers.delete('strict-transport-security')
}

/** Creates the CORS middleware, which lets pages of the allowed origins read responses. */
export function corsHeaders(allowedOrigins: readonly string[]): MiddlewareHandler {
  const preflight = cors({ origin: [...allowedOrigins], allowMethods: ['GET', 'POST'], maxAge: 600 })
  return (c, next) => {
    if (c.req.method === 'OPTIONS') return preflight(c, next)
    setHeaders(c, checkoutHeaders(c, allowedOrigins))
    return next()
  }
}

/**
 * Returns the security headers and the CORS headers for a response of a route below `/checkout`. The CORS headers let
 * only pages of an allowed origin read the response.
 */
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

/** Returns the `ETag` of a body that is kept. */
export function etagOf(bytes: Uint8Array): string {
  return `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`
}

export function setHeaders(c: Context, headers: Record<string, string>): void {
  for (const [name, value] of Object.entries(headers)) c.header(name, value)
}
