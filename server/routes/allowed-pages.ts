/**
 * Decides which pages may start a checkout (ALLOWED_ORIGINS), and to which pages a shopper may return (RETURN_URLS).
 */

import { parseUrl } from '../contract/parse.ts'
import { isSteadyPath } from '../contract/steady-path.ts'
import { wantsPage } from './answer-format.ts'
import { problem } from './problem.ts'

import type { Config } from '../config/config.ts'
import type { ProblemError } from './problem.ts'
import type { Context } from 'hono'

/**
 * The `Origin` that browsers send with the form of a page whose Referrer-Policy is `no-referrer`, and from a sandboxed
 * frame without `allow-same-origin`. A window that such a frame opens never has an origin: no press there starts a checkout.
 */
const HIDDEN_ORIGIN = 'null'

/**
 * Returns the origin of the page that sent a request. `isHidden` is whether the browser hides it: whoever allows the
 * request then asks for one more press, on a page of this server.
 *
 * @throws {ProblemError} if no shopper of this server can have sent the request from there.
 */
export function judgeOrigin(
  c: Context,
  { publicUrl, allowedOrigins }: Config,
): { origin: string | null; isHidden: boolean } {
  const origin = readOrigin(c, publicUrl)
  const isHidden = origin === HIDDEN_ORIGIN && wantsPage(c)
  if (!isHidden && !isAllowedOrigin(origin, publicUrl, allowedOrigins)) {
    throw problem('origin_not_allowed', `ALLOWED_ORIGINS does not name the header Origin: ${origin}.`)
  }
  return { origin, isHidden }
}

/**
 * Returns the origin of the page that sent a request; `null` if the client names none. A browser says by
 * `Sec-Fetch-Site`, which no page can set, that its page has the origin of this server, also where it hides that origin.
 */
function readOrigin(c: Context, publicUrl: string): string | null {
  const isOwn = c.req.header('sec-fetch-site') === 'same-origin'
  return isOwn ? new URL(publicUrl).origin : (c.req.header('origin') ?? null)
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
  if (!parsed) {
    return false
  }

  const { protocol, host, pathname, username, password } = parsed
  if (username !== '' || password !== '') {
    return false
  }

  const path = normalizePath(pathname)
  return allowed.some((entry) => {
    const base = new URL(entry)
    // Not compared by `origin`, which is "null" for an app's scheme such as capacitor:, and the page's for `blob:`.
    if (base.host !== host || base.protocol !== protocol || host === '') {
      return false
    }
    if (base.pathname === '/' || base.pathname === '') {
      return true
    }

    const folder = normalizePath(base.pathname)?.replace(/\/$/, '')
    return path !== null && folder !== undefined && `${path}/`.startsWith(`${folder}/`)
  })
}

/** Returns the decoded path of a parsed URL; `null` if another server could read the path differently. */
function normalizePath(pathname: string): string | null {
  try {
    return isSteadyPath(pathname) ? decodeURIComponent(pathname) : null
  } catch {
    return null
  }
}

/** Names only the host: the rest of the URL may be personal. */
export function problemOfReturn(url: string): ProblemError {
  const parsed = parseUrl(url)
  const place = parsed ? `on ${parsed.protocol}//${parsed.host}` : 'that is not an absolute URL'
  return problem(
    'return_url_not_allowed',
    `RETURN_URLS, or without it ALLOWED_ORIGINS and PUBLIC_URL, do not cover this return_url ${place}.`,
  )
}
