import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Webhook } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'
import { createShop } from '../../demo/shop/server.ts'

const BFF = 'http://127.0.0.1:4020'
const SECRET = 'whsec_c2hhcmVkIGJ5IHNob3AgYW5kIHBheW1lbnQgc2VydmVy'
const NOW = Date.UTC(2030, 0, 1, 12)
const ORDER = 'demo-1500-7f3a'

const folder = mkdtempSync(join(tmpdir(), 'shop-'))
writeFileSync(join(folder, 'bench.js'), '// The page’s script.')

function open() {
  const shop = createShop({
    bff: BFF,
    webhookSecret: SECRET,
    assets: pathToFileURL(`${folder}/`),
    clock: { now: () => NOW },
    token: () => 'fresh',
  })
  const get = async (path: string) => shop.request(path)
  return {
    get,
    page: async (path: string) => (await get(path)).text(),
    tell: async (event: Told = {}) => shop.request('/webhooks', signed(event)),
    fulfilled: async (): Promise<unknown> => (await get('/fulfilled')).json(),
  }
}

interface Told {
  id?: string
  type?: string
  paid?: string
  currency?: string
  order?: string
  secret?: string
  at?: number
}

function signed(told: Told): RequestInit {
  const { id = 'event-1', type = 'checkout.paid', paid = '1500', currency = 'KES', at = NOW } = told
  const data = {
    order: told.order ?? ORDER,
    checkout_id: 'c1',
    amount_paid: paid,
    currency,
    discrepancy: null,
  }
  const body = JSON.stringify({ type, timestamp: new Date(at).toISOString(), data })
  const headers = {
    'webhook-id': id,
    'webhook-timestamp': String(at / 1000),
    'webhook-signature': new Webhook(told.secret ?? SECRET).sign(id, new Date(at), body),
  }
  return { method: 'POST', body, headers }
}

describe('the page', () => {
  test('opens an order of the picked amount', async () => {
    const answer = await open().get('/?amount=850&launch=popup')
    expect(answer.status).toBe(303)
    expect(answer.headers.get('location')).toContain('amount=850&launch=popup')
    expect(answer.headers.get('location')).toContain('order=demo-850-fresh')
  })

  test('keeps the order it was opened with', async () => {
    const answer = await open().get(`/?amount=1500&order=${ORDER}`)
    expect(answer.status).toBe(200)
    expect(await answer.text()).toContain(`order="${ORDER}"`)
  })

  test.each(['1.5', '-3', '0', '1e99', 'much', '', '9999999999'])(
    'has no order for KES %s',
    async (amount) => {
      const answer = await open().get(`/?amount=other&other=${amount}`)
      expect(answer.headers.get('location')).toContain('order=demo-1500-fresh')
    },
  )

  test('gives another amount another order', async () => {
    const answer = await open().get(`/?amount=other&other=77&order=${ORDER}`)
    expect(answer.headers.get('location')).toContain('order=demo-77-fresh')
  })

  test('shows the snippet that it uses itself', async () => {
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

  test('lets the tag ask for a payer whom the shop does not know', async () => {
    expect(await open().page(`/?amount=1500&order=${ORDER}&payer=known`)).toContain('payer-msisdn=')
    expect(await open().page(`/?amount=1500&order=${ORDER}&payer=asked`)).not.toContain('payer-msisdn=')
  })

  test('holds a form that reaches the payment server without a script', async () => {
    const page = await open().page(`/?amount=1500&order=${ORDER}`)
    expect(page).toContain(`method="post" action="${BFF}/checkout/initiate"`)
    expect(page).toContain(`name="order" value="${ORDER}"`)
  })

  test('runs no script and no style but its own and the tag', async () => {
    const shop = open()
    const answer = await shop.get(`/?amount=1500&order=${ORDER}`)
    const policy = answer.headers.get('content-security-policy') ?? ''
    expect(policy).toContain(`script-src 'self' ${BFF};`)
    expect(policy).toContain(`style-src 'self';`)
    expect(await answer.text()).not.toMatch(/<style|style=|<script(?![^>]*src=)| on[a-z]+=/)
  })

  test('serves its script, and no other file beside it', async () => {
    expect((await open().get('/assets/bench.js')).headers.get('content-type')).toContain('javascript')
    expect((await open().get('/assets/..%2fpackage.json')).status).toBe(404)
  })
})

describe('the backend', () => {
  test('hands over an order that is paid in full', async () => {
    const shop = open()
    expect((await shop.tell()).status).toBe(204)
    expect(await shop.fulfilled()).toEqual([
      { order: ORDER, standing: 'fulfilled', amount_paid: '1500', currency: 'KES', heard: ['checkout.paid'] },
    ])
  })

  test.each([
    ['less than its own price', { paid: '1499.99' }],
    ['another currency', { currency: 'UGX' }],
    ['an order that it never opened', { order: 'invoice-9' }],
  ])('looks at %s before it hands anything over', async (_, told) => {
    const shop = open()
    await shop.tell(told)
    expect(await shop.fulfilled()).toMatchObject([{ standing: 'look_at_it' }])
  })

  test('takes a repeated notification once', async () => {
    const shop = open()
    await shop.tell()
    await shop.tell()
    expect(await shop.fulfilled()).toMatchObject([{ heard: ['checkout.paid'] }])
  })

  test('takes goods back when the money goes', async () => {
    const shop = open()
    await shop.tell()
    await shop.tell({ id: 'event-2', type: 'checkout.reversed', paid: '0' })
    expect(await shop.fulfilled()).toMatchObject([
      { standing: 'taken_back', heard: ['checkout.paid', 'checkout.reversed'] },
    ])
  })

  test('hands over once, though an earlier attempt is heard of later', async () => {
    const shop = open()
    await shop.tell()
    await shop.tell({ id: 'event-2', type: 'checkout.expired', paid: '0' })
    expect(await shop.fulfilled()).toMatchObject([{ standing: 'fulfilled' }])
    await shop.tell({ id: 'event-3', type: 'checkout.partial', paid: '500' })
    expect(await shop.fulfilled()).toMatchObject([{ standing: 'fulfilled' }])
  })

  test('keeps an order as it is when it hears of something new', async () => {
    const shop = open()
    await shop.tell()
    await shop.tell({ id: 'event-2', type: 'checkout.blessed' })
    expect(await shop.fulfilled()).toMatchObject([{ standing: 'fulfilled' }])
  })

  test.each([
    ['signed with another secret', { secret: 'whsec_c29tZWJvZHkgZWxzZSdzIHNlY3JldCBhbHRvZ2V0aGVy' }],
    ['ten minutes old', { at: NOW - 600_000 }],
    ['from the future', { at: NOW + 600_000 }],
  ])('refuses a notification that is %s', async (_, told) => {
    const shop = open()
    expect((await shop.tell(told)).status).toBe(400)
    expect(await shop.fulfilled()).toEqual([])
  })

  test('takes what is told of charges and payouts, and no order changes for it', async () => {
    const shop = open()
    expect((await shop.tell({ type: 'charge.succeeded' })).status).toBe(204)
    expect(await shop.fulfilled()).toEqual([])
  })

  test('refuses a notification that nobody signed', async () => {
    const shop = createShop({
      bff: BFF,
      webhookSecret: SECRET,
      assets: new URL('file:///'),
      clock: { now: () => NOW },
    })
    const answer = await shop.request('/webhooks', { method: 'POST', body: '{"type":"checkout.paid"}' })
    expect(answer.status).toBe(400)
  })
})
