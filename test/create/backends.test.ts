/** The shops in PHP and Python, which receive signed events over HTTP. */

import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Webhook } from 'standardwebhooks'
import type { TestContext } from 'vitest'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { installLanguages } from '../examples/languages.ts'
import type { WebhookRequest } from '../examples/listeners.ts'
import { tell } from '../examples/listeners.ts'
import { createProject } from './packed.ts'
import { freePorts, movePorts, priceAsNumber, run } from './shop.ts'

const TIMEOUT_MS = 300_000
vi.setConfig({ testTimeout: TIMEOUT_MS, hookTimeout: TIMEOUT_MS })
const SECRET = `whsec_${Buffer.from('a webhook secret for tests of fulfilment').toString('base64')}`
const OTHER_SECRET = `whsec_${Buffer.from('the webhook secret of somebody else').toString('base64')}`
const TOKEN = 'a token for tests'
const PAID = 'paid: fulfil order '
const AGAIN = 'paid again: look at order '

const folder = mkdtempSync(join(tmpdir(), 'backends-'))
beforeAll(installLanguages)
afterAll(() => rmSync(folder, { recursive: true }))

/** The command that serves the shop of each template. */
const BACKENDS = {
  php: (host: string) => `exec php -S ${host} shop.php`,
  python: () => 'exec python3 shop.py',
} as const
type Backend = keyof typeof BACKENDS

describe.concurrent.each(['php', 'python'] as const)('the template %s', (backend) => {
  test('fulfils an order once, also after a restart, and reports a second payment', async (context) => {
    const { project, shop, start } = await open(context, backend)
    const failing = await start()
    const order = await placeOrder(shop)
    const deliver = (id: string) => tell(`${shop}/events`, paid(id, order))
    const mark = join(project, `orders/${order}.paid`)
    symlinkSync('/nowhere/file', mark)
    expect(await deliver('evt_1')).toBe(500)
    await failing.stop()
    rmSync(mark)
    const first = await start()
    expect(await deliver('evt_1')).toBe(204)
    await first.says(`${PAID}${order}`)
    await first.stop()
    const second = await start()
    expect([await deliver('evt_1'), await deliver('evt_2')]).toEqual([204, 204])
    expect(second.said()).not.toContain(AGAIN)
    const again = paid('evt_3', order, { merchant_transaction_id: 'other' })
    expect(await tell(`${shop}/events`, again)).toBe(204)
    await second.says(`${AGAIN}${order}`)
    expect(second.said()).not.toContain(PAID)
  })

  test('compares the terms of a payment as text, and names those that differ', async (context) => {
    const { project, shop, start } = await open(context, backend)
    priceAsNumber(project)
    const running = await start()
    const order = await placeOrder(shop)
    expect(await tell(`${shop}/events`, paid('evt_1', order, { amount: '15' }))).toBe(204)
    await running.says(`paid 15 KES, order 1500 KES: look at order ${order}`)
    expect(running.said()).not.toContain(PAID)
    expect(await tell(`${shop}/events`, paid('evt_2', order))).toBe(204)
    await running.says(`${PAID}${order}`)
  })

  test('accepts events if its secret has lost the prefix', async (context) => {
    const { shop, start } = await open(context, backend, {
      MERCHANT_WEBHOOK_SECRET: SECRET.replace('whsec_', ''),
    })
    await start()
    const order = await placeOrder(shop)
    expect(await tell(`${shop}/events`, paid('evt_1', order))).toBe(204)
  })

  test('refuses forged events, and shows no order without the token', async (context) => {
    const { shop, start } = await open(context, backend)
    const running = await start()
    const order = await placeOrder(shop)
    const genuine = paid('evt_1', order)
    const other = paid('evt_1', order, {}, OTHER_SECRET)
    const old = paid('evt_1', order, {}, SECRET, new Date(Date.now() - 400_000))
    const forged = [
      other,
      old,
      { ...genuine, body: genuine.body.replace('1500', '15') },
      { ...genuine, headers: { ...genuine.headers, 'webhook-timestamp': 'now' } },
      { ...genuine, headers: {} },
    ]
    expect(await Promise.all(forged.map((each) => tell(`${shop}/events`, each)))).toEqual(
      forged.map(() => 401),
    )
    expect(running.said()).not.toContain(PAID)
    const ask = (authorization: string) => statusOf(`${shop}/orders/${order}`, authorization)
    expect([await ask(`Bearer ${TOKEN}`), await ask('Bearer '), await ask('')]).toEqual([200, 401, 401])
  })

  test.for(['MERCHANT_WEBHOOK_SECRET', 'ORDERS_TOKEN'])(
    'without %s, nobody gets in',
    async (name, context) => {
      const { shop, start } = await open(context, backend, {
        [name]: name === 'ORDERS_TOKEN' ? '' : 'whsec_',
      })
      const running = await start().catch(() => null)
      // Python refuses to start.
      if (!running) return
      const order = await placeOrder(shop)
      const { body, headers } = paid('evt_1', order)
      const content = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
      const signature = `v1,${createHmac('sha256', '').update(content).digest('base64')}`
      const forged = { body, headers: { ...headers, 'webhook-signature': signature } }
      expect(await tell(`${shop}/events`, forged)).toBeGreaterThanOrEqual(400)
      expect(await statusOf(`${shop}/orders/${order}`, 'Bearer ')).toBeGreaterThanOrEqual(400)
      expect(running.said()).not.toContain(PAID)
    },
  )
})

/** Writes a shop on a port of its own. `start` starts it, and ends it with the test. */
async function open({ onTestFinished }: TestContext, backend: Backend, more: Record<string, string> = {}) {
  const project = mkdtempSync(join(folder, 'shop-'))
  createProject(project, ['.', '--template', backend])
  const ports = await freePorts()
  movePorts(project, ports)
  const { shop } = ports
  const env = {
    ORDERS_URL: `${shop}/orders`,
    PUBLIC_URL: shop,
    ORDERS_TOKEN: TOKEN,
    MERCHANT_WEBHOOK_SECRET: SECRET,
    ...more,
  }
  return {
    project,
    shop,
    start: async () => {
      const running = run(project, BACKENDS[backend](new URL(shop).host), env)
      onTestFinished(() => running.stop())
      await running.isUp(shop)
      return running
    },
  }
}

/** Presses the button "Order", and returns the reference of the new order. */
async function placeOrder(shop: string): Promise<string> {
  const { headers } = await fetch(`${shop}/order`, { method: 'POST', redirect: 'manual' })
  return String(headers.get('location')).replace('/order/', '')
}

/** Returns a signed event about a paid order. */
function paid(id: string, order: string, terms = {}, secret = SECRET, at = new Date()) {
  const data = { order, merchant_transaction_id: 'first', amount: '1500', currency: 'KES', ...terms }
  const body = JSON.stringify({ type: 'checkout.paid', data })
  return {
    body,
    headers: {
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': new Webhook(secret).sign(id, at, body),
    },
  } satisfies WebhookRequest
}

/** Asks with exactly this header: `fetch` would remove a space at its end. */
async function statusOf(url: string, authorization: string): Promise<number> {
  const [answer] = await once(get(url, { agent: false, headers: { authorization } }), 'response')
  answer.resume()
  return answer.statusCode
}
