import { describe, expect, test } from 'vitest'

import { clientOf, countByStatus, repeat } from '../support/worlds/client.ts'
import { SHOP } from '../support/worlds/environment.ts'
import { PRODUCTION, createLimitedShop } from '../support/worlds/limited-shop.ts'
import { json } from '../support/worlds/scripted-gateway.ts'
import { createWorld } from '../support/worlds/world.ts'

const ATTACKER = '203.0.113.7'
const SHOPPER = '198.51.100.4'
const VICTIM = '0700000001'
const LOOKUP_MS = 1_000

test('a start whose return URL is of elsewhere causes no lookup', async () => {
  const { app, lookups } = createLimitedShop()
  const elsewhere = await clientOf(app, ATTACKER).initiate('A-2', { return_url: 'https://evil.example/' })
  expect({ status: elsewhere.status, lookups: lookups.length }).toEqual({ status: 422, lookups: 0 })
})

test('starts whose order the backend cannot answer for keep saying so, and lock nobody out', async () => {
  const { app } = createLimitedShop({}, { fetch: async () => json({}, 500) })
  const answers = await repeat(400, (index) => clientOf(app, ATTACKER).initiate(`A-${index}`))
  expect(countByStatus(answers)).toEqual({ 503: 400 })
})

test('whoever starts an order 500 times keeps its payer from nothing, even behind the same address', async () => {
  const { app } = createLimitedShop()
  const attacker = clientOf(app, ATTACKER)
  const answers = await Promise.all(Array.from({ length: 500 }, () => attacker.initiate('A-1')))
  expect(countByStatus(answers)).toEqual({ 201: 1, 200: 499 })
  const begun = await attacker.initiate('A-1')
  const { checkout_id } = await begun.json()
  expect([begun.status, (await attacker.ask(`/checkout/status/${checkout_id}`)).status]).toEqual([200, 200])
})

test('checkouts that name a phone number do not lock it, from whatever addresses', async () => {
  const { app, logged } = createLimitedShop(PRODUCTION)
  const start = (order: number, payer_msisdn: string) =>
    clientOf(app, `203.0.113.${order % 250}`).initiate(`A-${order}`, { payer_msisdn })
  const attempts = Array.from({ length: 200 }, (_, order) =>
    start(order, order % 2 ? VICTIM : '+254 700-000001'),
  )
  expect(countByStatus(await Promise.all(attempts))).toEqual({ 201: 200 })
  const victim = await clientOf(app, SHOPPER).initiate('A-300', { payer_msisdn: VICTIM })
  expect(victim.status).toBe(201)
  expect(JSON.stringify(logged)).not.toContain('700000001')
})

test('lookups of 200 orders that take a second, guesses too, delay no other start from the same address', async () => {
  const shop = createLimitedShop(
    { ORDERS_URL: undefined, ORDERS_TOKEN: undefined },
    {
      orders: async (order) => {
        if (!order.startsWith('A-')) {
          await shop.clock.sleep(LOOKUP_MS)
        }

        return order.startsWith('guess-')
          ? null
          : { order, amount: '500', currency: 'KES', narration: 'Two kangas' }
      },
    },
  )
  const { initiate } = clientOf(shop.app, ATTACKER)
  const many = (name: string, count: number) =>
    Promise.all(Array.from({ length: count }, (_, order) => initiate(`${name}-${order}`)))
  const slow = many('slow', 100)
  const guesses = many('guess', 100)
  // No time passes while these start.
  expect(countByStatus(await many('A', 20))).toEqual({ 201: 20 })
  await shop.clock.advance(LOOKUP_MS)
  expect(countByStatus(await slow)).toEqual({ 201: 100 })
  expect(countByStatus(await guesses)).toEqual({ 404: 30, 429: 70 })
})

const THANKS = `${SHOP}/thanks`
const HTML = { accept: 'text/html', 'accept-language': 'en' }

async function shopper(order: object = {}) {
  const world = await createWorld()
  world.order('A-1', '500', order)
  const start = (fields: Record<string, string> = {}) => world.start('A-1', { return_url: THANKS, ...fields })

  async function comeBack({ checkout_id }: { checkout_id: string }) {
    const answer = await world.ask(`/checkout/return/${checkout_id}`, { headers: HTML })
    const page = await answer.text()
    const links = [...page.matchAll(/<a[^>]* href="([^"]*)"/g)].map(([, href = '']) => href)
    return { status: answer.status, location: answer.headers.get('location'), page, links }
  }

  return { world, start, comeBack }
}

test('sixty parallel starts of one order with different return URLs neither fail nor lock the shopper out', async () => {
  const { world, start, comeBack } = await shopper()
  const urls = Array.from({ length: 60 }, (_, index) => `${SHOP}/start?n=${index}`)
  const answers = await Promise.all(urls.map((return_url) => world.initiate('A-1', { return_url })))
  expect(answers.filter(({ ok }) => !ok).map(({ status }) => status)).toEqual([])
  const again = await Promise.all([...urls.map((return_url) => start({ return_url })), start()])
  expect(new Set(again.map(({ checkout_id }) => checkout_id)).size).toBe(1)
  const begun = await start()
  await world.pay(begun, 'approve')
  await world.later(5_000)
  const { status, page, links } = await comeBack(begun)
  expect({ status, links: links.length }).toEqual({ status: 200, links: 5 })
  expect(page).toContain('<main class="paid"')
  for (const link of links) {
    expect(link).toMatch(/^https:\/\/shop\.example\/.*#gateway-checkout-[\w-]+$/)
  }
})

describe('somebody who starts the same order', () => {
  test.each<[string, Record<string, string>]>([
    ['another return URL', { return_url: `${SHOP}/elsewhere` }],
    ['another way to open the page', { launch: 'popup' }],
  ])(
    'somebody who starts the same order with %s redirects nobody: the shopper sees the outcome and his link',
    async (_, other) => {
      for (const starts of [
        [{}, other],
        [other, {}],
      ]) {
        const { world, start, comeBack } = await shopper()
        const begun = await start(starts[0])
        await start(starts[1])
        await world.pay(begun, 'approve')
        await world.later(5_000)
        const { status, location, page, links } = await comeBack(begun)
        expect({ status, location }).toEqual({ status: 200, location: null })
        expect(page).toContain('<main class="paid"')
        expect(page).not.toMatch(/location|data-opener/)
        const fragment = `#gateway-checkout-${begun.checkout_id}`
        const urls = new Set([THANKS, other['return_url'] ?? THANKS])
        expect(new Set(links)).toEqual(new Set([...urls].map((url) => url + fragment)))
      }
    },
  )

  test('somebody who starts the same order in another language does not change the language of the shopper', async () => {
    for (const langs of [
      ['en', 'ar'],
      ['ar', 'en'],
    ]) {
      const { start, comeBack } = await shopper()
      const begun = await start({ return_url: '', lang: langs[0] ?? '' })
      await start({ return_url: '', lang: langs[1] ?? '' })
      expect((await comeBack(begun)).page).toContain('<html lang="en"')
    }
  })

  test('somebody who starts the same order with a forbidden return URL adds no link', async () => {
    const { world, start, comeBack } = await shopper()
    const begun = await start()
    const answer = await world.initiate('A-1', { return_url: 'https://evil.example/' })
    expect(answer.status).toBe(422)
    const { status, location } = await comeBack(begun)
    expect({ status, location }).toEqual({
      status: 303,
      location: `${THANKS}#gateway-checkout-${begun.checkout_id}`,
    })
  })

  test('somebody who starts the same order cannot change the return URL of an order that has its own', async () => {
    const own = 'https://elsewhere.example/own'
    for (const other of [{ return_url: `${SHOP}/elsewhere` }, { launch: 'popup' }, { lang: 'ar' }]) {
      const { start, comeBack } = await shopper({ return_url: own })
      const begun = await start(other)
      await start()
      await start(other)
      const { status, location } = await comeBack(begun)
      expect({ status, location }).toEqual({
        status: 303,
        location: `${own}#gateway-checkout-${begun.checkout_id}`,
      })
    }
  })
})

test('a shopper who starts again from the same page is redirected to it', async () => {
  const { start, comeBack } = await shopper()
  const begun = await start()
  await start()
  await start({ return_url: '' })
  const { status, location } = await comeBack(begun)
  expect({ status, location }).toEqual({
    status: 303,
    location: `${THANKS}#gateway-checkout-${begun.checkout_id}`,
  })
})

test.each([
  ['A-١٠٤٢', 'U+0661'],
  ['A‐1042', 'U+2010'],
  ['Ø-1042', 'U+00D8'],
  ['A-1042\u200b', 'U+200B'],
  ['A-1042\0', 'U+0000'],
  ['A  1042', 'U+0020'],
])('a start of the order %j causes no lookup, and is told the character: %s', async (order, character) => {
  const { app, lookups } = createLimitedShop()
  const answer = await clientOf(app, SHOPPER).initiate(order)
  const [{ path, message }] = (await answer.json()).errors
  expect({ status: answer.status, path, lookups: lookups.length }).toEqual({
    status: 422,
    path: 'order',
    lookups: 0,
  })
  expect(message).toContain(character)
  expect(message).toContain('encodeURIComponent in the tag, and decode it in "orders"')
})

test('a look-up that returns another character than ASCII is unavailable, and the log names it', async () => {
  const shop = await createWorld()
  shop.orders.set('A-1', { order: 'A\u20101', amount: 500, currency: 'KES', narration: 'Cloth' })
  await expect(shop.start('A-1')).rejects.toThrow('orders_unavailable')
  const message = expect.stringMatching(/order must have only printable ASCII .*U\+2010/)
  expect(shop.logged).toContainEqual(expect.objectContaining({ level: 'warn', message }))
})

// A database that compares without case, and a function that returns the reference it was asked for.
const STORED = 'A-1042'

async function openShop() {
  const world = await createWorld()
  for (const reference of [STORED, 'a-1042']) {
    world.order(reference, '1500')
  }

  return world
}

describe('an order in another case', () => {
  test('an order in another case is the same order: a stranger who starts it first keeps its payer from nothing', async () => {
    const world = await openShop()
    const begun = await world.start('a-1042')
    const payer = await world.initiate(STORED)
    expect({ status: payer.status, body: await payer.json() }).toMatchObject({
      status: 200,
      body: { checkout_id: begun.checkout_id },
    })
    await world.pay(begun, 'approve')
    await world.later(5_000)
    for (const order of [STORED, 'a-1042']) {
      expect(await world.start(order)).toMatchObject({ order: 'a-1042', outcome: 'paid' })
    }

    expect(await world.rows()).toHaveLength(1)
    const ofPage = await world.ask(`/pay/${STORED}`, { headers: HTML })
    expect(await ofPage.text()).toContain('<main class="paid"')
    expect(await (await world.api(`/checkouts/${STORED}`)).json()).toMatchObject({ outcome: 'paid' })
    const history = await (await world.api(`/history/${STORED}`)).json()
    expect(history.transactions).toHaveLength(1)
  })

  test('an order in another case has the spelling that the look-up first returned, and the log names both', async () => {
    const world = await openShop()
    await world.start(STORED)
    await world.start('a-1042')
    const twice = world.logged.filter(({ message }) => message.includes('"a-1042", and earlier "A-1042"'))
    expect(twice).toMatchObject([{ level: 'warn', facts: { order: STORED } }])
  })

  test('an order in another case is changed by other terms', async () => {
    const world = await openShop()
    world.order('a-1042', '1600')
    await world.start(STORED)
    await expect(world.start('a-1042')).rejects.toThrow('order_changed')
  })

  test('an order in another case is started once, however many start both at the same moment', async () => {
    const world = await openShop()
    const answers = await Promise.all([STORED, 'a-1042', 'a-1042', STORED].map((order) => world.start(order)))
    expect(new Set(answers.map(({ checkout_id }) => checkout_id)).size).toBe(1)
    expect(await world.rows()).toHaveLength(1)
  })

  test('an order in another case has another attempt under the same spelling and number, also after the first was deleted', async () => {
    const world = await openShop()
    await world.start(STORED)
    await world.later(2 * 60 * 60_000)
    expect(await world.start('a-1042')).toMatchObject({ attempt: 2, order: STORED })
  })
})

test('an order with the id of a checkout as its reference is not that checkout', async () => {
  const world = await openShop()
  const { checkout_id } = await world.start(STORED)
  world.order(checkout_id, '90000')
  await world.start(checkout_id)
  expect(await (await world.api(`/checkouts/${checkout_id}`)).json()).toMatchObject({ order: checkout_id })
})

const ASHA = { name: 'Asha Otieno', email: 'asha@example.com', msisdn: '254700000001' }
const STRANGER = {
  payer_name: '',
  payer_email: 'stranger@evil.example',
  payer_msisdn: '0711222333',
}

test('the name of an order is never sent with the phone number and address of somebody else', async () => {
  const world = await createWorld()
  world.order('A-1', '500', { payer: ASHA })
  const answer = await world.initiate('A-1', STRANGER)
  expect({ status: answer.status, errors: (await answer.json()).errors }).toMatchObject({
    status: 422,
    errors: [{ path: 'payer_name' }],
  })
  const corrected = await world.initiate('A-1', { ...STRANGER, payer_name: 'Juma Mwangi' })
  expect(corrected.status).toBe(201)
})

test('what a page sends beside the details of the order completes them, in any spelling of the number and the address', async () => {
  const world = await createWorld()
  const { email, ...known } = ASHA
  world.order('A-1', '500', { payer: known })
  const fields = { payer_name: '\u200b', payer_email: `${email}\u200e`, payer_msisdn: '+254 (0)700 000001' }
  expect((await world.initiate('A-1', fields)).status).toBe(201)
})
