/** The networks in TRUSTED_PROXIES: IP addresses, and networks in CIDR notation such as 10.0.0.0/8. */

import { isIP } from 'node:net'

/** Returns whether a text is an IP address, or a network in CIDR notation. */
export function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/')
  const version = isIP(address)
  if (version === 0 || rest.length > 0) {
    return false
  }
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 6 ? 128 : 32))
}

/** The shortest prefixes of private networks: 10.0.0.0/8 and fc00::/7. No proxy has more addresses than these. */
const SHORTEST = { 4: 8, 6: 7 }

/** Returns whether a network is so large that it contains the clients, too, such as 0.0.0.0/0. */
export function isUnlimited(network: string): boolean {
  const [address = '', bits] = network.split('/')
  return bits !== undefined && Number(bits) < SHORTEST[isIP(address) === 6 ? 6 : 4]
}
