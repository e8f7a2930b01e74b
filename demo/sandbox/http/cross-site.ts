// Refuses requests that the pages of other sites send: a developer's browser reaches the sandbox on loopback, so every
// page in the browser can send requests to it.

import { parseUrl } from '../../../server/contract/parse.ts'
import { refuse, refuseAt } from '../errors/error-response.ts'
import { Failure } from '../errors/failure.ts'
import { isLoopback } from './allowed-addresses.ts'
import { JSON_TYPE, otherType } from './request-body.ts'

import type { Context, MiddlewareHandler } from 'hono'

/**
 * Refuses requests whose `Host` header is neither a loopback name nor in `hosts`. Otherwise, an attacker could point a
 * host name at 127.0.0.1 (DNS rebinding), and browsers would treat the sandbox as part of the attacker's site.
 */
export function requireKnownHost(hosts: readonly string[]): MiddlewareHandler {
  const known = hosts.map((host) => host.toLowerCase())
  return async function knownHost(c, next) {
    const host = c.req.header('host')
    const name = host === undefined ? null : hostnameOf(host)
    // `app.request` sends no Host. Over HTTP/1.1 the header is required.
    if (host === undefined || (name !== null && (isLoopback(name) || known.includes(name)))) {
      return next()
    }

    const message = `The host ${JSON.stringify(host)} is unknown. Add it to the option hosts (sandbox --allow-host).`
    return refuseAt(c.req.path, new Failure('not_allowed', message))
  }
}

/** Returns the name in a header `Host`, as an address has it; `null` if no address can have it. */
function hostnameOf(host: string): string | null {
  return /[@/?#\\\s]/.test(host) ? null : (parseUrl(`http://${host}`)?.hostname ?? null)
}

/**
 * Refuses requests that come from pages of other sites. Allows requests without browser headers, such as those of
 * curl.
 */
export const refuseOtherSites: MiddlewareHandler = async (c, next) => {
  if (isFromOtherSite(c)) {
    return refuse(new Failure('not_allowed', 'A page of another site cannot control the sandbox.'))
  }

  // Browsers without these two headers send forms, also empty ones, and `text/plain` to other sites without a preflight, but
  // not JSON.
  const { origin, 'sec-fetch-site': site, ...headers } = c.req.header()
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
  const type = headers['content-type'] ?? ''
  const isOwnPage = origin !== undefined || site === 'same-origin'
  if (!isOwnPage && (hasBody || type !== '') && !JSON_TYPE.test(type)) {
    return refuse(otherType('application/json'))
  }
  return next()
}

export function isFromOtherSite(c: Context): boolean {
  const { host = '', origin, 'sec-fetch-site': site = 'none' } = c.req.header()
  if (!['same-origin', 'none'].includes(site)) {
    return true
  }
  return origin !== undefined && parseUrl(origin)?.host !== host.toLowerCase()
}
