/** Addresses that a tag may write in short. Pure. */

/** The BFF's address without a slash at its end, resolved against the page; `null` when it is not a web address. */
export function serverBase(server: string, page: string): string | null {
  const address = server.trim() && resolve(server, page)
  return address && /^https?:/.test(address) ? address.replace(/\/+$/, '') : null
}

/**
 * Where the shopper comes back to.
 *
 * [assumed] Without a wish, the page that the tag is on; its fragment is left out, because the return puts its own.
 */
export function returnAddress(wish: string, page: string): string {
  return resolve(wish, page) ?? wish
}

/** Nothing resolves to the page itself, without its fragment. */
function resolve(address: string, page: string): string | null {
  try {
    return new URL(address, page).href
  } catch {
    return null
  }
}
