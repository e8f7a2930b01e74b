import { describe, expect, test } from 'vitest'

import { createWorld } from '../../support/worlds/world.ts'

import type { World } from '../../support/worlds/world.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

/** The shop has sold the order "1001", whose payment was then returned if `isRefunded`. */
async function openSold({ isRefunded = false } = {}) {
  const shop = await createWorld({ env: { RETENTION_DAYS: '31' } })
  shop.order('1001', '500')
  const sold = await shop.start('1001')
  await shop.pay(sold, 'approve')
  await shop.later(1_000)
  if (isRefunded) {
    await shop.pay(sold, 'refund')
  }
  await shop.later(HOUR)
  return shop
}

const warnings = (shop: World) =>
  shop.logged.filter(({ level, message }) => level === 'warn' && message.includes('is started again'))
const OF_1001 = [
  {
    facts: { order: '1001' },
    message: expect.stringContaining('give each sale a reference that no other one has ever had'),
  },
]

describe('an order number that a shop uses again', () => {
  test('an order that was paid more than a day ago is started again with a warning that names it', async () => {
    const shop = await openSold()
    await shop.later(DAY)
    expect(await shop.start('1001')).toMatchObject({ outcome: 'paid' })
    expect(warnings(shop)).toMatchObject(OF_1001)
  })

  test('a shopper who presses again on the day of the payment makes no warning', async () => {
    const shop = await openSold()
    expect(await shop.start('1001')).toMatchObject({ outcome: 'paid' })
    expect(warnings(shop)).toEqual([])
  })

  test.each([
    { was: 'paid with other terms', after: DAY, amount: '700' },
    { was: 'refunded', after: DAY, amount: '500', isRefunded: true },
    { was: 'paid, and is deleted', after: 35 * DAY, amount: '500' },
  ])('an order that was $was is refused with the same warning', async ({ after, amount, ...how }) => {
    const shop = await openSold(how)
    await shop.later(after)
    shop.order('1001', amount)
    await expect(shop.start('1001')).rejects.toThrow('order_not_payable')
    expect(warnings(shop)).toMatchObject(OF_1001)
  })

  test('an order that nobody paid is started again without a warning', async () => {
    const shop = await createWorld()
    shop.order('1001')
    await shop.start('1001')
    await shop.later(3 * DAY)
    expect(await shop.start('1001')).toMatchObject({ attempt: 2 })
    expect(warnings(shop)).toEqual([])
  })
})
