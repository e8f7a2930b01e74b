/** Serves the routes below the path of PUBLIC_URL, such as `/pay` of `https://shop.example/pay`. */

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
    return path.startsWith(`${prefix}/`) ? path.slice(prefix.length) : path
  }
}
