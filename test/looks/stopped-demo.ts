// The demo (sandbox, BFF and shop) in this process, with a stopped clock, seeded randomness and fixed origins, so that
// its pages show the same text in every run.

import { serve } from '@hono/node-server'
import { chromium } from 'playwright'
import { createSandbox, createTimeline } from '../../demo/sandbox/index.ts'
import { CURRENCY, goodAt, priceOf, SHOP_NAME } from '../../demo/shop/goods.ts'
import { createShop } from '../../demo/shop/server.ts'
import { createApp } from '../../server/app.ts'
import { readConfig } from '../../server/config/config.ts'
import { openStore } from '../../server/store/open.ts'
import { browserPath } from '../support/browsers.ts'
import { chromiumOptions } from '../support/browsers/launch-options.ts'
import { freePort } from '../support/free-port.ts'
import { control } from '../support/sandbox-line.ts'
import { createSeededRandom } from '../support/seeded-random.ts'
import { BFF, ENVIRONMENT, GATEWAY, PAYER, START } from '../support/world.ts'
import type { Hono } from 'hono'
import type { CheckoutView } from '../../server/api/view.ts'

export const SHOP = 'http://127.0.0.1:4040'
const WEBHOOK_SECRET = `whsec_${Buffer.from('the secret of the shop in a picture').toString('base64')}`
/** With this number, the customer answers on the hosted page. */
const ANSWERING = '+254700000001'

export type StoppedDemo = ReturnType<typeof createStoppedDemo>

/** Opens a browser, and the ports on which each demo that `fresh` returns serves its pages until the next. */
export async function openStoppedDemos() {
  let demo = createStoppedDemo()
  const listeners = await Promise.all([
    listen(GATEWAY, (request) => demo.apps.sandbox.fetch(request)),
    listen(BFF, (request) => demo.apps.bff.fetch(request)),
    listen(SHOP, (request) => demo.apps.shop.fetch(request)),
  ])
  const { args = [], ...options } = chromiumOptions(await browserPath('chromium'))
  const rules = listeners.map(({ rule }) => rule).join(',')
  const browser = await chromium.launch({ ...options, args: [...args, `--host-resolver-rules=${rules}`] })
  return {
    browser,
    fresh: () => (demo = createStoppedDemo()),
    async close() {
      await browser.close()
      for (const { close } of listeners) close()
    },
  }
}

function createStoppedDemo() {
  const timeline = createTimeline({ wall: null, start: START })
  const sandbox = createSandbox({ timeline, seed: 1, publicUrl: GATEWAY, merchantName: SHOP_NAME })
  const randomness = createSeededRandom(1, 'looks')
  const bff = createApp({
    config: readConfig({ ...ENVIRONMENT, ALLOWED_ORIGINS: `${SHOP},${BFF}` }),
    store: { ...openStore('sqlite::memory:'), marks: async () => ({ store: 1, recovered: null }) },
    fetch: async (url, init) => sandbox.app.request(url, init),
    clock: timeline,
    randomness,
    orders: (order) => {
      const amount = priceOf(order)
      return amount === null ? null : { order, amount, currency: CURRENCY, narration: goodAt(Number(amount)) }
    },
  })
  const shop = createShop({
    bff: BFF,
    webhookSecret: WEBHOOK_SECRET,
    assets: new URL('../../demo/dist/shop/', import.meta.url),
    clock: timeline,
    token: () => 'basket',
  })
  return {
    apps: { sandbox: sandbox.app, bff, shop },
    /** Starts the checkout of a shopper who would return to `returnUrl`. */
    async start({
      order,
      returnUrl,
      ...fields
    }: {
      order: string
      returnUrl: string | null
      launch: 'redirect' | 'popup'
      lang?: string
    }) {
      const back = returnUrl === null ? {} : { return_url: returnUrl }
      const body = { ...PAYER, payer_msisdn: ANSWERING, order, ...back, ...fields }
      const answer = await bff.request(`${BFF}/checkout/initiate`, {
        method: 'POST',
        headers: { accept: 'application/json', origin: SHOP, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      if (!answer.ok) throw new Error(`initiate: ${answer.status} ${await answer.text()}`)
      const view: CheckoutView = await answer.json()
      return view
    },
    async pay({ merchant_transaction_id }: CheckoutView, scenario: string, fields: object = {}) {
      await control(sandbox, `/checkouts/${merchant_transaction_id}/pay`, { scenario, ...fields })
    },
    later: (minutes: number) => timeline.advance(minutes * 60_000),
  }
}

/** Listens on a free port, which the browser uses instead of the port of `origin`. */
async function listen(origin: string, fetch: Hono['fetch']) {
  const port = await freePort()
  const server = serve({ fetch, port, hostname: '127.0.0.1' })
  await new Promise<void>((resolve, reject) => server.once('listening', resolve).once('error', reject))
  const close = () => {
    server.close()
    if ('closeAllConnections' in server) server.closeAllConnections()
  }
  return { rule: `MAP ${new URL(origin).host} 127.0.0.1:${port}`, close }
}
