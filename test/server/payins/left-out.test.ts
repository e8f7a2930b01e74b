import { describe, expect, test } from 'vitest'

import { createReluctantBackend, paying } from '../../support/worlds/charge-world.ts'
import { DAY, HOUR, MINUTE } from '../../support/worlds/observed.ts'
import { toldCharge, toldOrder } from '../../support/worlds/told-charge.ts'

const T1 = paying(700, '500', 'T1')
const T2 = paying(700, '500', 'T2')

/** The types of the events with what each says is paid. */
function newsOf({ delivered }: { delivered: { type: string; data: object }[] }): string[] {
  return delivered.map(({ type, data }) => `${type} ${String('amount_paid' in data && data.amount_paid)}`)
}

describe('a payment that a later report leaves out', () => {
  test.each([{ total: null }, { total: '500' }])(
    'may be there beside another one: a person is called, total $total',
    async ({ total }) => {
      const { shop, hears, outcome } = await toldOrder()
      await hears(801, [T1], total)
      await hears(801, [T2], total)
      await shop.later(2 * HOUR)
      expect({ outcome: await outcome(), news: newsOf(shop) }).toEqual({
        outcome: 'review',
        news: ['checkout.paid 500', 'checkout.review 1000'],
      })
    },
  )

  test('is there if the total counts both', async () => {
    const { shop, hears } = await toldOrder()
    await hears(801, [T1], '500')
    await hears(801, [T2], '1000')
    await shop.later(2 * HOUR)
    expect(newsOf(shop)).toEqual(['checkout.paid 500', 'checkout.overpaid 1000'])
  })

  test('does not go back with the other one', async () => {
    const { shop, hears, outcome } = await toldOrder()
    await hears(801, [T1], null)
    await hears(801, [T2], null)
    await hears(840, [paying(702, '500', 'T2')], null)
    await shop.later(HOUR)
    expect(await outcome()).toBe('review')
  })

  test.each([
    { total: null, news: ['checkout.paid 500', 'checkout.review 1000'] },
    { total: '1000', news: ['checkout.paid 500', 'checkout.review 1000', 'checkout.overpaid 1000'] },
  ])('is not forgotten for one without an id, which gets its own later: total $total', async (told) => {
    const { total, news } = told
    const { shop, hears } = await toldOrder()
    await hears(801, [T1], total === null ? null : '500')
    await hears(801, [paying(700, '500')], total)
    await hears(801, [T2], total)
    await shop.later(2 * HOUR)
    expect(newsOf(shop)).toEqual(news)
  })

  test('is for a person if only the one without an id went back', async () => {
    const { told, shop } = await toldCharge({ backend: createReluctantBackend().answer })
    const first = paying(700, '1000', 'T1')
    told.says(801, [first], 'C-1', null)
    await shop.later(MINUTE)
    await shop.acknowledge('FAILED')
    told.says(801, [paying(700, '1000')], 'C-1', null)
    await shop.later(MINUTE)
    told.says(801, [paying(700, '1000', 'T2')], 'C-1', null)
    await shop.later(10 * MINUTE)
    told.says(841, [paying(705, '1000', 'T2')], 'C-1', null)
    await shop.later(9 * DAY)
    expect(await shop.read()).toMatchObject({ outcome: 'needs_attention' })
  })

  test('is the one without an id, if it is listed again alone', async () => {
    const { shop, hears, outcome } = await toldOrder()
    await hears(801, [T1], null)
    await hears(801, [paying(700, '500')], null)
    await hears(801, [T1], null)
    await shop.later(2 * HOUR)
    expect({ outcome: await outcome(), news: newsOf(shop) }).toEqual({
      outcome: 'paid',
      news: ['checkout.paid 500'],
    })
  })

  test('is still told from others by the reference that it shares with a failed one', async () => {
    const { hears, outcome } = await toldOrder()
    const operator = { payer_transaction_id: 'QK71P0ZX' }
    const failed = { ...paying(701, '300', 'T0'), ...operator }
    const one = { ...paying(700, '300', 'T1'), ...operator }
    const other = { ...paying(700, '200', 'T3'), payer_transaction_id: 'QK72P0ZX' }
    await hears(801, [failed, one, other], '500')
    await hears(801, [paying(700, '100', 'T4')], '600')
    expect(await outcome()).toBe('paid')
  })

  test('is not asked of the shopper again', async () => {
    const { shop, hears } = await toldOrder()
    await hears(802, [paying(700, '200', 'T1')], null)
    await hears(802, [paying(700, '200', 'T2')], null)
    await shop.later(HOUR)
    shop.order('A-1', '300')
    expect((await shop.initiate('A-1')).status).toBe(409)
  })

  test('did not go back by an answer from before it', async () => {
    const { shop, hears } = await toldOrder()
    const back = paying(702, '500', 'T1')
    await hears(801, [T1], '500')
    await hears(840, [back], '0')
    await hears(801, [back, T2], '500')
    await hears(840, [back], '0')
    await hears(801, [back, T2], '500')
    await shop.later(2 * HOUR)
    expect(newsOf(shop)).toEqual(['checkout.paid 500', 'checkout.reversed 0', 'checkout.paid_late 500'])
  })

  test.each([{ total: null }, { total: '500' }])(
    'may be there beside a return of one that nobody has heard of: total $total',
    async ({ total }) => {
      const { hears, outcome } = await toldOrder()
      await hears(801, [T1], '500')
      await hears(840, [paying(702, '500', 'T2')], total)
      expect(await outcome()).toBe('review')
    },
  )
})

test('a payment of a charge that comes after a part went back waits for a person, because no event tells of it', async () => {
  const { told, shop } = await toldCharge()
  const paid = paying(700, '1000', 'T1')
  const back = paying(705, '300', 'T1')
  told.says(801, [paid])
  await shop.later(10 * MINUTE)
  told.says(802, [paid, back], 'C-1', '700')
  await shop.later(2 * HOUR)
  told.says(801, [paid, back, paying(700, '300', 'T2')], 'C-1', '1000')
  await shop.later(HOUR)
  expect(await shop.read()).toMatchObject({ attention: expect.stringContaining('nobody has decided') })
})
