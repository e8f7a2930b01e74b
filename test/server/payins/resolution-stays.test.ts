import { expect, test } from 'vitest'

import { createToldCharge, createToldSplits, paying } from '../../support/worlds/charge-world.ts'
import { DAY, HOUR } from '../../support/worlds/observed.ts'

const BY = { says: 'paid', by: 'Asha', note: 'The support has it.' }
const T1 = paying(700, '1000', 'T1')
const named = (payment: typeof T1) => ({ ...payment, payment_method_code: 'MOMO_KEN' })

test('a charge whose decision was refused stays resolved when the gateway fills in a detail', async () => {
  const { told, shop } = await createToldCharge()
  told.refuses('T1')
  told.says(801, [T1])
  await shop.later(HOUR)
  await shop.api('/charges/C-1/resolve', BY)
  told.says(801, [named(T1)])
  await shop.later(DAY)
  expect(shop.types()).toEqual(['charge.succeeded', 'charge.needs_attention', 'charge.resolved'])
})

test('an order with splits stays resolved when the gateway fills in a detail', async () => {
  const { told, shop, id } = await createToldSplits()
  told.refuses('T1')
  told.says(801, [T1], id)
  await shop.later(HOUR)
  await shop.api(`/checkouts/${id}/resolve`, BY)
  told.says(801, [named(T1)], id)
  await shop.later(DAY)
  expect(shop.types()).toEqual(['checkout.paid', 'checkout.needs_attention', 'checkout.resolved'])
})

test('a charge of which a part was paid stays resolved when the gateway fills in a detail', async () => {
  const { told, shop } = await createToldCharge()
  const part = paying(700, '400', 'T1')
  told.says(802, [part])
  await shop.later(DAY + HOUR)
  await shop.api('/charges/C-1/resolve', BY)
  told.says(802, [named(part)])
  await shop.later(2 * DAY)
  expect(shop.types()).toEqual(['charge.needs_attention', 'charge.resolved'])
})

test('a charge does not stay resolved when the gateway reports other money', async () => {
  const { told, shop } = await createToldCharge()
  told.refuses('T1')
  told.says(801, [T1])
  await shop.later(HOUR)
  await shop.api('/charges/C-1/resolve', BY)
  told.says(801, [T1, paying(700, '500', 'T2')])
  await shop.later(DAY)
  expect(shop.types().at(-1)).toBe('charge.overpaid')
})
