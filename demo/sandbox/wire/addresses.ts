// Which addresses a request may name. [spec: Events, rules 2 and 4]

import { BlockList, isIP } from 'node:net'
import { parseUrl } from '../../../server/contract/parse.ts'

/** Which hosts callbacks may go to. */
export interface CallbackHosts {
  readonly isLoopbackAllowed: boolean
  /** Host names that are allowed in any case. */
  readonly named: readonly string[]
}

export function callbackAddressProblem(
  callback_url: string,
  hosts: CallbackHosts,
  name = 'callback_url',
): string | null {
  if (isCallbackAddress(callback_url, hosts)) return null
  const loopback = hosts.isLoopbackAllowed ? '; plain HTTP is accepted on loopback addresses only' : ''
  return `${name} must be HTTPS and publicly reachable${loopback}.`
}

// [assumed] Loopback hosts are allowed for tests; in production, if they are named. Other hosts that are not public are
// allowed if they are named.
function isCallbackAddress(address: string, { isLoopbackAllowed, named }: CallbackHosts): boolean {
  const parsed = parseUrl(address)
  if (!parsed) return false
  const { protocol, hostname } = parsed
  if (isLoopback(hostname))
    return ['https:', 'http:'].includes(protocol) && (isLoopbackAllowed || named.includes(hostname))
  return protocol === 'https:' && (isPublicHost(hostname) || named.includes(hostname))
}

export function isDeliverable(callback_url: string, { isLoopbackAllowed, named }: CallbackHosts): boolean {
  const { hostname } = new URL(callback_url)
  return (isLoopbackAllowed && isLoopback(hostname)) || named.includes(hostname)
}

// As in a URL, an IPv6 address has brackets.
export function isLoopback(hostname: string): boolean {
  return /^((.+\.)?localhost|\[::1\]|127(\.\d{1,3}){3})$/.test(hostname)
}

export function redirectAddressProblem(url: string, field = 'redirect_url'): string | null {
  return ['http:', 'https:'].includes(new URL(url).protocol)
    ? null
    : `${field} must be an HTTP or HTTPS address.`
}

/** Networks of loopback, private, shared, link-local, multicast and reserved addresses. */
const PRIVATE_IPV4 =
  '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.168.0.0/16 198.18.0.0/15 224.0.0.0/4 240.0.0.0/4'
/** The same for IPv6, with the tunnels 6to4 and Teredo and with NAT64, whose addresses contain an IPv4 address. */
const PRIVATE_IPV6 = '::/96 64:ff9b::/96 100::/64 2001::/32 2002::/16 fc00::/7 fe80::/10 fec0::/10 ff00::/8'

// A `BlockList` also applies IPv4 networks to IPv4 addresses in IPv6.
const privateNetworks = new BlockList()
for (const [type, networks] of [
  ['ipv4', PRIVATE_IPV4],
  ['ipv6', PRIVATE_IPV6],
] as const)
  for (const network of networks.split(' ')) {
    const [address = '', prefix] = network.split('/')
    privateNetworks.addSubnet(address, Number(prefix), type)
  }

/** A name without a dot, or below a name that is reserved for private networks. */
const PRIVATE_NAME = /^[^.]+$|\.(localhost|local|internal|intranet|lan|home\.arpa|invalid|onion)$/

/**
 * Returns whether the host of a URL can be reached over the internet, as far as its name or address says. [assumed] No
 * name is resolved, and the names of examples and tests (`.example`, `.test`) count as public.
 */
function isPublicHost(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  const version = isIP(host)
  if (version === 0) return !PRIVATE_NAME.test(host)
  return !privateNetworks.check(host, version === 4 ? 'ipv4' : 'ipv6')
}
