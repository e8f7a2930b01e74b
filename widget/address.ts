/** Converts the addresses in the element's attributes to absolute URLs. Pure. */

/**
 * Returns the BFF's absolute URL without a trailing slash; `null` if `server` is not an HTTP URL.
 *
 * @param server The value of the `server` attribute.
 * @param page The URL of the page, against which a relative `server` is resolved.
 */
export function serverBase(server: string, page: string): string | null {
  const address = server.trim() && resolve(server, page)
  return address && /^https?:/.test(address) ? address.replace(/\/{1,9}$/, '') : null
}

/**
 * Returns `given`, the value of the `return-url` attribute, as an absolute URL. An invalid value is returned unchanged.
 *
 * [assumed] Without the `return-url` attribute, the shopper returns to the current page.
 */
export function returnAddress(given: string, page: string): string {
  return resolve(given, page) ?? given
}

/**
 * Returns `address` as an absolute URL; `null` if `address` is not valid. Empty text becomes the URL `page` without its
 * fragment.
 */
function resolve(address: string, page: string): string | null {
  try {
    return new URL(address, page).href
  } catch {
    return null
  }
}
