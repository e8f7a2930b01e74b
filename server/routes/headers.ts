/**
 * The security headers and the CORS headers of all responses, except the policies of pages (Content-Security-Policy).
 * CORS refuses nothing: `isAllowedOrigin` in `allowed-pages.ts` decides which pages may start a checkout.
 *
 * Headers are set before a response is created, because adding them to an existing Hono response is several times
 * slower. The routes that start, show or stream a checkout get the most requests. They are declared before the
 * middleware that sets headers, and create their responses with the plain object of {@link checkoutHeaders}: a
 * `Headers` object would take longer than all other work for the response.
 */

import { cors } from 'hono/cors'
import { createHash } from 'node:crypto'

import type { Context, MiddlewareHandler } from 'hono'

/**
 * Returns a new object with the security headers of every response. The object is a literal, not a spread of a
 * constant, because callers add headers to the object: V8 takes microseconds to add a property to an object that was
 * created with a spread.
 */
export const createSecurityHeaders = (): Record<string, string> => ({
  'origin-agent-cluster': '?1',
  'referrer-policy': 'no-referrer',
  // 180 days
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

/** Removes HSTS. For where PUBLIC_URL has a path: its host is the shop's, which decides about HSTS itself. */
export const withoutHsts: MiddlewareHandler = async (c, next) => {
  await next()
  c.res.headers.delete('strict-transport-security')
}

/** Creates the middleware for routes below `/checkout`: their headers, and the answers to CORS preflights. */
export function corsHeaders(allowedOrigins: readonly string[]): MiddlewareHandler {
  const preflight = cors({
    origin: [...allowedOrigins],
    allowMethods: ['GET', 'POST'],
    credentials: true,
    maxAge: 600,
  })
  return (c, next) => {
    if (c.req.method === 'OPTIONS') {
      return preflight(c, next)
    }

    setHeaders(c, checkoutHeaders(c, allowedOrigins))
    return next()
  }
}

/**
 * Returns the security headers, and the CORS headers with which only pages of an allowed origin read the response. They
 * read it with credentials, too: a script of such a page may add them to every request. No response depends on them.
 */
export function checkoutHeaders(c: Context, allowedOrigins: readonly string[]): Record<string, string> {
  const headers = createSecurityHeaders()
  const origin = c.req.header('origin')
  headers['vary'] = 'Origin'
  if (origin !== undefined && allowedOrigins.includes(origin)) {
    headers['access-control-allow-origin'] = origin
    headers['access-control-allow-credentials'] = 'true'
    headers['access-control-expose-headers'] = 'ETag,Retry-After'
  }
  return headers
}

/** Returns the `ETag` of a body: 22 characters of its digest, which are 132 bits. */
export function etagOf(bytes: Uint8Array): string {
  return `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`
}

export function setHeaders(c: Context, headers: Record<string, string>): void {
  for (const [name, value] of Object.entries(headers)) {
    c.header(name, value)
  }
}
