/** Resolves the addresses in attributes. Pure. */

/** Resolves the BFF's address against the page, without a trailing slash; `null` if the result is not an HTTP URL. */
export function serverBase(server: string, page: string): string | null {
  const address = server.trim() && resolve(server, page)
  return address && /^https?:/.test(address) ? address.replace(/\/+$/, '') : null
}

/**
 * Resolves the URL that the shopper returns to.
 *
 * [assumed] Without the attribute, the URL is the current page's without its fragment, because the BFF adds a fragment.
 */
export function returnAddress(given: string, page: string): string {
  return resolve(given, page) ?? given
}

/** An empty address resolves to the page without its fragment. */
function resolve(address: string, page: string): string | null {
  try {
    return new URL(address, page).href
  } catch {
    return null
  }
}
