import { once } from 'node:events'
import { createServer } from 'node:http'
import { serve } from '@hono/node-server'
import { chromium } from 'playwright'
import type { CheckoutView } from '../../../server/api/view.ts'
import { startSandbox } from '../../../demo/sandbox/index.ts'
import { createApp } from '../../../server/app.ts'
import { readConfig } from '../../../server/config.ts'
import { openStore } from '../../../server/store/open.ts'
import { browserPath } from '../../support/browsers.ts'
import { chromiumOptions } from '../../support/browsers/launch-options.ts'
import { freePort } from '../../support/free-port.ts'
import { ENVIRONMENT, PAYER } from '../../support/world.ts'

// Longer than the pause between two status queries, so that callbacks arrive at any moment of the pause.
const SPREAD_MS = 2_300
const GOLDEN = 0.618

/**
 * Resolves with one latency per payment: the milliseconds from the arrival of the callback at the BFF to the event
 * `checkout-paid` in the page. A latency is negative if a status query found the payment before the callback arrived.
 */
export async function callbackLatencies(payments: number): Promise<number[]> {
  const till = await openTill()
  const browser = await chromium.launch(chromiumOptions(await browserPath('chromium')))
  try {
    const page = await browser.newPage()
    await page.goto(till.shop)
    const latencies: number[] = []
    for (let turn = 0; turn < payments; turn++) {
      const begun = await till.begin(`order-${turn}`)
      await page.evaluate(`follow('${begun.checkout_id}')`)
      await page.waitForTimeout(((turn * GOLDEN) % 1) * SPREAD_MS)
      const calledAt = await till.approve(begun)
      latencies.push((await page.evaluate<number>('paidAt')) - calledAt)
    }
    return latencies
  } finally {
    await browser.close()
    await till.close()
  }
}

const PAGE = `<!doctype html><html lang="en"><title>Bench</title><script type="module" src="BFF/gateway-checkout.js"></script>
<script>
  const ask = fetch
  let paidAt
  const follow = async (id) => {
    window.fetch = ask
    paidAt = new Promise((resolve) => addEventListener('checkout-paid', () => resolve(Date.now()), { once: true }))
    const tag = document.createElement('gateway-checkout')
    tag.setAttribute('checkout-id', id)
    document.body.replaceChildren(tag)
    while (tag.checkout === null) await new Promise(requestAnimationFrame)
    window.fetch = () => Promise.reject(new TypeError('Only the stream tells.'))
  }
</script><body></body></html>`

async function openTill() {
  const [bffPort, shopPort] = [await freePort(), await freePort()]
  const bff = `http://127.0.0.1:${bffPort}`
  const shop = `http://127.0.0.1:${shopPort}`
  const sandbox = await startSandbox({ port: 0 })
  const config = readConfig({
    ...ENVIRONMENT,
    GATEWAY_BASE_URL: sandbox.url,
    PUBLIC_URL: bff,
    ALLOWED_ORIGINS: shop,
    MERCHANT_WEBHOOK_URL: undefined,
    MERCHANT_WEBHOOK_SECRET: undefined,
  })
  const store = openStore('sqlite::memory:')
  const orders = (order: string) => ({ order, amount: '500', currency: 'KES', narration: 'Two kangas' })
  const app = createApp({ config, store, orders })
  let called = (_at: number) => {}
  const fetch: typeof app.fetch = (request, ...rest) => {
    if (new URL(request.url).pathname.startsWith('/callbacks/')) called(Date.now())
    return app.fetch(request, ...rest)
  }
  const over = new AbortController()
  const working = app.work(over.signal)
  const servers = [
    serve({ fetch, port: bffPort, hostname: '127.0.0.1' }),
    createServer((_, response) => {
      response.setHeader('content-type', 'text/html').end(PAGE.replace('BFF', bff))
    }).listen(shopPort, '127.0.0.1'),
  ]
  await Promise.all(servers.map((server) => once(server, 'listening')))

  return {
    shop,
    begin: (order: string) => post<CheckoutView>(`${bff}/checkout/initiate`, { order, ...PAYER }),
    async approve({ merchant_transaction_id }: CheckoutView): Promise<number> {
      const calledAt = new Promise<number>((resolve) => (called = resolve))
      await post(`${sandbox.url}/_sandbox/checkouts/${merchant_transaction_id}/pay`, { scenario: 'approve' })
      return calledAt
    },
    async close() {
      over.abort()
      for (const server of servers) {
        server.close()
        if ('closeAllConnections' in server) server.closeAllConnections()
      }
      await working
      await Promise.all([store.close(), sandbox.close()])
    },
  }
}

async function post<T>(url: string, body: object): Promise<T> {
  const headers = { 'content-type': 'application/json', accept: 'application/json' }
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${await answer.text()}`)
  return answer.json()
}
