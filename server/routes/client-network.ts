/**
 * Finds the client network from which a request comes: an IPv4 address, or the first 64 bits of an IPv6 address. The
 * limits per client network use the result.
 */

import type { Log } from '../log.ts'
import { z } from 'zod'
import { clientBehind, networkOf, trustedProxies } from '../limits/network.ts'

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

/** The schema of the data about a connection that `@hono/node-server` passes as `c.env` with each request. */
const NodeBindings = z.object({ incoming: z.object({ socket: z.object({ remoteAddress: z.string() }) }) })

const UNTRUSTED =
  'Requests arrive with X-Forwarded-For or Forwarded, but not from TRUSTED_PROXIES: limits per address are off for them. Set TRUSTED_PROXIES to the addresses of your proxies, or to "none" if there is no proxy.'

/** @param trusted The networks in TRUSTED_PROXIES; `null` if the variable is not set. */
export function createClientNetwork(trusted: readonly string[] | null, log: Log): ClientNetwork {
  const proxies = trustedProxies(trusted ?? [])
  const hasNoProxy = trusted?.length === 0
  let hasWarned = false

  return (c) => {
    const peer = withoutIpv4Prefix(NodeBindings.safeParse(c.env).data?.incoming.socket.remoteAddress)
    if (peer === null) return null
    const headers = {
      xForwardedFor: c.req.header('x-forwarded-for'),
      forwarded: c.req.header('forwarded'),
    }
    const isForwarded = headers.xForwardedFor !== undefined || headers.forwarded !== undefined
    if (proxies.has(peer)) {
      const client = clientBehind(proxies, headers)
      return client === null ? null : networkOf(client)
    }
    if (!isForwarded || hasNoProxy) return networkOf(peer)
    if (!hasWarned) log.warn({}, UNTRUSTED)
    hasWarned = true
    return null
  }
}

/**
 * Returns an IP address without the prefix `::ffff:`, which IPv6 sockets put before IPv4 addresses. Returns `null` if
 * there is no address.
 */
function withoutIpv4Prefix(address: string | undefined): string | null {
  return address?.replace(/^::ffff:(?=\d+\.)/i, '') ?? null
}
