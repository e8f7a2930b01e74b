/**
 * Compares the addresses of requests and of pages with PUBLIC_URL, ALLOWED_ORIGINS and RETURN_URLS. PUBLIC_URL may have a
 * path, such as `/pay` of `https://shop.example/pay`.
 */

import { getPath } from 'hono/utils/url'
import { parseUrl } from '../contract/parse.ts'

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

/**
 * Returns whether a page of this origin may start a checkout. Browsers send the page's `Origin` with every POST.
 * Clients that send no `Origin` (`null`) are allowed.
 */
export function isAllowedOrigin(
  origin: string | null,
  publicUrl: string,
  allowed: readonly string[],
): boolean {
  return origin === null || origin === new URL(publicUrl).origin || allowed.includes(origin)
}

/**
 * Returns whether a shopper may return to `url`. Each URL in `allowed` permits itself and all URLs below its path. A
 * URL without a path permits all URLs of its origin.
 */
export function isAllowedReturn(url: string, allowed: readonly string[]): boolean {
  const parsed = parseUrl(url)
  if (!parsed) return false
  const { protocol, host, pathname, username, password } = parsed
  if (username !== '' || password !== '') return false
  const path = normalizePath(pathname)
  return allowed.some((entry) => {
    const base = new URL(entry)
    // Not `origin`: of a scheme of an app, such as capacitor:, it is "null", and of a `blob:` URL that of its page.
    if (base.host !== host || base.protocol !== protocol || host === '') return false
    if (base.pathname === '/' || base.pathname === '') return true
    const folder = normalizePath(base.pathname)?.replace(/\/$/, '')
    return path !== null && folder !== undefined && `${path}/`.startsWith(`${folder}/`)
  })
}

/**
 * Returns the decoded path of a parsed URL; `null` if another server could decode the path differently. Such paths
 * contain, for example, encoded slashes, dot segments with parameters, or double encoding.
 */
function normalizePath(pathname: string): string | null {
  if (/%(25)*(2f|5c)|\/(\.|%(25)*2e){1,2}(;|\/|$)/i.test(pathname)) return null
  try {
    return decodeURIComponent(pathname)
  } catch {
    return null
  }
}
