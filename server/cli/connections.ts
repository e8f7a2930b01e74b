/** Limits of connections: how slow a client may be, and how many connections may be open. */

import type { ServerType } from '@hono/node-server'
import type { ServerOptions } from 'node:http'
import type { Socket } from 'node:net'
import { networkOf, trustedProxies } from '../limits/network.ts'

/**
 * The slowest client, in milliseconds and bytes. The largest body, 16 MB of airtime recipients, has a minute. Routes end
 * smaller bodies sooner.
 */
export const SLOWEST_CLIENT = {
  headersTimeout: 10_000,
  requestTimeout: 65_000,
  connectionsCheckingInterval: 1_000,
  maxHeaderSize: 16_384,
} as const satisfies ServerOptions

/** Largest number of open connections of the server: all event streams, and as many requests. */
const MOST_CONNECTIONS = 20_000
/** Largest number of open connections of a network: its event streams, and 500 requests. [assumed] */
const MOST_OF_NETWORK = 1_500

/**
 * Limits the connections of the server, and of each network.
 *
 * @param trusted The networks of proxies, which have no limit of their own. If `null`, no network has a limit, because
 * all shoppers may be behind one proxy.
 */
export function limitConnections(server: ServerType, trusted: readonly string[] | null): void {
  server.maxConnections = MOST_CONNECTIONS
  if (trusted === null) return
  const proxies = trustedProxies(trusted)
  const open = new Map<string, number>()
  server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress?.replace(/^::ffff:(?=\d+\.)/i, '') ?? ''
    const network = networkOf(address)
    if (network === null || proxies.has(address)) return
    const count = (open.get(network) ?? 0) + 1
    if (count > MOST_OF_NETWORK) return void socket.destroy()
    open.set(network, count)
    socket.once('close', () => {
      const left = (open.get(network) ?? 1) - 1
      if (left > 0) open.set(network, left)
      else open.delete(network)
    })
  })
}
