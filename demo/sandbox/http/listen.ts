// The HTTP server of the sandbox and of the demo's processes, for one machine: without the limits on connections that a
// public server needs.

import { serve } from '@hono/node-server'
import { once } from 'node:events'

import type { Hono } from 'hono'

/**
 * Serves an app on a port, or on a free one if `port` is 0. `close` also closes the connections that are open.
 *
 * @throws {Error} The system's error of `listen`, if the port cannot be opened.
 */
export async function listen({ fetch }: Pick<Hono, 'fetch'>, port: number, hostname = '127.0.0.1') {
  const server = serve({ fetch, port, hostname })
  await once(server, 'listening')
  const address = server.address()
  const host = hostname.includes(':') ? `[${hostname}]` : hostname
  return {
    url: `http://${host}:${typeof address === 'object' && address !== null ? address.port : port}`,
    close: () =>
      new Promise<void>((resolve, reject) => {
        server.close((error) => (error ? reject(error) : resolve()))
        // Event streams and kept connections would delay the close. The type includes HTTP/2 servers, which lack this.
        if ('closeAllConnections' in server) {
          server.closeAllConnections()
        }
      }),
  }
}
