/** IP addresses in one form, whichever of their forms a text has. Pure. */

import { isIP, isIPv4 } from 'node:net'

/**
 * Returns an IP address in its one form: without a zone, an IPv4 address also where it is written in an IPv6 address
 * (IPv4-mapped, or NAT64 of RFC 6052), and another IPv6 address in its short form. `null` for any other text.
 */
export function plainAddress(text: string): string | null {
  const [address = ''] = text.split('%')
  if (isIP(address) === 0) {
    return null
  }
  if (isIPv4(address)) {
    return address
  }

  // In a URL, an address has one form.
  const { hostname } = new URL(`http://[${address}]`)
  const ipv6 = hostname.slice(1, -1)
  return ipv4In(ipv6) ?? ipv6
}

/** The short form of an address omits the first half of the IPv4 address in it if this half is 0. */
function ipv4In(ipv6: string): string | null {
  const [, high = '0', low] = /^(?:64:ff9b|::ffff)::?(?:([\da-f]{1,4}):)?([\da-f]{1,4})$/.exec(ipv6) ?? []
  if (low === undefined) {
    return null
  }

  const words = [parseInt(high, 16), parseInt(low, 16)]
  return words.flatMap((word) => [word >> 8, word & 255]).join('.')
}
