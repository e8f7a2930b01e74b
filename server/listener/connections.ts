/** Limits the number of connections, and the time that a client may take for a request. */

import type { ServerType } from '@hono/node-server'
import type { ServerOptions } from 'node:http'
import type { Socket } from 'node:net'
import type { App } from '../app.ts'
import type { Clock } from '../clock.ts'
import { networkOf, trustedProxies } from '../limits/network.ts'

/**
 * The limits for slow clients. Times are in milliseconds, and `maxHeaderSize` is in bytes. `requestTimeout` is longer
 * than the minute in which a client must send the largest permitted body (16 MB).
 */
export const SLOWEST_CLIENT = {
  headersTimeout: 10_000,
  requestTimeout: 65_000,
  connectionsCheckingInterval: 1_000,
  maxHeaderSize: 16_384,
} as const satisfies ServerOptions

/** The maximum number of open connections to the server, enough for 10,000 event streams and 10,000 other requests. */
const MOST_CONNECTIONS = 20_000
/**
 * The maximum number of open connections from one network: one IPv4 address, or all IPv6 addresses with the same first
 * 64 bits. [assumed] A network needs at most 1,000 connections for event streams and 500 for other requests.
 */
const MOST_OF_NETWORK = 1_500

/**
 * The time after which a connection is closed if no bytes are sent or received, in milliseconds. This limit closes
 * connections whose client does not read the response. Event streams stay open, because they send a heartbeat every 15
 * seconds.
 */
const IDLE_MS = 60_000

/** Milliseconds by which each response with status 429 is delayed. */
const REFUSAL_PAUSE_MS = 1_000

/**
 * Returns a handler that delays each response with status 429. The delay prevents a refused client from sending
 * thousands of requests per second.
 */
export function slowRefusals(handle: App['fetch'], clock: Clock): App['fetch'] {
  return async (...args) => {
    const answer = await handle(...args)
    if (answer.status === 429) await clock.sleep(REFUSAL_PAUSE_MS)
    return answer
  }
}

/**
 * Limits the number of open connections to the server, in total and from each network of clients, and closes idle
 * connections.
 *
 * @param trusted The networks of trusted proxies, which may open any number of connections. If `null`, the number per
 * network is not limited, because all shoppers may be behind one unknown proxy.
 */
export function limitConnections(server: ServerType, trusted: readonly string[] | null): void {
  server.maxConnections = MOST_CONNECTIONS
  if ('timeout' in server) server.timeout = IDLE_MS
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
