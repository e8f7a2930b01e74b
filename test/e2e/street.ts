/** A market with a shop of the test's own in it: its pages, and the headers of the gateway's page, are the test's. */

import type { Front } from './front.ts'
import type { Market } from './market.ts'
import type { Pages } from './pages.ts'
import { freePort } from '../support/free-port.ts'
import { openFront } from './front.ts'
import { openMarket } from './market.ts'
import { openPages } from './pages.ts'

export interface Street extends Market {
  pages: Pages
  /** Between everybody and the sandbox, and with it the hosted page. */
  gateway: Front
}

export async function openStreet(): Promise<Street> {
  const [sandboxPort, shopPort] = await Promise.all([freePort(), freePort()])
  const [pages, gateway] = await Promise.all([openPages(), openFront(sandboxPort)])
  const market = await openMarket({
    SANDBOX_PORT: String(sandboxPort),
    SHOP_PORT: String(shopPort),
    GATEWAY_BASE_URL: gateway.origin,
    ALLOWED_ORIGINS: `${pages.origin},http://127.0.0.1:${shopPort}`,
  })
  const close = async () => {
    await market.close()
    pages.close()
    gateway.close()
  }
  return { ...market, pages, gateway, close }
}
