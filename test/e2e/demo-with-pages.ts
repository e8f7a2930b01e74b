/** The demo, with pages of the test's own as the shop, and a proxy that sets the headers of the hosted page. */

import type { ReverseProxy } from './proxy.ts'
import type { Demo } from './demo.ts'
import type { Pages } from './pages.ts'
import { freePort } from '../support/free-port.ts'
import { openProxy } from './proxy.ts'
import { openDemo } from './demo.ts'
import { openPages } from './pages.ts'

export interface DemoWithPages extends Demo {
  pages: Pages
  /** Every request to the sandbox, also for the hosted page, passes this proxy. */
  gateway: ReverseProxy
}

export async function openDemoWithPages(): Promise<DemoWithPages> {
  const [sandboxPort, shopPort] = await Promise.all([freePort(), freePort()])
  const [pages, gateway] = await Promise.all([openPages(), openProxy(sandboxPort)])
  const demo = await openDemo({
    SANDBOX_PORT: String(sandboxPort),
    SHOP_PORT: String(shopPort),
    GATEWAY_BASE_URL: gateway.origin,
    ALLOWED_ORIGINS: `${pages.origin},http://127.0.0.1:${shopPort}`,
  })
  const close = async () => {
    await demo.close()
    pages.close()
    gateway.close()
  }
  return { ...demo, pages, gateway, close }
}
