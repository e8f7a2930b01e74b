import { expect, test } from 'vitest'

import { createChargeWorld, createToldGateway, paying } from '../../support/worlds/charge-world.ts'
import { DAY } from '../../support/worlds/observed.ts'

import type { ToldPayment } from '../../support/worlds/charge-world.ts'

/** A charge of 1000 and the gateway's own fee, whose answer, with the total, is lost. */
async function charged() {
  const told = createToldGateway()
  const shop = await createChargeWorld({
    gateway: (url, init) => {
      const isPost = init.method === 'POST' && url.endsWith('/charges')
      return isPost ? new Response(null, { status: 504 }) : told.answer(url, init)
    },
  })
  await shop.charge({
    payment_method_code: undefined,
    add_transaction_charge: true,
    transaction_charge: undefined,
  })
  return {
    ...shop,
    async hears(status: number, payments: ToldPayment[], total?: string) {
      told.says(status, payments, 'C-1', total)
      await shop.later(DAY)
    },
    news: () =>
      shop.delivered.map(
        ({ type, data }) => `${type} ${String(data['amount_paid'])} of ${String(data['amount'])}`,
      ),
  }
}

test('a charge whose answer was lost is overpaid by a second payment of the same total', async () => {
  const shop = await charged()
  await shop.hears(801, [paying(700, '1015', 'T1')])
  await shop.hears(801, [paying(700, '1015', 'T1'), paying(700, '1015', 'T2')])
  expect(shop.news()).toEqual(['charge.succeeded 1015 of 1015', 'charge.overpaid 2030 of 1015'])
})

test('a charge whose answer was lost is refunded by a return of a part of its total', async () => {
  const shop = await charged()
  await shop.hears(801, [paying(700, '1300', 'T1')])
  await shop.hears(841, [paying(700, '1300', 'T1'), paying(705, '200', 'T1')], '1100')
  expect(shop.news()).toEqual(['charge.succeeded 1300 of 1300', 'charge.refunded 1100 of 1300'])
})

test('a charge whose answer was lost has the total that its parts first came to', async () => {
  const shop = await charged()
  await shop.hears(802, [paying(700, '600', 'T1')])
  await shop.hears(801, [paying(700, '600', 'T1'), paying(700, '415', 'T2')])
  await shop.hears(801, [paying(700, '600', 'T1'), paying(700, '415', 'T2'), paying(700, '415', 'T3')])
  expect(shop.news()).toEqual([
    'charge.needs_attention 600 of 1000',
    'charge.succeeded 1015 of 1015',
    'charge.overpaid 1430 of 1015',
  ])
})
