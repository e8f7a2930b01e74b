/**
 * Finds the client network from which a request comes: an IPv4 address, or the first 64 bits of an IPv6 address. The
 * limits per client network use the result.
 */

import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net'
import { z } from 'zod'

import { plainAddress } from '../contract/ip-address.ts'

import type { Config } from '../config/config.ts'
import type { Log } from '../log/log.ts'

/**
 * Returns the network from which a request comes; `null` if the client's address is unknown. If the result is `null`,
 * the limits per network do not apply to the request.
 */
export type ClientNetwork = (c: RequestParts) => string | null

/** The parts of a Hono context that show from where a request comes. */
interface RequestParts {
  env: unknown
  req: { header: (name: string) => string | undefined }
}

/**
 * The schema of the data about a connection, which arrives as `c.env` with each request: from `@hono/node-server`, or
 * from a framework that calls `fetch(request, { address })`. Anything else names no address.
 */
const Origin = z
  .union([
    z.object({ address: z.string() }).transform(({ address }) => ({ address, isGiven: true })),
    z
      .object({ incoming: z.object({ socket: z.object({ remoteAddress: z.string() }) }) })
      .transform(({ incoming }) => ({ address: incoming.socket.remoteAddress, isGiven: false })),
  ])
  .catch({ address: '', isGiven: false })

const UNKNOWN =
  "Requests arrive without the client's address: limits per address are off for them. Pass an IP address as the second argument: fetch(request, { address })."
const UNTRUSTED =
  'Requests arrive with X-Forwarded-For or Forwarded, but not from TRUSTED_PROXIES: they count for the address of the connection. Set TRUSTED_PROXIES to the addresses of your proxies, or to "none" if there is no proxy.'
const UNNAMED =
  'A proxy in TRUSTED_PROXIES names no client, or another one in Forwarded than in X-Forwarded-For: its requests count for its own address. Let it set X-Forwarded-For, and TRUSTED_PROXIES name only proxies.'

/**
 * The address of the connection counts, unless a trusted proxy named another. In production, whatever is wrong with the
 * addresses is a warning.
 *
 * @param config `trustedProxies` are the networks in TRUSTED_PROXIES; `null` if the variable is not set.
 */
export function createClientNetwork(
  { trustedProxies: trusted, environment }: Pick<Config, 'trustedProxies' | 'environment'>,
  log: Log,
): ClientNetwork {
  const proxies = trustedProxies(trusted ?? [])
  const warned = new Set<string>()

  return (c) => {
    const { address, isGiven } = Origin.parse(c.env)
    const peer = withoutPort(address)
    const network = networkOf(peer)
    if (network === null) {
      warnOnce(UNKNOWN)
      return null
    }

    const lists = listsOf(c.req)
    if (proxies.has(peer)) {
      const client = clientNamedBy(lists)
      if (client === null) {
        warnOnce(UNNAMED)
      }
      return client ?? network
    }
    // A framework that passes an address has read the headers.
    if (lists.length > 0 && !isGiven && trusted === null) {
      warnOnce(UNTRUSTED)
    }
    return network
  }

  /** Returns the network of the client that a proxy names; `null` if it names none, or two headers name two. */
  function clientNamedBy(lists: readonly string[][]): string | null {
    // The last address that is no trusted proxy's is the client's, who can forge all addresses before it. A header that
    // the proxy does not write is the client's from end to end.
    const named = lists.map((list) => networkOf(list.findLast((address) => !proxies.has(address)) ?? ''))
    const [client = null, ...others] = new Set(named)
    return others.length === 0 ? client : null
  }

  function warnOnce(warning: string): void {
    if (!warned.has(warning)) {
      log[environment === 'production' ? 'warn' : 'info']({}, warning)
    }

    warned.add(warning)
  }
}

/** @param networks IP addresses, and networks in CIDR notation such as `10.0.0.0/8`. */
function trustedProxies(networks: readonly string[]) {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', bits] = network.split('/')
    const family = isIPv6(address) ? 'ipv6' : 'ipv4'
    if (bits === undefined) {
      list.addAddress(address, family)
    } else {
      list.addSubnet(address, Number(bits), family)
    }
  }

  return {
    has: (address: string) => isIP(address) !== 0 && list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4'),
  }
}

/** Returns the addresses in `X-Forwarded-For`, and those in `Forwarded` (RFC 7239), of the headers that are present. */
function listsOf(req: RequestParts['req']): string[][] {
  const plain = req.header('x-forwarded-for')
  const forwarded = req.header('forwarded')
  const lists = [plain?.split(','), forwarded === undefined ? undefined : nodesOf(forwarded)]
  return lists.flatMap((entries) => (entries ? [entries.map((entry) => withoutPort(entry.trim()))] : []))
}

/**
 * One parameter of the header `Forwarded`, which may be missing, and what ends it: `;`, `,` or the end of the header. A
 * comma or semicolon in a quoted text ends nothing. [RFC 7239, section 4] Proxies write ports without the quotes, too.
 */
const PARAMETER = /\s*(?:([\w!#$%&'*+.^`|~-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s",;]*))\s*)?([;,]|$)/y

/**
 * Returns the parameter `for` of each element of the header `Forwarded`; empty where an element has none. A header that
 * cannot be read to its end, or an element with two, names nobody.
 */
function nodesOf(header: string): string[] {
  const parameter = new RegExp(PARAMETER)
  const nodes: string[] = []
  let node: string | null = null
  for (;;) {
    const [, name = '', quoted, plain = '', end] = parameter.exec(header) ?? []
    const isNode = name.toLowerCase() === 'for'
    if (end === undefined || (isNode && node !== null)) {
      return ['']
    }
    if (isNode) {
      node = quoted ?? plain
    }
    if (end !== ';') {
      nodes.push(node ?? '')
      node = null
    }
    if (end === '') {
      return nodes
    }
  }
}

/** Returns an address without its port, for example for "192.0.2.1:80" or "[2001:db8::1]:80". */
function withoutPort(node: string): string {
  return /^\[([^\]]*)\]/.exec(node)?.[1] ?? /^([\d.]+)(?::\d+)?$/.exec(node)?.[1] ?? node
}

/**
 * Returns the network for which the requests from an IP address are counted. For IPv4, this is the address itself. For
 * IPv6, this is the first 64 bits of the address, because one client usually has all addresses with these bits. Returns
 * `null` if the text is not an IP address.
 */
function networkOf(address: string): string | null {
  const plain = plainAddress(address)
  return plain === null || isIPv4(plain) ? plain : `${expand(plain).slice(0, 4).join(':')}::/64`
}

/**
 * Returns the network with a shorter prefix, so that logs contain no full address. The prefix has 24 bits for IPv4, and
 * 48 bits for IPv6.
 */
export function loggedNetwork(network: string): string {
  if (!network.includes(':')) {
    return network.replace(/\.\d+$/, '.0/24')
  }
  return `${network.split(':').slice(0, 3).join(':')}::/48`
}

/** Returns the eight parts of an IPv6 address in its short form, without leading zeros. */
function expand(ipv6: string): string[] {
  const [before = '', after] = ipv6.split('::')
  const split = (text: string) => (text === '' ? [] : text.split(':'))
  const end = split(after ?? '')
  return [...split(before), ...Array<string>(8 - split(before).length - end.length).fill('0'), ...end]
}
