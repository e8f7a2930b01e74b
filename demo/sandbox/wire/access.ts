// A developer's browser reaches the sandbox on loopback, so every page in the browser can send requests to the sandbox.

import type { Context, MiddlewareHandler } from 'hono'
import { isLoopback } from './addresses.ts'
import { JSON_TYPE } from './body.ts'
import { refuseAt } from './acknowledgement.ts'
import { refuse } from './failure.ts'
import { parseUrl } from '../../../server/contract/parse-url.ts'

/**
 * Refuses requests whose `Host` header is neither a loopback name nor in `hosts`. Otherwise, an attacker could point a
 * host name at 127.0.0.1 (DNS rebinding), and browsers would treat the sandbox as part of the attacker's site.
 */
export function requireKnownHost(hosts: readonly string[]): MiddlewareHandler {
  const known = hosts.map((host) => host.toLowerCase())
  return async function knownHost(c, next) {
    const host = c.req.header('host')
    // `app.request` sends no Host. Over HTTP/1.1 the header is required.
    if (host === undefined || isKnown(host, known)) return next()
    return refuseAt(c.req.path, {
      reason: 'not_allowed',
      problem: `The host ${JSON.stringify(host)} is unknown. Add it to the option hosts (sandbox --allow-host).`,
    })
  }
}

function isKnown(host: string, known: readonly string[]): boolean {
  const name = host.toLowerCase().replace(/:\d*$/, '')
  return isLoopback(name) || known.includes(name)
}

/**
 * Refuses requests that come from pages of other sites. Allows requests without browser headers, such as those of
 * curl.
 */
export const refuseOtherSites: MiddlewareHandler = async (c, next) => {
  const site = c.req.header('sec-fetch-site')
  const origin = c.req.header('origin')
  if (isFromOtherSite(c)) {
    const problem = 'A page of another site cannot control the sandbox.'
    return refuse({ reason: 'not_allowed', problem })
  }

  // Browsers without these two headers send forms and `text/plain` to other sites without a preflight, but not JSON.
  const isOwnPage = origin !== undefined || site === 'same-origin'
  if (!isOwnPage && hasBody(c.req.header()) && !JSON_TYPE.test(c.req.header('content-type') ?? ''))
    return refuse({ reason: 'body_of_other_type', expected: 'application/json' })
  return next()
}

export function isFromOtherSite(c: Context): boolean {
  const site = c.req.header('sec-fetch-site')
  const origin = c.req.header('origin')
  const isOwnSite = site === undefined || site === 'same-origin' || site === 'none'
  const isOwnOrigin = origin === undefined || hostOf(origin) === c.req.header('host')?.toLowerCase()
  return !isOwnSite || !isOwnOrigin
}

function hostOf(origin: string): string | null {
  return parseUrl(origin)?.host ?? null
}

function hasBody(headers: Record<string, string>): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}
