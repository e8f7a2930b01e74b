import { expect, test } from 'vitest'
import { clientOf, countByStatus } from '../support/client.ts'
import { createLimitedShop } from '../support/limited-shop.ts'

const ADDRESS = '203.0.113.7'
const LOOKUP_MS = 1_000

test('lookups of 900 orders that take a second, guesses too, delay no other start from the same address', async () => {
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
  const { initiate } = clientOf(shop.app, ADDRESS)
  const many = (name: string, count: number) =>
    Promise.all(Array.from({ length: count }, (_, order) => initiate(`${name}-${order}`)))
  const [slow, guesses] = [many('slow', 450), many('guess', 450)]
  // No time passes while these start.
  expect(countByStatus(await many('A', 20))).toEqual({ 201: 20 })
  await shop.clock.advance(LOOKUP_MS)
  expect(countByStatus(await slow)).toEqual({ 201: 450 })
  expect(countByStatus(await guesses)).toEqual({ 404: 30, 429: 420 })
})
