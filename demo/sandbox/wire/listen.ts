import { serve } from '@hono/node-server'
import type { Hono } from 'hono'

/** Serves an app on a port, or on a free one if `port` is 0. Rejects if the port cannot be opened. */
export async function listen({ fetch }: Pick<Hono, 'fetch'>, port: number, hostname = '127.0.0.1') {
  const server = serve({ fetch, port, hostname })
  await new Promise<void>((resolve, reject) => server.once('listening', resolve).once('error', reject))
  const address = server.address()
  return {
    url: `http://${hostname}:${typeof address === 'object' && address !== null ? address.port : port}`,
    close: () =>
      new Promise<void>((resolve, reject) => {
        server.close((error) => (error ? reject(error) : resolve()))
        if ('closeAllConnections' in server) server.closeAllConnections()
      }),
  }
}
