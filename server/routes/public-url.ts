/**
 * PUBLIC_URL, below which browsers and the gateway reach this server. It may have a path, such as `/pay` of
 * `https://shop.example/pay`. Warns where requests come by another host or path.
 */

import type { MiddlewareHandler } from 'hono'
import type { Log } from '../log/log.ts'
import { getPath } from 'hono/utils/url'

/**
 * Returns the function that finds a request's route path; `undefined` if PUBLIC_URL has no path. The prefix is removed
 * where it is present: some proxies and frameworks remove it before this server sees the request, others do not.
 */
export function routePathOf(publicUrl: string): ((request: Request) => string) | undefined {
  const { pathname } = new URL(publicUrl)
  const prefix = pathname.replace(/\/$/, '')
  if (prefix === '') return undefined
  return (request) => {
    const path = getPath(request)
    if (path === prefix) return '/'
    if (prefix === '/pay' && PAY.test(path)) return path
    return path.startsWith(`${prefix}/`) ? path.slice(prefix.length) : path
  }
}

/** The page of an order, where a proxy has removed `/pay` of PUBLIC_URL: no other route has this path. */
const PAY = /^\/pay\/(?!(docs|openapi\.json|llms\.txt)$|gateway-checkout)[^/]+$/

/** Returns the lines of HTML that put the element on a page. */
export function tagOf(publicUrl: string): string[] {
  // The element takes the origin of its script as the server, which is not enough if the server is below a path.
  const isBelowPath = new URL(publicUrl).pathname !== '/'
  const server = isBelowPath ? ` server="${publicUrl}"` : ''
  return [
    `<script type="module" src="${publicUrl}/gateway-checkout.js"></script>`,
    `<gateway-checkout${server} order="ORDER"></gateway-checkout>`,
  ]
}

/** Only accepted requests count: anybody can send a request with any header Host. */
const FIRST_REFUSAL = 400

/**
 * Warns once if requests arrive under another host than that of PUBLIC_URL, which callbacks and returns are sent to.
 */
export function warnOfOtherHost(publicUrl: string, log: Log): MiddlewareHandler {
  const { host: own, hostname } = new URL(publicUrl)
  // Some proxies pass on the host without its port.
  const expected = new Set([own, hostname].map(comparable))
  let hasWarned = false
  return async (c, next) => {
    await next()
    const host = c.req.header('x-forwarded-host') ?? c.req.header('host')
    if (hasWarned || host === undefined || expected.has(comparable(host)) || c.res.status >= FIRST_REFUSAL)
      return
    hasWarned = true
    log.warn(
      { host, public_url: publicUrl },
      'Requests arrive under another host than that of PUBLIC_URL, which the gateway sends callbacks and shoppers to. Correct PUBLIC_URL, or let the proxy pass on the header Host.',
    )
  }
}

/** A page of localhost may call 127.0.0.1, and the other way round. */
function comparable(host: string): string {
  return host.toLowerCase().replace(/^localhost(?=:|$)/, '127.0.0.1')
}

/** The path of a route below another path, where somebody has mounted this server. */
const MOUNTED = /^(\/.+?)\/(?:checkout\/(?:initiate|status|return|resume)\b|gateway-checkout)/

/** Returns the path below which a request expects this server; `null` if its path does not say so. */
export function mountOf(path: string): string | null {
  return MOUNTED.exec(path)?.[1] ?? null
}
