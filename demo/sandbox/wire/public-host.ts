import { BlockList, isIP } from 'node:net'

/** Networks of loopback, private, shared, link-local, multicast and reserved addresses. */
const PRIVATE_IPV4 =
  '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.168.0.0/16 198.18.0.0/15 224.0.0.0/4 240.0.0.0/4'
/** The same for IPv6, with the tunnels 6to4 and Teredo and with NAT64, whose addresses contain an IPv4 address. */
const PRIVATE_IPV6 = '::/96 64:ff9b::/96 100::/64 2001::/32 2002::/16 fc00::/7 fe80::/10 fec0::/10 ff00::/8'

const privateNetworks = new BlockList()
// A `BlockList` also applies IPv4 networks to IPv4 addresses in IPv6.
for (const [address, prefix] of networksIn(PRIVATE_IPV4)) privateNetworks.addSubnet(address, prefix, 'ipv4')
for (const [address, prefix] of networksIn(PRIVATE_IPV6)) privateNetworks.addSubnet(address, prefix, 'ipv6')

/** A name without a dot, or below a name that is reserved for private networks. */
const PRIVATE_NAME = /^[^.]+$|\.(localhost|local|internal|intranet|lan|home\.arpa|invalid|onion)$/

/**
 * Returns whether the host of a URL can be reached over the internet, as far as its name or address says. [assumed] No
 * name is resolved, and the names of examples and tests (`.example`, `.test`) count as public.
 */
export function isPublicHost(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  const version = isIP(host)
  if (version === 0) return !PRIVATE_NAME.test(host)
  return !privateNetworks.check(host, version === 4 ? 'ipv4' : 'ipv6')
}

function networksIn(list: string): (readonly [address: string, prefix: number])[] {
  return list.split(' ').map((network) => {
    const [address = '', prefix] = network.split('/')
    return [address, Number(prefix)] as const
  })
}
