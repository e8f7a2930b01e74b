import { describe, expect, test } from 'vitest'

import { createChargeWorld, createToldGateway, paying } from '../../support/worlds/charge-world.ts'
import { DAY, HOUR } from '../../support/worlds/observed.ts'
import { toldCharge } from '../../support/worlds/told-charge.ts'

import type { ToldPayment } from '../../support/worlds/charge-world.ts'

/** A charge that is paid on a page. */
const PAGE = { payment_method_code: undefined }
const BY = { says: 'paid', by: 'Asha', note: 'The support has it.' }
const T1 = paying(700, '1000', 'T1')
const named = (payment: typeof T1) => ({ ...payment, payment_method_code: 'MOMO_KEN' })

test('a charge whose decision was refused stays resolved when the gateway fills in a detail', async () => {
  const told = createToldGateway()
  const shop = await createChargeWorld({ gateway: told.answer })
  await shop.charge(PAGE)
  told.refuses('T1')
  told.says(801, [T1])
  await shop.later(HOUR)
  await shop.api('/charges/C-1/resolve', BY)
  told.says(801, [named(T1)])
  await shop.later(DAY)
  expect(shop.types()).toEqual(['charge.succeeded', 'charge.needs_attention', 'charge.resolved'])
})

test('an order with splits stays resolved when the gateway fills in a detail', async () => {
  const told = createToldGateway()
  const shop = await createChargeWorld({ gateway: told.answer })
  shop.order('A-1', '1000', { splits: [{ account: 'PARTNER-001', amount: 100, reason: 'Cloth' }] })
  const { merchant_transaction_id: id } = await shop.start('A-1')
  told.refuses('T1')
  told.says(801, [T1], id)
  await shop.later(HOUR)
  await shop.api(`/checkouts/${id}/resolve`, BY)
  told.says(801, [named(T1)], id)
  await shop.later(DAY)
  expect(shop.types()).toEqual(['checkout.paid', 'checkout.needs_attention', 'checkout.resolved'])
})

test('a charge of which a part was paid stays resolved when the gateway fills in a detail', async () => {
  const told = createToldGateway()
  const shop = await createChargeWorld({ gateway: told.answer })
  await shop.charge(PAGE)
  const part = paying(700, '400', 'T1')
  told.says(802, [part])
  await shop.later(DAY + HOUR)
  await shop.api('/charges/C-1/resolve', BY)
  told.says(802, [named(part)])
  await shop.later(2 * DAY)
  expect(shop.types()).toEqual(['charge.needs_attention', 'charge.resolved'])
})

test('a charge does not stay resolved when the gateway reports other money', async () => {
  const told = createToldGateway()
  const shop = await createChargeWorld({ gateway: told.answer })
  await shop.charge(PAGE)
  told.refuses('T1')
  told.says(801, [T1])
  await shop.later(HOUR)
  await shop.api('/charges/C-1/resolve', BY)
  told.says(801, [T1, paying(700, '500', 'T2')])
  await shop.later(DAY)
  expect(shop.types().at(-1)).toBe('charge.overpaid')
})

describe('a charge of which a part was paid stays resolved', () => {
  const part = { ...paying(700, '900', 'T1'), payer_transaction_id: 'QK71P0ZX' }
  const step = paying(703, '900', 'T1')
  const two = [paying(700, '500', 'T1'), paying(700, '400', 'T2')]

  test.each<{ what: string; before: ToldPayment[]; after: ToldPayment[]; total: string | null }>([
    { what: 'a step to the payment is listed no more', before: [step, part], after: [part], total: '900' },
    { what: 'a step to the payment is listed since', before: [part], after: [step, part], total: '900' },
    {
      what: 'its id is written otherwise',
      before: [part],
      after: [{ ...part, transaction_id: 't1' }],
      total: '900',
    },
    { what: 'the list has another order', before: two, after: two.toReversed(), total: '900' },
    { what: 'no total is stated any more', before: [part], after: [part], total: null },
  ])('when $what', async ({ before, after, total }) => {
    const { told, shop } = await toldCharge()
    told.says(801, before)
    await shop.later(HOUR)
    await shop.api('/charges/C-1/resolve', BY)
    told.says(801, after, 'C-1', total)
    await shop.later(2 * HOUR)
    expect(shop.types()).toEqual(['charge.needs_attention', 'charge.resolved'])
    expect(await shop.read()).toMatchObject({ outcome: 'succeeded', attention: null })
  })
})
