/** The networks in TRUSTED_PROXIES: IP addresses, and networks in CIDR notation such as 10.0.0.0/8. */

import { BlockList, isIP, isIPv4 } from 'node:net'

import { plainAddress } from '../contract/ip-address.ts'
import { isPrivateAddress } from '../contract/private-host.ts'

/** Returns whether a text is an IP address, or a network in CIDR notation. */
export function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/')
  const version = isIP(address)
  if (version === 0 || rest.length > 0) {
    return false
  }
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 6 ? 128 : 32))
}

/** The shortest prefixes of private networks: 10.0.0.0/8 and fc00::/7. No proxies have more addresses than these. */
const SHORTEST = { ipv4: 8, ipv6: 7 }
/** The shortest prefixes of proxies with public addresses. The largest CDNs have a /10, and in IPv6 a /24. [assumed] */
const SHORTEST_PUBLIC = { ipv4: 10, ipv6: 24 }
/** All public IPv6 addresses are in this network. */
const PUBLIC_IPV6 = '2000::'
const PUBLIC_IPV6_BITS = 3

/** The beginning of the IPv6 addresses that each have an IPv4 address, in its last 32 bits: mapped ones, and NAT64. */
const EMBEDDED_BITS = 96
const EMBEDDING = ['::ffff:0:0', '64:ff9b::']

/** Returns whether a network is so large that it contains clients, too, such as 0.0.0.0/0, however it is written. */
export function isUnlimited(network: string): boolean {
  const [address = '', given] = network.split('/')
  if (given === undefined) {
    return false
  }

  const bits = Number(given)
  if (isIPv4(address)) {
    return isUnlimitedIpv4(address, bits)
  }
  // Every client with an IPv4 address is in a network that contains all addresses of one of these beginnings.
  if (bits <= EMBEDDED_BITS && EMBEDDING.some((first) => contains(address, bits, first))) {
    return true
  }

  const ipv4 = plainAddress(address) ?? ''
  if (isIPv4(ipv4)) {
    return isUnlimitedIpv4(ipv4, bits - EMBEDDED_BITS)
  }

  const isPublic = contains(PUBLIC_IPV6, PUBLIC_IPV6_BITS, address)
  return bits < (isPublic ? SHORTEST_PUBLIC.ipv6 : SHORTEST.ipv6)
}

function isUnlimitedIpv4(address: string, bits: number): boolean {
  // A network of 8 bits or more has one first number, and with it is wholly private, as 10.0.0.0/8 is, or not, as 172.0.0.0/8.
  const [first = ''] = address.split('.')
  const isPublic = !isPrivateAddress(`${first}.255.255.255`)
  return bits < (isPublic ? SHORTEST_PUBLIC.ipv4 : SHORTEST.ipv4)
}

function contains(address: string, bits: number, other: string): boolean {
  const list = new BlockList()
  list.addSubnet(address, bits, 'ipv6')
  return list.check(other, 'ipv6')
}
