/**
 * Decides which hosts are not reachable over the internet, as far as their name or address says. The gateway takes no
 * callback address of such a host [spec: Events, rules 2 and 4], and the server sends it nothing that others name.
 * Pure.
 */

import { BlockList, isIP, isIPv4 } from 'node:net'

import { plainAddress } from './ip-address.ts'

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
  const plain = plainAddress(address) ?? ''
  if (isIPv4(plain)) {
    return privateIpv4.check(plain, 'ipv4')
  }
  return !globalIpv6.check(plain, 'ipv6') || reservedIpv6.check(plain, 'ipv6')
}

/** Returns whether the host of a URL is a private address, or a name that only exists in private networks. */
export function isPrivateHost(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  return isIP(host) === 0 ? PRIVATE_NAME.test(host) : isPrivateAddress(host)
}
