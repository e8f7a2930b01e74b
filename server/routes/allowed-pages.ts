/** Decides which pages may start a checkout (ALLOWED_ORIGINS), and where shoppers may return to (RETURN_URLS). Pure. */

import { parseUrl } from '../contract/parse.ts'

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
