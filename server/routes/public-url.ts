/**
 * Finds the route of a request, and the element's script, below PUBLIC_URL, which may have a path, such as `/pay` of
 * `https://shop.example/pay`.
 */

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
