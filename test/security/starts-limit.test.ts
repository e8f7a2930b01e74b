import { expect, test } from 'vitest'
import { clientOf, countByStatus, repeat } from '../support/client.ts'
import { createLimitedShop, PRODUCTION } from '../support/limited-shop.ts'

const ATTACKER = '203.0.113.7'
const SHOPPER = '198.51.100.4'
const VICTIM = '0700000001'

test('one address can start one order 60 times a minute, and others can still start it', async () => {
  const { app, clock } = createLimitedShop()
  const attacker = clientOf(app, ATTACKER)
  const answers = await Promise.all(Array.from({ length: 500 }, () => attacker.initiate('A-1')))
  expect(countByStatus(answers)).toMatchObject({ 429: 440 })
  expect((await clientOf(app, SHOPPER).initiate('A-1')).status).toBe(200)
  expect((await attacker.initiate('A-2')).status).toBe(201)
  await clock.advance(60_000)
  expect((await attacker.initiate('A-1')).status).toBe(200)
})

test.each([
  ['A-1', { payer_name: '' }, 422],
  ['PAID-1', {}, 409],
])(
  'one address can start order %s 60 times a minute with %o, which is refused, and causes no further lookups',
  async (order, fields, status) => {
    const { app, lookups } = createLimitedShop()
    const attacker = clientOf(app, ATTACKER)
    const answers = await repeat(500, () => attacker.initiate(order, fields))
    expect(countByStatus(answers)).toEqual({ [status]: 60, 429: 440 })
    expect(lookups).toHaveLength(60)
    expect((await attacker.initiate('A-2')).status).toBe(201)
    expect((await clientOf(app, SHOPPER).initiate('A-1')).status).toBe(201)
  },
)

test('a phone number gets 20 new checkouts in ten minutes, from whatever addresses', async () => {
  const { app, clock, logged } = createLimitedShop(PRODUCTION)
  const start = (order: number, payer_msisdn: string) =>
    clientOf(app, `203.0.113.${order % 250}`).initiate(`A-${order}`, { payer_msisdn })
  const attempts = Array.from({ length: 200 }, (_, order) =>
    start(order, order % 2 ? VICTIM : '+254 700-000001'),
  )
  const answers = await Promise.all(attempts)
  expect(countByStatus(answers)).toEqual({ 201: 20, 429: 180 })
  expect(JSON.stringify(logged)).not.toContain('700000001')
  expect((await start(300, '0700000002')).status).toBe(201)
  await clock.advance(600_000)
  expect((await start(301, VICTIM)).status).toBe(201)
})
