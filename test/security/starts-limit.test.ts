import { expect, test } from 'vitest'
import { clientOf, countByStatus } from '../support/client.ts'
import { createLimitedShop, PRODUCTION } from '../support/limited-shop.ts'

const ATTACKER = '203.0.113.7'
const SHOPPER = '198.51.100.4'
const VICTIM = '0700000001'

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
