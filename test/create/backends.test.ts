/** The shops in PHP and Python, which receive signed events over HTTP: what they do with them is proven in `prove/`. */

import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { get } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'

import { installLanguages } from '../examples/languages.ts'
import { SECRET, signed, tell } from '../examples/listeners.ts'
import { newFolder } from '../support/folder.ts'
import { isRoot } from '../support/worlds/server-process.ts'
import { createProject } from './packed.ts'
import { freePorts, movePorts, run } from './shop.ts'
import { mountSmallDisk } from './small-disk.ts'

import type { TestContext } from 'vitest'

const TIMEOUT_MS = 300_000
vi.setConfig({ testTimeout: TIMEOUT_MS, hookTimeout: TIMEOUT_MS })
const TOKEN = 'a token for tests'

const folder = newFolder(afterAll)
beforeAll(installLanguages)

/** The command that serves the shop of each template. */
const BACKENDS = {
  php: (host: string) => `exec php -S ${host} shop.php`,
  python: () => 'exec python3 shop.py',
} as const
type Backend = keyof typeof BACKENDS

describe.concurrent.each(['php', 'python'] as const)('the template %s', (backend) => {
  test('a template is not started, or accepts no event, with a secret that can be guessed', async (context) => {
    const secret = `whsec_${Buffer.alloc(23).toString('base64')}`
    const { shop, running } = await start(context, backend, secret)
    const status = running.isUp(shop).then(() => tell(`${shop}/events`, signed('evt_1', '{}', secret)))
    // Python ends, and PHP answers each event with 500.
    expect(await status.catch(() => 500)).toBe(500)
    // PHP logs its error after the answer.
    await vi.waitFor(() => expect(running.said()).toContain('MERCHANT_WEBHOOK_SECRET'), { timeout: 10_000 })
  })

  test('a template shows no order without the token', async (context) => {
    const { shop, running } = await start(context, backend, SECRET)
    await running.isUp(shop)
    const order = await orderAt(shop)
    const ask = (authorization: string) => statusOf(`${shop}/orders/${order}`, authorization)
    expect([await ask(`Bearer ${TOKEN}`), await ask('Bearer '), await ask('')]).toEqual([200, 401, 401])
  })

  test.skipIf(!isRoot)(
    'an order whose mark does not fit on the disk is fulfilled when its event comes again',
    async (context) => {
      const { shop, running, project } = await start(context, backend, SECRET)
      const orders = join(project, 'orders')
      const disk = mountSmallDisk(orders, context.onTestFinished)
      await running.isUp(shop)
      const order = await orderAt(shop)
      disk.fill()
      expect(await pay(shop, order)).toBe(500)
      disk.makeRoom()
      expect(await pay(shop, order)).toBe(204)
      expect(readdirSync(orders).toSorted()).toEqual([`${order}.json`, `${order}.paid`])
      expect(readFileSync(join(orders, `${order}.paid`), 'utf8')).toBe('first')
    },
  )

  test('an empty mark, as a power cut leaves it, is none', async (context) => {
    const { shop, running, project } = await start(context, backend, SECRET)
    await running.isUp(shop)
    const order = await orderAt(shop)
    const mark = join(project, 'orders', `${order}.paid`)
    writeFileSync(mark, '')
    expect(await pay(shop, order)).toBe(204)
    expect(readFileSync(mark, 'utf8')).toBe('first')
  })

  test('the page of an order loads the script from a PUBLIC_URL that ends with a slash', async (context) => {
    const { shop, running } = await start(context, backend, SECRET, {
      PUBLIC_URL: 'https://pay.shop.example/',
    })
    await running.isUp(shop)
    const page = await (await fetch(`${shop}/order`, { method: 'POST' })).text()
    expect(page).toContain('src="https://pay.shop.example/gateway-checkout.js"')
    expect(page).toContain('server="https://pay.shop.example"')
  })
})

/** Writes a shop on a port of its own, and starts it. It ends with the test. */
async function start({ onTestFinished }: TestContext, backend: Backend, secret: string, env = {}) {
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
    ...env,
  })
  onTestFinished(() => running.stop())
  return { shop, running, project }
}

/** Creates an order at a shop, and resolves with its reference. */
async function orderAt(shop: string): Promise<string> {
  const { headers } = await fetch(`${shop}/order`, { method: 'POST', redirect: 'manual' })
  return String(headers.get('location')).replace('/order/', '')
}

/** Tells a shop that an order is paid, and resolves with the status of its response. */
async function pay(shop: string, order: string): Promise<number> {
  const data = { order, merchant_transaction_id: 'first', amount: '1500', currency: 'KES' }
  return tell(`${shop}/events`, signed('evt_1', JSON.stringify({ type: 'checkout.paid', data })))
}

/** Asks with exactly this header: `fetch` would remove a space at its end. */
async function statusOf(url: string, authorization: string): Promise<number> {
  const [answer] = await once(get(url, { agent: false, headers: { authorization } }), 'response')
  answer.resume()
  return answer.statusCode
}
