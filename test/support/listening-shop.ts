import type { AddressInfo } from 'node:net'
import { once } from 'node:events'
import { serve } from '@hono/node-server'
import { limitConnections, SLOWEST_CLIENT, slowRefusals } from '../../server/listener/connections.ts'
import { handleOneAtATime } from '../../server/listener/pipelining.ts'
import { systemClock } from '../../server/clock.ts'
import { createLimitedShop } from './limited-shop.ts'

/** Starts the BFF of `createLimitedShop` on a local port, with the system clock instead of a virtual clock. */
export async function createListeningShop() {
  const trusted = 'none'
  const shop = createLimitedShop({ TRUSTED_PROXIES: trusted }, { clock: systemClock })
  let handled = 0
  const fetch: typeof shop.app.fetch = (...args) => {
    handled += 1
    return shop.app.fetch(...args)
  }
  const server = serve({
    fetch: handleOneAtATime(slowRefusals(fetch, systemClock)),
    hostname: '127.0.0.1',
    port: 0,
    serverOptions: SLOWEST_CLIENT,
  })
  limitConnections(server, [])
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { ...shop, server, port, handled: () => handled, close: () => server.close() }
}
