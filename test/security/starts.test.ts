import { expect, test } from 'vitest'
import { clientOf, countByStatus, repeat } from '../support/client.ts'
import { createLimitedShop, PRODUCTION } from '../support/limited-shop.ts'
import { json } from '../support/scripted-gateway.ts'

const ATTACKER = '203.0.113.7'
const SHOPPER = '198.51.100.4'
const VICTIM = '0700000001'
const LOOKUP_MS = 1_000

test('a start whose return URL is of elsewhere causes no lookup', async () => {
  const { app, lookups } = createLimitedShop()
  const elsewhere = await clientOf(app, ATTACKER).initiate('A-2', { return_url: 'https://evil.example/' })
  expect([elsewhere.status, lookups.length]).toEqual([422, 0])
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
        if (!order.startsWith('A-')) await shop.clock.sleep(LOOKUP_MS)
        return order.startsWith('guess-')
          ? null
          : { order, amount: '500', currency: 'KES', narration: 'Two kangas' }
      },
    },
  )
  const { initiate } = clientOf(shop.app, ATTACKER)
  const many = (name: string, count: number) =>
    Promise.all(Array.from({ length: count }, (_, order) => initiate(`${name}-${order}`)))
  const [slow, guesses] = [many('slow', 100), many('guess', 100)]
  // No time passes while these start.
  expect(countByStatus(await many('A', 20))).toEqual({ 201: 20 })
  await shop.clock.advance(LOOKUP_MS)
  expect(countByStatus(await slow)).toEqual({ 201: 100 })
  expect(countByStatus(await guesses)).toEqual({ 404: 30, 429: 70 })
})
