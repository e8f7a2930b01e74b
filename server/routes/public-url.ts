/**
 * What follows from PUBLIC_URL, below which browsers and the gateway reach this server: the paths of its routes, the
 * tag for pages, and how requests that come by another host or path are noticed. It may have a path, such as `/pay` of
 * `https://shop.example/pay`.
 */

import { getPath } from 'hono/utils/url'

import type { Log } from '../log/log.ts'
import type { MiddlewareHandler } from 'hono'

/** Returns whether PUBLIC_URL has a path: its host is then that of the shop. */
export function isBelowPath(publicUrl: string): boolean {
  return new URL(publicUrl).pathname !== '/'
}

/**
 * Returns the function that finds a request's route path. The path of PUBLIC_URL is removed where it is present: some
 * proxies and frameworks remove it before this server sees the request, others do not. Some frameworks add a slash to
 * the end of every path, which is removed, too.
 */
export function routePathOf(publicUrl: string): (request: Request) => string {
  const prefix = new URL(publicUrl).pathname.replace(/\/$/, '')
  return (request) => {
    const path = withoutEnd(getPath(request))
    if (path === prefix) {
      return '/'
    }

    const isUnprefixed = prefix === '/pay' && ORDER_PAGE.test(path)
    const isPrefixed = path.startsWith(`${prefix}/`) && !isUnprefixed
    return withWholeReference(withoutAppended(isPrefixed ? path.slice(prefix.length) : path))
  }
}

function withoutEnd(path: string): string {
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path
}

/**
 * Matches the way back from the hosted page, up to the end of the checkout's id. [assumed] Gateways append what they
 * like to the address, also without a question mark, or encoded. An id has 24 characters of base64url.
 */
const WAY_BACK = /^\/checkout\/return\/[\w-]{24}/

function withoutAppended(path: string): string {
  return WAY_BACK.exec(path)?.[0] ?? path
}

/** Several proxies decode an encoded slash of an order's reference, and it is the rest of the path. */
function withWholeReference(path: string): string {
  return ORDER_PAGE.test(path) ? `/pay/${path.slice('/pay/'.length).replaceAll('/', '%2F')}` : path
}

/**
 * Matches the route `/pay/{order}`, also where PUBLIC_URL ends in `/pay`, and a proxy has removed that already. The
 * exceptions are the routes that may follow that path.
 */
const ORDER_PAGE =
  /^\/pay\/(?!(docs|openapi\.json|llms\.txt)$|gateway-checkout|(checkout|callbacks|health|api|pay|link)\/)/

/** Returns the lines of HTML that put the element on a page. */
export function tagOf(publicUrl: string): string[] {
  // The element takes the origin of its script as the server, which is not enough if the server is below a path.
  const server = isBelowPath(publicUrl) ? ` server="${publicUrl}"` : ''
  return [
    `<script type="module" src="${publicUrl}/gateway-checkout.js"></script>`,
    `<gateway-checkout${server} order="ORDER"></gateway-checkout>`,
  ]
}

/**
 * Creates the middleware that warns once if a request arrives under another host than that of PUBLIC_URL, which the
 * gateway sends callbacks and shoppers to.
 */
export function warnOfOtherHost(publicUrl: string, log: Log): MiddlewareHandler {
  const { host: publicHost, hostname } = new URL(publicUrl)
  // Some proxies pass on the host without its port.
  const expected = new Set([publicHost, hostname].map(comparable))
  let hasWarned = false
  return async (c, next) => {
    await next()
    const host = c.req.header('x-forwarded-host') ?? c.req.header('host')
    // Anybody can send a request with any header Host, but few can send one that is accepted.
    const isAccepted = c.res.status < 400
    if (hasWarned || !isAccepted || host === undefined || expected.has(comparable(host))) {
      return
    }

    hasWarned = true
    log.warn(
      { host, public_url: publicUrl },
      'Requests arrive under another host than that of PUBLIC_URL, which the gateway sends callbacks and shoppers to. Correct PUBLIC_URL, or let the proxy pass on the header Host.',
    )
  }
}

/** Returns a host in the form in which hosts are compared: `localhost` and 127.0.0.1 count as the same. */
function comparable(host: string): string {
  return host.toLowerCase().replace(/^localhost(?=:|$)/, '127.0.0.1')
}

/** Matches a path in which one of the widget's routes follows another path, which it captures. */
const MOUNTED = /^(\/.+?)\/(?:checkout\/(?:initiate|status|return|resume)\b|gateway-checkout)/

/** Returns the path below which somebody has mounted this server; `null` if the path of a request does not show one. */
export function mountOf(path: string): string | null {
  return MOUNTED.exec(path)?.[1] ?? null
}
