import { openServer } from '../../../server/listener/listen.ts'
import { systemClock } from '../../../server/work/clock.ts'
import { createLimitedShop } from './limited-shop.ts'

/** Starts the BFF of `createLimitedShop` on a local port, with the system clock instead of a virtual clock. */
export async function createListeningShop() {
  const shop = createLimitedShop({ TRUSTED_PROXIES: 'none' }, { clock: systemClock })
  const { server, port } = await openServer(
    shop.app.fetch,
    { variable: 'PORT', port: 0, host: '127.0.0.1' },
    shop.log,
  )
  return { ...shop, server, port, close: () => server.close() }
}
