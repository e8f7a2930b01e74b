import { expect, test } from 'vitest'
import { createChargeWorld } from '../support/charge-world.ts'

const VICTIM = ['+254 700 000 001', '0700-000-001', '254 0700 000 001', '\u200e+254 (0)700 000 001']

test('a stranger with many orders has a phone ring three times in ten minutes, however he writes it', async () => {
  const shop = await createChargeWorld({ env: { GATEWAY_CHARGE_METHODS: 'MOMO_KEN' } })
  const orders = Array.from({ length: 20 }, (_, order) => `A-${order}`)
  for (const order of orders) shop.order(order)
  const answers = await Promise.all(
    orders.map((order, index) =>
      shop.initiate(order, { method: 'prompt', payer_msisdn: VICTIM[index % 4] ?? '' }),
    ),
  )
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(3)
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(17)
  expect(shop.posts()).toBe(3)
  expect(JSON.stringify(shop.logged)).not.toContain('700000001')
})
