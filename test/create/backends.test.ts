/** The shops in PHP and Python, which receive signed events over HTTP. */

import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'vitest'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { installLanguages } from '../examples/languages.ts'
import { SECRET, signed, tell } from '../examples/listeners.ts'
import { createProject } from './packed.ts'
import { freePorts, movePorts, run } from './shop.ts'

const TIMEOUT_MS = 300_000
vi.setConfig({ testTimeout: TIMEOUT_MS, hookTimeout: TIMEOUT_MS })
const OTHER_SECRET = `whsec_${Buffer.from('the webhook secret of somebody else').toString('base64')}`
const TOKEN = 'a token for tests'
const PAID = 'paid: fulfil order '

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
  test('fulfils an order once, and names a second payment and other terms', async (context) => {
    const { shop, running } = await open(context, backend)
    const order = await placeOrder(shop)
    const deliver = (id: string, terms = {}) => tell(`${shop}/events`, paid(id, order, terms))
    expect(await deliver('evt_0', { amount: '15' })).toBe(204)
    await running.says(`paid 15 KES, order 1500 KES: look at order ${order}`)
    expect(running.said()).not.toContain(PAID)
    expect([await deliver('evt_1'), await deliver('evt_1'), await deliver('evt_2')]).toEqual([204, 204, 204])
    expect(await deliver('evt_3', { merchant_transaction_id: 'other' })).toBe(204)
    await running.says(`paid again: look at order ${order}`)
    expect(running.said().split(PAID)).toHaveLength(2)
  })

  test('accepts events about no order of the shop, and fulfils nothing', async (context) => {
    const { shop, running } = await open(context, backend)
    const order = await placeOrder(shop)
    const deliver = (id: string, body: object) => tell(`${shop}/events`, signed(id, JSON.stringify(body)))
    expect(await tell(`${shop}/events`, paid('evt_0', 'TRIGGERED-Xy12'))).toBe(204)
    await running.says('checkout.paid: there is no order TRIGGERED-Xy12')
    expect(await deliver('evt_1', { type: 'checkout.paid', data: { order: 'ab' } })).toBe(204)
    expect(await deliver('evt_2', { type: 'ping', timestamp: '2026-11-21T09:00:00.000Z', data: {} })).toBe(
      204,
    )
    expect(await deliver('evt_3', { type: 'ping' })).toBe(204)
    expect(await deliver('evt_4', { type: 'payout.failed', data: { payout_reference: 'P-1' } })).toBe(204)
    expect(await deliver('evt_5', { type: 'checkout.sketched', data: { order } })).toBe(204)
    await running.says(`checkout.sketched: look at order ${order}`)
    expect(running.said()).not.toMatch(/paid: fulfil|warning|Traceback/i)
  })

  test('reads no event of more than a megabyte', async (context) => {
    const { shop } = await open(context, backend)
    const body = (length: number) =>
      JSON.stringify({ type: 'checkout.review', data: { order: 'x'.repeat(length) } })
    expect(await tell(`${shop}/events`, signed('evt_1', body(900_000)))).toBe(204)
    // The connection may end before the whole body is sent.
    expect(await tell(`${shop}/events`, signed('evt_2', body(1_000_000))).catch(() => 401)).toBe(401)
  })

  test('is not started, or accepts no event, with a secret that can be guessed', async (context) => {
    const secret = `whsec_${Buffer.alloc(23).toString('base64')}`
    const { shop, running } = await start(context, backend, secret)
    const status = running.isUp(shop).then(() => tell(`${shop}/events`, paid('evt_1', 'ab', {}, secret)))
    // Python ends, and PHP answers each event with 500.
    expect(await status.catch(() => 500)).toBe(500)
    // PHP logs its error after the answer.
    await vi.waitFor(() => expect(running.said()).toContain('MERCHANT_WEBHOOK_SECRET'), { timeout: 10_000 })
  })

  test('refuses forged events, and shows no order without the token', async (context) => {
    const { shop, running } = await open(context, backend)
    const order = await placeOrder(shop)
    const genuine = paid('evt_1', order)
    const other = paid('evt_1', order, {}, OTHER_SECRET)
    const old = paid('evt_1', order, {}, SECRET, -400)
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
})

async function open(context: TestContext, backend: Backend) {
  const { shop, running } = await start(context, backend, SECRET)
  await running.isUp(shop)
  return { shop, running }
}

/** Writes a shop on a port of its own, and starts it. It ends with the test. */
async function start({ onTestFinished }: TestContext, backend: Backend, secret: string) {
  const project = mkdtempSync(join(folder, 'shop-'))
  createProject(project, ['.', '--template', backend])
  const ports = await freePorts()
  movePorts(project, ports)
  const { shop } = ports
  const running = run(project, BACKENDS[backend](new URL(shop).host), {
    ORDERS_URL: `${shop}/orders`,
    PUBLIC_URL: shop,
    ORDERS_TOKEN: TOKEN,
    MERCHANT_WEBHOOK_SECRET: secret,
  })
  onTestFinished(() => running.stop())
  return { shop, running }
}

/** Presses the button "Order", and returns the reference of the new order. */
async function placeOrder(shop: string): Promise<string> {
  const { headers } = await fetch(`${shop}/order`, { method: 'POST', redirect: 'manual' })
  return String(headers.get('location')).replace('/order/', '')
}

/** Returns a signed event about a paid order. */
function paid(id: string, order: string, terms = {}, secret = SECRET, seconds = 0) {
  const data = { order, merchant_transaction_id: 'first', amount: '1500', currency: 'KES', ...terms }
  return signed(id, JSON.stringify({ type: 'checkout.paid', data }), secret, seconds)
}

/** Asks with exactly this header: `fetch` would remove a space at its end. */
async function statusOf(url: string, authorization: string): Promise<number> {
  const [answer] = await once(get(url, { agent: false, headers: { authorization } }), 'response')
  answer.resume()
  return answer.statusCode
}
