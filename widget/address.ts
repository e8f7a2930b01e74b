/** Addresses that a tag may write in short. Pure. */

/** The BFF's address without a slash at its end, resolved against the page; `null` when it is not a web address. */
export function serverBase(server: string, page: string): string | null {
  if (server.trim() === '') return null
  const url = resolve(server, page)
  return url !== null && /^https?:$/.test(url.protocol)
    ? (url.origin + url.pathname).replace(/\/+$/, '')
    : null
}

/**
 * Where the shopper comes back to.
 *
 * [assumed] Without a wish, the page that the tag is on; its fragment is left out, because the return puts its own.
 */
export function returnAddress(wish: string, page: string): string {
  const url = resolve(wish, page)
  if (url === null) return wish
  if (wish === '') url.hash = ''
  return url.href
}

function resolve(address: string, page: string): URL | null {
  try {
    return new URL(address, page)
  } catch {
    return null
  }
}
