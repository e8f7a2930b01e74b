import { describe, expect, test } from 'vitest'

import { createReluctantBackend, paying } from '../../support/worlds/charge-world.ts'
import { DAY, HOUR, MINUTE } from '../../support/worlds/observed.ts'
import { toldCharge, toldOrder } from '../../support/worlds/told-charge.ts'

// The page of a paid order stays open, and the payer may press again by mistake.

describe('a second try of what is paid', () => {
  const first = paying(700, '1000', 'T1')

  test.each([
    { what: 'on its way', status: 851, step: 703 },
    { what: 'stuck', status: 850, step: 704 },
  ])('does not keep a decision about the first payment while it is $what', async ({ status, step }) => {
    const backend = createReluctantBackend()
    const { told, shop } = await toldCharge({ backend: backend.answer })
    told.says(801, [first])
    await shop.later(10 * MINUTE)
    told.says(status, [first, paying(step, '1000', 'T2')])
    await shop.later(2 * HOUR)
    told.says(801, [first, paying(701, '1000', 'T2')])
    backend.isWilling = true
    await shop.later(5 * DAY)
    expect(told.taken).toEqual(['SUCCESSFUL T1'])
    expect(await shop.read()).toMatchObject({ outcome: 'succeeded', attention: null })
  })

  test('is none if the paid payment itself is on its way again: that is for a person', async () => {
    const { told, shop } = await toldCharge()
    told.says(801, [first])
    await shop.later(10 * MINUTE)
    told.says(851, [paying(703, '1000', 'T1')], 'C-1', null)
    await shop.later(2 * HOUR)
    expect(await shop.read()).toMatchObject({ outcome: 'needs_attention' })
  })

  test.each([{ step: 701 }, { step: 703 }])(
    'that is listed alone leaves the order paid: $step',
    async ({ step }) => {
      const { shop, hears, outcome } = await toldOrder()
      await hears(801, [paying(700, '500', 'T1')], null)
      await shop.later(5 * MINUTE)
      await hears(801, [paying(step, '500', 'T2')], null)
      await shop.later(2 * HOUR)
      expect(await outcome()).toBe('paid')
      expect(shop.types()).toEqual(['checkout.paid'])
    },
  )

  test('that is listed alone leaves a part refunded', async () => {
    const { shop, hears, outcome } = await toldOrder()
    await hears(801, [paying(700, '500', 'T1')])
    await hears(841, [paying(705, '200', 'T1')], '300')
    await shop.later(10 * MINUTE)
    await hears(841, [paying(701, '200', 'T2')], '300')
    await shop.later(2 * HOUR)
    expect(await outcome()).toBe('refunded')
  })
})
