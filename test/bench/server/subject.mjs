// Runs one measured server in a process of its own: `node subject.mjs NAME OPTIONS`. OPTIONS is JSON. The process sends
// its URL to its parent, and ends with the parent.
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { randomUUID } from 'node:crypto'

const JSON_TYPE = { 'content-type': 'application/json' }

const SUBJECTS = {
  /** Asks the gateway over pooled connections and passes the answer on. Stores nothing. */
  async relay({ gatewayUrl }) {
    const { Pool } = await import('undici')
    const pool = new Pool(gatewayUrl, { connections: 64 })
    return new Hono().post('/checkout/initiate', async (c) => {
      const { order } = await c.req.json()
      const asked = {
        merchant_transaction_id: randomUUID(),
        amount: 1500,
        payer_name: 'Asha Otieno',
        payer_email: 'asha@example.com',
        payer_msisdn: '254700000001',
        service_code: 'CHECKOUT-KES',
        account_number: 'ACC-001',
        expires_in: 30,
        narration: order,
        callback_url: 'http://127.0.0.1:4020/callbacks/checkout/token',
        redirect_url: 'http://127.0.0.1:4020/checkout/return/id',
      }
      const path = '/v2/checkout/initiate'
      const { body } = await pool.request({
        method: 'POST',
        path,
        headers: JSON_TYPE,
        body: JSON.stringify(asked),
      })
      return c.json(await body.json(), 201)
    })
  },

  /** Answers every GET with the same text. */
  constant: ({ text }) => new Hono().get('*', (c) => c.body(text, 200, JSON_TYPE)),

  async ours({ gatewayUrl, storeUrl }) {
    const { createApp, openStore, readConfig } = await import('../../../server/dist/index.js')
    const config = readConfig({
      GATEWAY_ENVIRONMENT: 'sandbox',
      GATEWAY_BASE_URL: gatewayUrl,
      GATEWAY_CONSUMER_KEY: 'key',
      GATEWAY_CONSUMER_SECRET: 'secret',
      GATEWAY_SERVICE_CODE: 'CHECKOUT-KES',
      GATEWAY_ACCOUNT_NUMBER: 'ACC-001',
      GATEWAY_PAGE_HOSTS: '127.0.0.1',
      // The default limit of status queries would slow down the 500 checkouts.
      GATEWAY_MAX_RPS: '1000',
      PUBLIC_URL: 'http://127.0.0.1:4020',
      CALLBACK_SECRET: 'the callback secret of the benchmark',
      STORE_URL: storeUrl,
      TRUSTED_PROXIES: '127.0.0.1',
    })
    const orders = (order) => ({ order, amount: '1500', currency: 'KES', narration: 'Two kangas' })
    const app = createApp({ config, store: openStore(storeUrl), orders })
    void app.work(new AbortController().signal)
    return app
  },
}

const [, , name, options] = process.argv
const app = await SUBJECTS[name](JSON.parse(options))
serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) =>
  process.send(`http://127.0.0.1:${port}`),
)
process.on('disconnect', () => process.exit())
