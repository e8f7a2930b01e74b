/** Finds the network of a request's client. The limiter counts the client's failures for this network. */

import type { Context } from 'hono'
import type { Log } from '../log.ts'
import { z } from 'zod'
import { clientBehind, networkOf, trustedProxies } from '../limits/network.ts'

/**
 * Returns the network of a request's client; `null` if the client is unknown. The limits per address then do not apply.
 */
export type ClientNetwork = (c: Context) => string | null

/** The bindings that `@hono/node-server` passes with each request. */
const NodeBindings = z.object({ incoming: z.object({ socket: z.object({ remoteAddress: z.string() }) }) })

const UNTRUSTED =
  'Requests arrive with X-Forwarded-For or Forwarded, but not from TRUSTED_PROXIES: limits per address are off for them. Set TRUSTED_PROXIES to the addresses of your proxies, or to "none" if there is no proxy.'

/** @param trusted The networks in TRUSTED_PROXIES; `null` if the variable is not set. */
export function createClientNetwork(trusted: readonly string[] | null, log: Log): ClientNetwork {
  const proxies = trustedProxies(trusted ?? [])
  const hasNoProxy = trusted?.length === 0
  let hasWarned = false

  return (c) => {
    const peer = networkless(NodeBindings.safeParse(c.env).data?.incoming.socket.remoteAddress)
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

/** Returns the address without the prefix that IPv6 sockets put before IPv4 addresses. */
function networkless(address: string | undefined): string | null {
  return address?.replace(/^::ffff:(?=\d+\.)/i, '') ?? null
}
