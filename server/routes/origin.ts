/** Checks which origins may start a checkout and which URLs a shopper may return to. Pure. */

/**
 * Whether a page of this origin may start a checkout. Browsers send the page's `Origin` with every POST. Other clients
 * send none (`null`), which is allowed.
 */
export function isAllowedOrigin(
  origin: string | null,
  publicUrl: string,
  allowed: readonly string[],
): boolean {
  return origin === null || origin === new URL(publicUrl).origin || allowed.includes(origin)
}

/**
 * Whether a shopper may return to the URL. An allowed URL covers itself and every URL below its path, on the same
 * origin.
 */
export function isAllowedReturn(url: string, allowed: readonly string[]): boolean {
  if (!URL.canParse(url)) return false
  const { origin, pathname, username, password } = new URL(url)
  if (username !== '' || password !== '') return false
  return allowed.some((entry) => {
    const base = new URL(entry)
    const folder = base.pathname.endsWith('/') ? base.pathname : `${base.pathname}/`
    return base.origin === origin && (pathname === base.pathname || pathname.startsWith(folder))
  })
}
