/**
 * Decides which hosts are not reachable over the internet, as far as their name or address says. The gateway takes no
 * callback address of such a host [spec: Events, rules 2 and 4], and the server sends it nothing that others name.
 * Pure.
 */

import { BlockList, isIP, isIPv4 } from 'node:net'

/** Loopback, private, link-local, shared, multicast and reserved addresses. */
const privateIpv4 = networks(
  `0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.168.0.0/16
  198.18.0.0/15 224.0.0.0/4 240.0.0.0/4`,
  'ipv4',
)
/** All public IPv6 addresses are in this network. */
const globalIpv6 = networks('2000::/3', 'ipv6')
/**
 * The networks of protocols, of documentation, and of the tunnels Teredo and 6to4. Tunnel addresses contain an IPv4
 * address, which may be private.
 */
const reservedIpv6 = networks('2001::/23 2001:db8::/32 2002::/16 3fff::/20', 'ipv6')

function networks(text: string, family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList()
  for (const network of text.split(/\s+/)) {
    const [address = '', prefix] = network.split('/')
    list.addSubnet(address, Number(prefix), family)
  }

  return list
}

/** Names without a dot, and the domains that only exist in private networks (RFC 6761, RFC 8375). */
const PRIVATE_NAME = /^[^.]+$|(^|\.)(localhost|local|internal|home\.arpa)$/

export function isPrivateAddress(address: string): boolean {
  if (isIPv4(address)) {
    return privateIpv4.check(address, 'ipv4')
  }

  // In a URL, an address has one form, which `ipv4Of` reads. The zone after "%" cannot stand in a URL.
  const { hostname } = new URL(`http://[${address.replace(/%.*/, '')}]`)
  const ipv6 = hostname.slice(1, -1)
  const embedded = ipv4Of(ipv6)
  if (embedded !== null) {
    return isPrivateAddress(embedded)
  }
  return !globalIpv6.check(ipv6, 'ipv6') || reservedIpv6.check(ipv6, 'ipv6')
}

/**
 * Returns the IPv4 address in an IPv4-mapped or NAT64 address (RFC 6052); `null` for other addresses. The short form of
 * an address omits the first half of the IPv4 address if it is 0.
 */
function ipv4Of(ipv6: string): string | null {
  const [, high = '0', low] = /^(?:64:ff9b|::ffff)::?(?:([\da-f]{1,4}):)?([\da-f]{1,4})$/.exec(ipv6) ?? []
  if (low === undefined) {
    return null
  }

  const words = [parseInt(high, 16), parseInt(low, 16)]
  return words.flatMap((word) => [word >> 8, word & 255]).join('.')
}

/** Returns whether the host of a URL is a private address, or a name that only exists in private networks. */
export function isPrivateHost(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  return isIP(host) === 0 ? PRIVATE_NAME.test(host) : isPrivateAddress(host)
}
