import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Webhook } from 'standardwebhooks'
import { afterAll, describe, expect, test } from 'vitest'

import { createShop } from '../../demo/shop/server.ts'
import { newFolder } from '../support/folder.ts'
import { createWorld } from '../support/worlds/world.ts'

import type { ShopOptions } from '../../demo/shop/server.ts'

const BFF = 'http://127.0.0.1:4020'
const SECRET = 'whsec_c2hhcmVkIGJ5IHNob3AgYW5kIHBheW1lbnQgc2VydmVy'
const NOW = Date.UTC(2030, 0, 1, 12)
const ORDER = 'demo-1500-7f3a'

const folder = newFolder(afterAll)
writeFileSync(join(folder, 'bench.js'), '// The page’s script.')

/** @param ask Answers the shop's question for the page of an order. */
function open(ask: ShopOptions['fetch'] = async () => new Response('<gateway-checkout></gateway-checkout>')) {
  const shop = createShop({
    bff: BFF,
    fetch: ask,
    webhookSecret: SECRET,
    assets: pathToFileURL(`${folder}/`),
    clock: { now: () => NOW },
    token: () => 'fresh',
  })
  const get = async (path: string, init: RequestInit = {}) => shop.request(path, init)
  const post = async (init: RequestInit) => shop.request('/webhooks', init)
  return {
    get,
    page: async (path: string) => (await get(path)).text(),
    post,
    receive: (event: EventFields = {}) => post(signed(event)),
    fulfilled: async (): Promise<unknown> => (await get('/fulfilled')).json(),
  }
}

interface EventFields {
  id?: string
  type?: string
  paid?: string
  currency?: string
  order?: string
  secret?: string
  at?: number
}

function signed(fields: EventFields): RequestInit {
  const { id = 'event-1', type = 'checkout.paid', paid = '1500', currency = 'KES', at = NOW } = fields
  const order = fields.order ?? ORDER
  const data = { order, checkout_id: 'c1', amount_paid: paid, currency, discrepancy: null }
  const body = JSON.stringify({ type, timestamp: new Date(at).toISOString(), data })
  const headers = {
    'webhook-id': id,
    'webhook-timestamp': String(at / 1000),
    'webhook-signature': new Webhook(fields.secret ?? SECRET).sign(id, new Date(at), body),
  }
  return { method: 'POST', body, headers }
}

describe('the page', () => {
  test('the page of the shop opens an order for the picked amount', async () => {
    const answer = await open().get('/?amount=850&launch=popup')
    expect(answer.status).toBe(303)
    expect(answer.headers.get('location')).toContain('amount=850&launch=popup')
    expect(answer.headers.get('location')).toContain('order=demo-850-fresh')
  })

  test('an address that does not exist has a page, which leads to the shop', async () => {
    const { get } = open()
    const page = await get('/nothing', { headers: { accept: 'text/html' } })
    expect(page.status).toBe(404)
    const html = await page.text()
    expect(html).toContain('This page does not exist')
    expect(html).toContain('href="/"')
    expect(html).not.toContain('<script')
  })

  test.each(['/nothing', '/assets/nothing.js'])(
    'a program that asks for %s, which does not exist, gets JSON',
    async (path) => {
      const answer = await open().get(path)
      expect(answer.status).toBe(404)
      expect(await answer.json()).toEqual({ status: 404, title: 'Not found' })
    },
  )

  test('the page of the shop keeps the order it was opened with', async () => {
    const answer = await open().get(`/?amount=1500&order=${ORDER}`)
    expect(answer.status).toBe(200)
    expect(await answer.text()).toContain(`order="${ORDER}"`)
  })

  test.each(['1.5', '-3', '0', '1e99', 'much', '', '9999999999'])(
    'the page of the shop has no order for KES %s',
    async (amount) => {
      const answer = await open().get(`/?amount=${amount}`)
      expect(answer.headers.get('location')).toContain('order=demo-1500-fresh')
    },
  )

  test('the page of the shop shows the snippet that it uses itself', async () => {
    const page = await open().page(`/?amount=1500&order=${ORDER}&lang=sw&theme=dark&launch=redirect`)
    for (const [name, value] of Object.entries({
      lang: 'sw',
      theme: 'dark',
      launch: 'redirect',
      server: BFF,
    })) {
      expect(page).toMatch(new RegExp(`<gateway-checkout[^>]* ${name}="${value}"`))
      expect(page).toContain(`  ${name}=&quot;${value}&quot;`)
    }
  })

  test.each(['known', 'asked'])(
    'the page of the shop contains a form that works without a script, payer %s',
    async (payer) => {
      const page = await open().page(`/?amount=1500&order=${ORDER}&payer=${payer}`)
      expect(page).toContain(`method="post" target="_top" action="${BFF}/checkout/initiate"`)
      expect(page).toContain(`name="order" value="${ORDER}"`)
    },
  )

  test.each(['known', 'asked'])(
    'the page of the shop offers no payment of a paid order without a script, payer %s',
    async (payer) => {
      const shop = open()
      await shop.receive({ type: 'checkout.partial', paid: '500' })
      const address = `/?amount=1500&order=${ORDER}&payer=${payer}`
      expect(await shop.page(address)).toContain('/checkout/initiate')
      await shop.receive({ id: 'event-2' })
      const page = await shop.page(address)
      expect(page).not.toContain('/checkout/initiate')
      expect(page).toMatch(new RegExp(`<gateway-checkout[^>]* order="${ORDER}"`))
      expect(page).toContain('We have received your payment.')
    },
  )

  test.each(['known', 'asked'])(
    'the page of the shop offers a payment without a script only where the payment server would start one, payer %s',
    async (payer) => {
      const world = await createWorld()
      world.order(ORDER, '1500')
      const shop = open((address) =>
        world.ask(new URL(address).pathname, { headers: { accept: 'text/html' } }),
      )
      const page = () => shop.page(`/?amount=1500&order=${ORDER}&payer=${payer}`)
      const begun = `<a href="${BFF}/pay/${ORDER}">`
      expect(await page()).toContain('/checkout/initiate')
      const started = await world.start(ORDER)
      for (const [scenario, fields, ms] of [
        ['partial', { amount: 500 }, 5_000],
        ['jam', {}, 60_000],
        ['approve', {}, 60_000],
      ] as const) {
        await world.pay(started, scenario, fields)
        await world.later(ms)
        expect(await page()).not.toContain('/checkout/initiate')
        expect(await page()).toContain(begun)
      }
    },
  )

  test('the page of the shop offers a payment while the payment server does not answer, which decides anyway', async () => {
    const shop = open(() => Promise.reject(new TypeError('fetch failed')))
    expect(await shop.page(`/?amount=1500&order=${ORDER}`)).toContain('/checkout/initiate')
  })

  test('the page of the shop allows only its own scripts and styles and the tag', async () => {
    const shop = open()
    const answer = await shop.get(`/?amount=1500&order=${ORDER}`)
    const policy = answer.headers.get('content-security-policy') ?? ''
    const [, nonce = 'none'] = /style-src 'self' 'nonce-([^']+)';/.exec(policy) ?? []
    expect(policy).toContain(`script-src 'self' ${BFF} 'nonce-${nonce}';`)
    const page = await answer.text()
    expect(page.split(`<style nonce="${nonce}">`)).toHaveLength(2)
    expect(page.split(`<script nonce="${nonce}">`)).toHaveLength(2)
    expect(page).not.toMatch(/<(style|script)(?! nonce|[^>]*src=)|style=| on[a-z]+=/)
  })

  test('the page of the shop serves its script, and no other file beside it', async () => {
    expect((await open().get('/assets/bench.js')).headers.get('content-type')).toContain('javascript')
    expect((await open().get('/assets/..%2fpackage.json')).status).toBe(404)
  })
})

const PAID: EventFields = {}
const FULFILLED = { order: ORDER, standing: 'fulfilled', amount_paid: '1500', currency: 'KES' }

test.each<[string, EventFields[], object]>([
  ['fulfils an order that is paid in full', [PAID], { ...FULFILLED, heard: ['checkout.paid'] }],
  ['does not fulfil less than the price', [{ paid: '1499.99' }], { standing: 'look_at_it' }],
  ['does not fulfil another currency', [{ currency: 'UGX' }], { standing: 'look_at_it' }],
  ['does not fulfil an unknown order', [{ order: 'invoice-9' }], { standing: 'look_at_it' }],
  ['counts a repeated event once', [PAID, PAID], { heard: ['checkout.paid'] }],
  [
    'marks the order as taken back when the payment is reversed',
    [PAID, { id: 'event-2', type: 'checkout.reversed', paid: '0' }],
    { standing: 'taken_back', heard: ['checkout.paid', 'checkout.reversed'] },
  ],
  ...['checkout.expired', 'checkout.partial'].map((type): [string, EventFields[], object] => [
    `keeps the order fulfilled when a later ${type} reports an earlier attempt`,
    [PAID, { id: 'event-2', type, paid: '0' }],
    { standing: 'fulfilled' },
  ]),
])('the backend of the shop %s', async (_, events, order) => {
  const shop = open()
  for (const event of events) {
    expect((await shop.receive(event)).status).toBe(204)
  }

  expect(await shop.fulfilled()).toMatchObject([order])
})

test.each([
  ['signed with another secret', { secret: 'whsec_c29tZWJvZHkgZWxzZSdzIHNlY3JldCBhbHRvZ2V0aGVy' }],
  ['ten minutes old', { at: NOW - 600_000 }],
  ['from the future', { at: NOW + 600_000 }],
])('the backend of the shop refuses an event that is %s', async (_, fields) => {
  const shop = open()
  expect((await shop.receive(fields)).status).toBe(401)
  expect(await shop.fulfilled()).toEqual([])
})
