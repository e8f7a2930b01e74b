/** The networks in TRUSTED_PROXIES: IP addresses, and networks in CIDR notation such as 10.0.0.0/8. */

import { BlockList, isIP, isIPv4 } from 'node:net'

import { plainAddress } from '../contract/ip-address.ts'

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

/** The beginning of the IPv6 addresses that each have an IPv4 address, in its last 32 bits: mapped ones, and NAT64. */
const EMBEDDED_BITS = 96
const EMBEDDING = ['::ffff:0:0', '64:ff9b::']

/** Returns whether a network is so large that it contains the clients, too, such as 0.0.0.0/0, however it is written. */
export function isUnlimited(network: string): boolean {
  const [address = '', given] = network.split('/')
  if (given === undefined) {
    return false
  }

  const bits = Number(given)
  if (isIPv4(address)) {
    return bits < SHORTEST[4]
  }
  // Every client with an IPv4 address is in a network that contains all addresses of one of these beginnings.
  if (
    bits < SHORTEST[6] ||
    (bits <= EMBEDDED_BITS && EMBEDDING.some((first) => contains(address, bits, first)))
  ) {
    return true
  }
  return isIPv4(plainAddress(address) ?? '') && bits - EMBEDDED_BITS < SHORTEST[4]
}

function contains(address: string, bits: number, other: string): boolean {
  const list = new BlockList()
  list.addSubnet(address, bits, 'ipv6')
  return list.check(other, 'ipv6')
}
