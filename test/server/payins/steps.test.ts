import { expect, test } from 'vitest'

import { paying } from '../../support/worlds/charge-world.ts'
import { DAY, HOUR } from '../../support/worlds/observed.ts'
import { toldCharge, toldOrder } from '../../support/worlds/told-charge.ts'

test.each([
  { what: 'without an amount', step: paying(703, undefined, 'T1') },
  { what: 'with another amount', step: paying(703, '450', 'T1') },
  { what: 'with its id in another case', step: paying(703, '500', 't1') },
])('a reversal is told although a step to the payment is listed $what', async ({ step }) => {
  const { shop, hears } = await toldOrder()
  await hears(801, [step, paying(700, '500', 'T1')])
  await shop.later(2 * HOUR)
  await hears(840, [step, paying(702, '500', 'T1')])
  await shop.later(2 * DAY)
  expect(shop.types()).toEqual(['checkout.paid', 'checkout.reversed'])
})

test.each([
  { what: 'without an amount', step: paying(703, undefined, 'T1') },
  { what: 'with the amount that was asked', step: paying(703, '500', 'T1') },
  { what: 'with its id in another case', step: paying(703, '200', 't1') },
])('the rest of a part can be paid although a step to it is listed $what', async ({ step }) => {
  const { shop, hears } = await toldOrder()
  await hears(802, [step, paying(700, '200', 'T1')])
  await shop.later(HOUR)
  shop.order('A-1', '300')
  expect((await shop.initiate('A-1')).status).toBe(201)
})

test.each([
  { what: 'without an amount', steps: [paying(701, undefined, 'T1'), paying(707, '1000', 'T1')] },
  { what: 'with its id in another case', steps: [paying(701, '1000', 'T1'), paying(707, '1000', 't1')] },
])('a payment that was processed anew counts, although a step to it is listed $what', async ({ steps }) => {
  const { told, shop } = await toldCharge()
  told.says(801, [...steps, paying(700, '1000', 'T1')])
  await shop.later(HOUR)
  expect(told.taken).toEqual(['SUCCESSFUL T1'])
})
