import { describe, expect, test } from 'vitest'

import { signOrder } from '../../../server/index.ts'
import { en } from '../../../widget/words/en.ts'
import sw from '../../../widget/words/sw.ts'
import { BFF } from '../../support/worlds/environment.ts'
import { createLimitedShop } from '../../support/worlds/limited-shop.ts'
import { createWorld, formOf, START } from '../../support/worlds/world.ts'

import type { Environment } from '../../../server/config/variables.ts'
import type { World } from '../../support/worlds/world.ts'

const KEY = 'a signing key of 32 bytes or more'
const PAYEE = 'Pwani Goods & Sons'
const TAG = '<gateway-checkout'
const HTML = { accept: 'text/html' }

async function openShop(env: Environment = {}) {
  const shop = await createWorld({ env: { MERCHANT_NAME: PAYEE, ...env } })
  shop.order('A-1', '1500', {
    payer: { name: 'Asha Otieno', email: 'asha@example.com', msisdn: '0700000009' },
  })
  return shop
}

async function open(shop: Pick<World, 'ask'>, order = 'A-1', headers: Record<string, string> = {}) {
  const answer = await shop.ask(`/pay/${encodeURIComponent(order)}`, { headers: { ...HTML, ...headers } })
  return { answer, page: (await answer.text()).replaceAll('\u00A0', ' ') }
}

/** The order is started and paid, and the gateway is asked about it. */
async function pay(shop: World, order = 'A-1', scenario = 'approve') {
  await shop.pay(await shop.start(order, startedHere(order)), scenario)
  await shop.later(5_000)
}

const startedHere = (order: string) => ({ return_url: `${BFF}/pay/${encodeURIComponent(order)}` })

describe('the page of an order', () => {
  test('the page of an order names payee, goods and amount, and has the tag, and a preview has the same', async () => {
    const { answer, page } = await open(await openShop())
    expect(answer.status).toBe(200)
    // The name of the goods keeps its own direction on a page in Arabic.
    expect(page).toContain('<h1 dir="auto">Two kangas</h1>')
    expect(page).toContain('<p class="amount">KES 1,500</p>')
    expect(page).toContain(
      `<gateway-checkout server="${BFF}" order="A-1" amount="KES 1500" payee="Pwani Goods &amp; Sons">`,
    )
    expect(page).toContain('<meta property="og:title" content="Pwani Goods &amp; Sons: KES 1,500"/>')
    expect(page).toContain('<meta property="og:description" content="Two kangas"/>')
  })

  test('the page of an order has nothing of the payer, for nobody to keep, to index, to frame or to pass on', async () => {
    const { answer, page } = await open(await openShop())
    expect(page).not.toMatch(/Asha|asha|700 ?000/)
    expect(page).toContain('<meta name="robots" content="noindex"/>')
    const { headers } = answer
    expect(headers.get('cache-control')).toBe('no-store')
    // With `no-referrer`, the form's Origin would be "null".
    expect(headers.get('referrer-policy')).toBe('same-origin')
    const policy = headers.get('content-security-policy')
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).toContain(`form-action ${BFF} 127.0.0.1:4010`)
    expect(policy).not.toContain('unsafe')
  })

  test('the page of an order is in the language of the shopper', async () => {
    const { page } = await open(await openShop(), 'A-1', { 'accept-language': 'sw-KE,en;q=0.5' })
    expect(page).toContain('<html lang="sw-KE"')
    expect(page).toContain(`<summary>${sw.pay} Ksh`)
  })

  test('the page of an order writes the currency as the element does, whatever the region of the shopper', async () => {
    const { page } = await open(await openShop(), 'A-1', { 'accept-language': 'en-KE' })
    expect(page).toContain('<p class="amount">KES 1,500</p>')
  })

  test('the page of an order starts nothing, also where it is opened often', async () => {
    const shop = await openShop()
    for (let turn = 0; turn < 3; turn++) {
      await open(shop)
    }

    expect(shop.gatewayRequests()).toEqual([])
  })

  test('the page of an order is where the shopper may return to, whatever RETURN_URLS says', async () => {
    const shop = await openShop({ RETURN_URLS: 'https://shop.example/thanks' })
    const begun = await shop.start('A-1', startedHere('A-1'))
    const back = await shop.ask(`/checkout/return/${begun.checkout_id}`)
    expect(back.headers.get('location')).toBe(`${BFF}/pay/A-1#gateway-checkout-${begun.checkout_id}`)
  })

  test('the page of an order has a form that starts the checkout without a script', async () => {
    const shop = await openShop()
    const { page } = await open(shop)
    const sent = [...page.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g)]
    const fields = Object.fromEntries(sent.map(([, name = '', value = '']) => [name, value]))
    expect(fields).toEqual({ order: 'A-1', lang: 'en', ...startedHere('A-1') })
    const form = formOf('A-1', fields, { ...HTML, origin: BFF })
    const answer = await shop.ask('/checkout/initiate', form)
    expect({ status: answer.status, location: answer.headers.get('location') }).toEqual({
      status: 303,
      location: expect.stringContaining('/pay/'),
    })
  })
})

describe('an order with a checkout', () => {
  test('an order with a checkout offers its hosted page while it can be paid there, and no second start', async () => {
    const shop = await openShop()
    const { redirect_url } = await shop.start('A-1', startedHere('A-1'))
    const { page } = await open(shop)
    expect(page).toContain(`href="${redirect_url}"`)
    expect(page).not.toContain(TAG)
  })

  test('an order with a checkout says that it is paid, and has no button', async () => {
    const shop = await openShop()
    await pay(shop)
    const { answer, page } = await open(shop)
    expect(answer.status).toBe(200)
    expect(page).toContain(`<h1>${en.sentence.paid[0]}</h1>`)
    expect(page).not.toMatch(/<button(?! class="copy")|<form|<gateway-checkout|class="primary"/)
  })

  test.each(['reverse', 'refund'])(
    'an order with a checkout whose money went back, by %s, says so, and starts nothing',
    async (how) => {
      const shop = await openShop()
      const begun = await shop.start('A-1', startedHere('A-1'))
      await shop.pay(begun, 'approve')
      await shop.later(5_000)
      await shop.pay(begun, how)
      await shop.later(3_600_000)
      const { answer, page } = await open(shop)
      const outcome = how === 'reverse' ? 'reversed' : 'refunded'
      expect({ status: answer.status, page }).toEqual({
        status: 200,
        page: expect.stringContaining(`<h1>${en.sentence[outcome][0]}</h1>`),
      })
      expect(page).not.toContain(TAG)
      const again = await shop.initiate('A-1')
      expect({ status: again.status, body: await again.json() }).toMatchObject({
        status: 409,
        body: { code: 'order_not_payable' },
      })
      const form = await shop.ask('/checkout/initiate', formOf('A-1', {}, { ...HTML, origin: BFF }))
      expect({ status: form.status, text: await form.text() }).toEqual({
        status: 409,
        text: expect.stringContaining(en.failure.order_not_payable[0]),
      })
    },
  )

  test('an order with a checkout can be started again once that has ended without money', async () => {
    const shop = await openShop()
    await pay(shop, 'A-1', 'wrong_pin')
    await shop.later(33 * 60_000)
    expect((await open(shop)).page).toContain(TAG)
  })

  test('an order with a checkout says that it is paid, also when the merchant has no such order any more', async () => {
    const shop = await openShop()
    await pay(shop)
    shop.orders.delete('A-1')
    expect((await open(shop)).page).toContain(`<h1>${en.sentence.paid[0]}</h1>`)
  })

  test('an order with a checkout whose terms have changed is refused, as its start is', async () => {
    const shop = await openShop()
    await shop.start('A-1', startedHere('A-1'))
    shop.order('A-1', '1600')
    const { answer, page } = await open(shop)
    expect({ status: answer.status, page }).toEqual({
      status: 409,
      page: expect.stringContaining(en.failure.order_changed[0]),
    })
  })

  test('an order with a checkout is not shown to whoever knows the reference, and not the text that names it', async () => {
    const shop = await openShop()
    shop.orders.set('secret-text', { order: 'A-7', amount: 500, currency: 'KES', narration: 'Cloth' })
    await pay(shop, 'secret-text')
    expect((await open(shop, 'secret-text')).page).toContain(`<h1>${en.sentence.paid[0]}</h1>`)
    expect((await open(shop, 'A-7')).answer.status).toBe(404)
  })
})

test('an order that nobody knows, or that the gateway would refuse, has a page that says so, and no tag', async () => {
  const shop = await openShop({ GATEWAY_SERVICE_CODE: 'KES=C', GATEWAY_ACCOUNT_NUMBER: 'KES=ACC-001' })
  shop.order('A-2', '1500', { currency: 'UGX' })
  for (const [order, status, [title]] of [
    ['B-1', 404, en.failure.order_unknown],
    ['A-2', 422, en.failure.other],
  ] as const) {
    const { answer, page } = await open(shop, order)
    expect({ status: answer.status, page }).toEqual({
      status,
      page: expect.stringContaining(`<h1>${title}</h1>`),
    })
    expect(page).not.toContain(TAG)
  }
})

describe('a signed order', () => {
  const signed = (issuedAt = START / 1_000) =>
    signOrder(
      { order: 'A-1', amount: 1500, currency: 'KES', narration: 'Two kangas' },
      { key: KEY, audience: BFF, issuedAt, lifetime: 3_600 },
    )
  const openSigned = () => createWorld({ ordersFromConfig: true, env: { ORDER_SIGNING_KEY: KEY } })

  test('a signed order is named by its text, and not by its reference', async () => {
    const shop = await openSigned()
    const text = await signed()
    await pay(shop, text)
    expect((await open(shop, text)).page).toContain(`<h1>${en.sentence.paid[0]}</h1>`)
    expect((await open(shop, 'A-1')).answer.status).toBe(422)
  })

  test('a signed order has expired, unless it was paid in time', async () => {
    const shop = await openSigned()
    const text = await signed()
    await shop.later(3_700_000)
    const { answer, page } = await open(shop, text)
    expect({ status: answer.status, page }).toEqual({
      status: 409,
      page: expect.stringContaining(en.failure.order_expired[0]),
    })

    const other = await openSigned()
    await pay(other, text)
    await other.later(3_700_000)
    expect((await open(other, text)).page).toContain(`<h1>${en.sentence.paid[0]}</h1>`)
  })
})

describe('an address as a chat or a mail hands it on', () => {
  const ENDS = ['.', ',', ')', '*', '!', '>', '”', '\u200b', '.)', '?', '?utm_source=chat', '/']

  test.each(ENDS)(
    'an address as a chat hands it on, with %j behind it, is that of the order',
    async (end) => {
      const shop = await openShop()
      const answer = await shop.ask(`/pay/A-1${encodeURI(end)}`, { headers: HTML })
      expect(answer.status).toBe(200)
      expect(await answer.text()).toContain('order="A-1"')
    },
  )

  test('an address of an order that nobody knows is looked up as it stands, and once more only without a sign behind it', async () => {
    const { app, lookups } = createLimitedShop()
    for (const order of ['B-1', 'B-2.', '*']) {
      expect((await app.request(`/pay/${order}`)).status).toBe(404)
    }

    expect(lookups).toEqual(['B-1', 'B-2.', 'B-2', '*'])
  })

  test('an address that ends in a sign is first that of the order whose reference ends so', async () => {
    const shop = await openShop()
    shop.order('A-1.')
    expect((await open(shop, 'A-1.')).page).toContain('order="A-1."')
  })
})

test.each(['/pay/INV%2F2026%2F00042', '/pay/INV/2026/00042'])(
  'an order with slashes has a page, also behind a proxy that decodes them: %s',
  async (path) => {
    for (const prefix of ['', '/pay']) {
      const shop = await createWorld({ env: { PUBLIC_URL: `https://shop.example${prefix}` } })
      shop.order('INV/2026/00042')
      for (const asked of new Set([path, prefix + path])) {
        const answer = await shop.ask(asked, { headers: HTML })
        expect({ asked, status: answer.status }).toEqual({ asked, status: 200 })
        expect(await answer.text()).toContain('INV/2026/00042')
      }
    }
  },
)

test.each(['/pay/A-1', '/pay/pay/A-1'])(
  'below the path /pay, the page is found with and without it: %s',
  async (path) => {
    const { app } = createLimitedShop({ PUBLIC_URL: 'http://127.0.0.1:4020/pay' })
    for (const other of ['/pay/docs', '/docs', '/pay']) {
      expect((await app.request(other)).status).toBe(200)
    }

    const page = await (await app.request(path)).text()
    expect(page).toContain('server="http://127.0.0.1:4020/pay"')
    expect(page).toContain('action="http://127.0.0.1:4020/pay/checkout/initiate"')
  },
)
