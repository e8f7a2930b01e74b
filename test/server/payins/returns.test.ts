import { describe, expect, test } from 'vitest'

import { subtract } from '../../../server/contract/decimal.ts'
import { createReluctantBackend, paying } from '../../support/worlds/charge-world.ts'
import { DAY, HOUR, MINUTE } from '../../support/worlds/observed.ts'
import { toldCharge, toldOrder } from '../../support/worlds/told-charge.ts'

import type { ToldPayment } from '../../support/worlds/charge-world.ts'

const T1 = paying(700, '1000', 'T1')
const OPERATOR = { payer_transaction_id: 'QK71P0ZX' }

describe('a return that is listed alone, under an id of its own', () => {
  test('is no payment of an order when it is listed beside the payment that it is a return of', async () => {
    const { shop, hears, outcome } = await toldOrder()
    await hears(801, [paying(700, '500', 'T1')], null)
    await shop.later(10 * MINUTE)
    await hears(840, [paying(702, '500', 'R1')], null)
    await hears(840, [paying(700, '500', 'T1'), paying(702, '500', 'R1')], null)
    expect(shop.types()).toEqual(['checkout.paid', 'checkout.review'])
    expect(await outcome()).toBe('review')
  })

  test.each([
    { what: 'all of it', back: '1000', left: '0' },
    { what: 'a part', back: '300', left: '700' },
  ])(
    'leaves what the gateway says is left, however it is listed: $what went back',
    async ({ back, left }) => {
      const { told, shop } = await toldCharge()
      told.says(801, [T1])
      await shop.later(10 * MINUTE)
      const returned = paying(705, back, 'R1')
      told.says(841, [returned], 'C-1', left)
      await shop.later(10 * MINUTE)
      told.says(841, [T1, returned], 'C-1', left)
      await shop.later(HOUR)
      expect(await shop.read()).toMatchObject({ outcome: 'refunded', amount_paid: left, attention: null })
    },
  )

  test('calls nobody if the merchant asked for it by FAILED', async () => {
    const { told, shop } = await toldCharge({ backend: createReluctantBackend().answer })
    told.says(801, [T1])
    await shop.later(MINUTE)
    await shop.acknowledge('FAILED')
    const refund = paying(705, '1000', 'R1')
    told.says(841, [refund], 'C-1', '0')
    await shop.later(HOUR)
    told.says(841, [T1, refund], 'C-1', '0')
    await shop.later(2 * DAY)
    expect(await shop.read()).toMatchObject({ outcome: 'refunded', amount_paid: '0', attention: null })
  })
})

describe('money that went back', () => {
  test('is not there again because the payer of an order tries again', async () => {
    const { shop, hears, outcome } = await toldOrder()
    await hears(801, [paying(700, '500', 'T1')])
    await shop.later(10 * MINUTE)
    await hears(840, [paying(702, '500', 'T1')])
    await hears(801, [paying(700, '500', 'T1'), paying(703, '500', 'T2')])
    expect(shop.types()).toEqual(['checkout.paid', 'checkout.reversed'])
    expect(await outcome()).toBe('reversed')
  })

  test('is not there again because the payer of a charge tries again', async () => {
    const { told, shop } = await toldCharge()
    told.says(801, [T1])
    await shop.later(MINUTE)
    told.says(840, [paying(702, '1000', 'T1')])
    await shop.later(10 * MINUTE)
    expect(await shop.read()).toMatchObject({ outcome: 'reversed' })
    told.says(801, [T1, paying(703, '1000', 'T2')])
    await shop.later(3 * HOUR)
    expect(shop.types()).toEqual(['charge.succeeded', 'charge.reversed', 'charge.needs_attention'])
  })

  test('is not forgotten, if it was a part, when the rest is paid', async () => {
    const { shop, hears, outcome } = await toldOrder()
    await hears(802, [paying(700, '300', 'T1')])
    await hears(841, [paying(700, '300', 'T1'), paying(705, '100', 'T1')], '200')
    await hears(801, [paying(700, '300', 'T1'), paying(700, '200', 'T2')])
    expect(await outcome()).not.toBe('paid')
    expect(shop.types()).not.toContain('checkout.paid_late')
  })
})

describe('an order that was paid, and of which the status tells what is held now,', () => {
  const paid = paying(700, '500', 'T1')

  const refund = paying(705, '500', 'T1')
  const other = paying(705, '500', 'R1')

  test.each([
    { what: '803', status: 803, payments: [paid, refund], total: '0' },
    { what: '803 with what was received', status: 803, payments: [paid, refund], total: '500' },
    { what: '803 under another id', status: 803, payments: [paid, other], total: '0' },
    { what: '820', status: 820, payments: [paid, refund], total: '0' },
    { what: '801', status: 801, payments: [paid, refund], total: null },
    { what: '802 with the refund alone', status: 802, payments: [refund], total: null },
  ])('is refunded and over, if all went back: $what', async ({ status, payments, total }) => {
    const { shop, hears, outcome } = await toldOrder()
    await hears(801, [paid])
    await shop.later(10 * MINUTE)
    await hears(status, payments, total)
    await shop.later(2 * HOUR)
    expect(shop.types()).toEqual(['checkout.paid', 'checkout.refunded'])
    expect(await outcome()).toBe('refunded')
    expect((await shop.initiate('A-1')).status).toBe(409)
  })

  test.each([{ id: 'T1' }, { id: 'R1' }])(
    'is refunded and over, if a part went back: under $id',
    async ({ id }) => {
      const { shop, hears, outcome } = await toldOrder()
      await hears(801, [paid])
      await shop.later(10 * MINUTE)
      await hears(802, [paid, paying(705, '200', id)], '300')
      await shop.later(2 * HOUR)
      expect(shop.types()).toEqual(['checkout.paid', 'checkout.refunded'])
      expect(await outcome()).toBe('refunded')
      shop.order('A-1', '200')
      expect((await shop.initiate('A-1')).status).toBe(409)
    },
  )

  test('stays refunded when the rest goes back, and that is repeated', async () => {
    const { shop, hears, outcome } = await toldOrder()
    const part = paying(705, '200', 'T1')
    await hears(801, [paid])
    await hears(841, [paid, part], '300')
    await shop.later(10 * MINUTE)
    await hears(803, [paid, part, paying(705, '300', 'T1')], '0')
    await shop.later(2 * HOUR)
    expect(await outcome()).toBe('refunded')
  })
})

test.each([
  { what: 'before the first report', reports: [{ status: 801, payments: [paying(702, '500', 'T1')] }] },
  {
    what: 'which was a part',
    reports: [
      { status: 802, payments: [paying(700, '200', 'T1')] },
      { status: 802, payments: [paying(700, '200', 'T1'), paying(705, '200', 'T1')] },
    ],
  },
])('an order whose money all went back is over: $what', async ({ reports }) => {
  const { shop, hears } = await toldOrder()
  for (const { status, payments } of reports) {
    await hears(status, payments, null)
  }

  await shop.later(2 * HOUR)
  expect((await shop.initiate('A-1')).status).toBe(409)
})

test('a refund after FAILED is due no more, if 803 lists it beside the payment and states what was received', async () => {
  const { told, shop } = await toldCharge({ backend: createReluctantBackend().answer })
  told.says(801, [T1])
  await shop.later(MINUTE)
  await shop.acknowledge('FAILED')
  told.says(803, [T1, paying(705, '1000', 'T1')], 'C-1', '1000')
  await shop.later(2 * DAY)
  expect(told.taken).toEqual(['FAILED T1'])
  expect(await shop.read()).toMatchObject({ outcome: 'refunded', amount_paid: '0', attention: null })
})

test.each([{ status: 802 }, { status: 841 }])(
  'a part that goes back after the service was provided calls nobody: $status',
  async ({ status }) => {
    const { told, shop } = await toldCharge()
    told.says(801, [T1])
    await shop.later(10 * MINUTE)
    told.says(status, [T1, paying(705, '400', 'T1')], 'C-1', '600')
    await shop.later(2 * HOUR)
    expect(await shop.read()).toMatchObject({ outcome: 'refunded', amount_paid: '600', attention: null })
    expect(shop.types()).toEqual(['charge.succeeded', 'charge.refunded'])
  },
)

test('of an order of which a part was paid, and less is left, the rest is not asked for', async () => {
  const { shop, hears } = await toldOrder()
  await hears(802, [paying(700, '300', 'T1')])
  await hears(802, [paying(700, '300', 'T1'), paying(705, '100', 'T1')], '200')
  await shop.later(2 * HOUR)
  shop.order('A-1', '300')
  expect((await shop.initiate('A-1')).status).toBe(409)
})

describe('refunds of one payment that are listed one by one', () => {
  test.each([{ second: '100' }, { second: '200' }, { second: '250' }])(
    'are told if the total says what is left: 200, then $second',
    async ({ second }) => {
      const { shop, hears, outcome } = await toldOrder()
      const left = subtract('300', second)
      await hears(801, [paying(700, '500', 'T1')])
      await hears(841, [paying(705, '200', 'T1')], '300')
      await hears(841, [paying(705, second, 'T1')], left)
      await shop.later(10 * MINUTE)
      await hears(841, [paying(705, second, 'T1')], left)
      await shop.later(2 * HOUR)
      const told = shop.delivered.map(({ type, data }) => `${type} ${data.amount_paid}`)
      expect(told).toEqual(['checkout.paid 500', 'checkout.refunded 300', `checkout.refunded ${left}`])
      expect(await outcome()).toBe('refunded')
    },
  )

  const paid = paying(700, '500', 'T1')
  const back = (amount: string) => paying(705, amount, 'T1')

  test.each([
    { what: 'one that fits nothing', reports: [{ list: [paid, back('300')], total: '190' }] },
    { what: 'one that is listed twice', reports: [{ list: [paid, back('200'), back('200')], total: '300' }] },
    { what: 'more than was paid', reports: [{ list: [paid, back('300'), back('300')], total: '200' }] },
    { what: 'one of less than the total says', reports: [{ list: [paid, back('100')], total: '300' }] },
    {
      what: 'a total from before the last one',
      reports: [
        { list: [paid, back('300')], total: '500' },
        { list: [paid, back('300'), back('100')], total: '200' },
      ],
    },
  ])(
    'are for a person, and never all that was paid, if the total does not fit: $what',
    async ({ reports }) => {
      const { shop, hears, outcome } = await toldOrder()
      await hears(801, [paid])
      for (const { list, total } of reports) {
        await hears(841, list, total)
      }

      await shop.later(2 * HOUR)
      expect(await outcome()).toBe('review')
    },
  )

  test('are known, if a later list leaves one out and the total does not', async () => {
    const { shop, hears, outcome } = await toldOrder()
    await hears(801, [paid])
    await hears(841, [paid, back('200')], '300')
    await shop.later(10 * MINUTE)
    await hears(802, [paid], '300')
    await shop.later(2 * HOUR)
    expect(await outcome()).toBe('refunded')
  })

  test('are for a person without a total, if a later one is smaller: it is another one', async () => {
    const { told, shop } = await toldCharge()
    const one = { ...T1, charge_request_id: '22406' }
    told.saysFlat(one)
    await shop.later(10 * MINUTE)
    told.saysFlat({ ...one, payment_status: 705, amount: '600' })
    await shop.later(2 * HOUR)
    told.saysFlat({ ...one, payment_status: 705, amount: '400' })
    await shop.later(2 * HOUR)
    expect(await shop.read()).toMatchObject({ attention: expect.stringContaining('after 841') })
  })

  test('are for a person if the total fits neither all of them nor the last alone', async () => {
    const { hears, outcome } = await toldOrder()
    await hears(801, [paying(700, '500', 'T1')])
    await hears(841, [paying(705, '200', 'T1')], '300')
    await hears(841, [paying(705, '100', 'T1')], '150')
    expect(await outcome()).toBe('review')
  })
})

describe('a payment with a return after it, under another id and a status of payment,', () => {
  test.each([
    { what: 'a part, without a total', back: '300', total: null },
    { what: 'all of it, with the total that was received', back: '1000', total: '1000' },
    { what: 'all of it, without a total', back: '1000', total: null },
  ])('is for a person: $what', async ({ back, total }) => {
    const { told, shop } = await toldCharge()
    told.says(801, [T1, paying(705, back, 'R1')], 'C-1', total)
    await shop.later(HOUR)
    expect(await shop.read()).toMatchObject({ outcome: 'needs_attention' })
    expect(told.taken).toEqual([])
  })

  test('is for a person also after FAILED', async () => {
    const { told, shop } = await toldCharge({ backend: createReluctantBackend().answer })
    told.says(801, [T1], 'C-1', null)
    await shop.later(MINUTE)
    await shop.acknowledge('FAILED')
    told.says(801, [T1, paying(705, '1000', 'R1')], 'C-1', null)
    await shop.later(HOUR)
    expect(await shop.read()).toMatchObject({ outcome: 'needs_attention' })
  })

  test('is paid if the return stands before it', async () => {
    const { told, shop } = await toldCharge()
    told.says(801, [paying(702, '1000', 'R1'), T1], 'C-1', null)
    await shop.later(HOUR)
    expect(await shop.read()).toMatchObject({ outcome: 'succeeded', attention: null })
  })
})

describe('what is exactly paid after a part went back', () => {
  const part = paying(700, '300', 'T1')
  test.each<{ what: string; paid: ToldPayment; back: ToldPayment }>([
    { what: 'its own id', paid: part, back: paying(705, '100', 'R1') },
    {
      what: 'its own id, with the reference of the payment',
      paid: { ...part, ...OPERATOR },
      back: { ...paying(705, '100', 'R1'), ...OPERATOR },
    },
    { what: 'the id of the payment', paid: part, back: paying(705, '100', 'T1') },
  ])('needs nobody to look, if the part is listed under $what', async ({ paid, back }) => {
    const { hears, outcome } = await toldOrder()
    await hears(802, [paid])
    await hears(802, [paid, back], '200')
    expect(await outcome()).toBe('partial')
    await hears(801, [paid, back, paying(700, '300', 'T2')], '500')
    expect(await outcome()).toBe('paid')
  })

  test.each([
    { status: 801, refund: paying(705, '1000', 'T2') },
    { status: 841, refund: paying(705, '1000', 'R2') },
  ])('needs nobody to look after an excess was refused: $status', async ({ status, refund }) => {
    const { told, shop } = await toldCharge()
    told.says(801, [T1])
    await shop.later(5 * MINUTE)
    const excess = paying(700, '1000', 'T2')
    told.says(801, [T1, excess])
    await shop.later(HOUR)
    await shop.acknowledge('FAILED')
    expect(told.taken).toEqual(['SUCCESSFUL T1', 'FAILED T2'])
    told.says(status, [T1, excess, refund], 'C-1', '1000')
    await shop.later(33 * DAY)
    expect(await shop.read()).toMatchObject({ outcome: 'succeeded', amount_paid: '1000', attention: null })
  })
})

test('a charge succeeds also if a part went back of which nobody was told', async () => {
  const { told, shop } = await toldCharge()
  told.says(802, [paying(700, '400', 'T1')])
  await shop.later(MINUTE)
  told.says(801, [paying(702, '400', 'T1'), paying(700, '1000', 'T2')])
  await shop.later(HOUR)
  expect(await shop.read()).toMatchObject({ outcome: 'succeeded', attention: null })
  expect(told.taken).toEqual(['SUCCESSFUL T2'])
})

describe('a payment in place of one that went back', () => {
  test('is confirmed, or for a person, also if it was on its way as the other went back', async () => {
    const { told, shop } = await toldCharge()
    told.says(801, [T1])
    await shop.later(10 * MINUTE)
    told.says(840, [paying(702, '1000', 'T1'), paying(703, '1000', 'T2')], 'C-1', '0')
    await shop.later(2 * HOUR)
    told.says(801, [paying(702, '1000', 'T1'), paying(700, '1000', 'T2')])
    await shop.later(DAY)
    expect(await shop.read()).toMatchObject({ attention: expect.stringContaining('nobody has decided') })
  })

  test('is confirmed by its event if nobody was told of the other', async () => {
    const { told, shop } = await toldCharge()
    told.says(802, [paying(700, '400', 'T1')])
    await shop.later(5 * MINUTE)
    told.says(841, [paying(705, '400', 'T1'), paying(703, '1000', 'T2')], 'C-1', '0')
    await shop.later(5 * MINUTE)
    told.says(801, [paying(705, '400', 'T1'), paying(700, '1000', 'T2')])
    await shop.later(DAY)
    expect(told.taken).toEqual(['SUCCESSFUL T2'])
  })

  test('is told also if it comes to what a return has left', async () => {
    const { told, shop } = await toldCharge()
    const excess = paying(700, '1000', 'T2')
    told.says(801, [T1])
    await shop.later(5 * MINUTE)
    told.says(801, [T1, excess])
    await shop.later(HOUR)
    await shop.acknowledge('FAILED')
    told.says(841, [T1, excess, paying(705, '1000', 'T2')], 'C-1', '1000')
    await shop.later(DAY)
    const other = paying(700, '1000', 'T3')
    told.says(801, [paying(702, '1000', 'T1'), excess, paying(705, '1000', 'T2'), other], 'C-1', '1000')
    await shop.later(2 * DAY)
    expect(await shop.read()).toMatchObject({ attention: expect.any(String) })
  })

  test('that fails leaves the charge reversed', async () => {
    const { told, shop } = await toldCharge()
    told.says(801, [T1])
    await shop.later(5 * MINUTE)
    told.says(840, [paying(702, '1000', 'T1'), paying(703, '1000', 'T2')], 'C-1', '0')
    await shop.later(HOUR)
    told.says(803, [paying(702, '1000', 'T1'), paying(701, '1000', 'T2')], 'C-1', '0')
    await shop.later(HOUR)
    expect(shop.types()).toEqual(['charge.succeeded', 'charge.reversed'])
  })
})

describe('what went back of a payment is known also from a report', () => {
  const part = paying(705, '300', 'T1')
  test.each<{ what: string; reports: [ToldPayment[], string | null][]; left: string }>([
    {
      what: 'that states no amount of the return, beside a total',
      reports: [[[T1, paying(705, undefined, 'T1')], '700']],
      left: '700',
    },
    {
      what: 'that lists both again without amounts',
      reports: [
        [[T1, part], '700'],
        [[paying(700, undefined, 'T1'), paying(705, undefined, 'T1')], '700'],
      ],
      left: '700',
    },
    {
      what: 'that does not list the return, and states no total',
      reports: [
        [[T1, part], '700'],
        [[T1], null],
      ],
      left: '700',
    },
  ])('$what', async ({ reports, left }) => {
    const { told, shop } = await toldCharge()
    told.says(801, [T1])
    await shop.later(10 * MINUTE)
    for (const [payments, total] of reports) {
      told.says(841, payments, 'C-1', total)
      await shop.later(2 * HOUR)
    }

    expect(await shop.read()).toMatchObject({ outcome: 'refunded', amount_paid: left, attention: null })
  })

  test('that lists it no more beside another one that goes back', async () => {
    const { told, shop } = await toldCharge()
    const two = [T1, paying(700, '1000', 'T2')]
    told.says(801, two)
    await shop.later(10 * MINUTE)
    told.says(841, [T1, paying(705, '1000', 'T2')], 'C-1', '1000')
    await shop.later(2 * HOUR)
    told.says(841, [paying(705, '1000', 'T1')], 'C-1', null)
    await shop.later(2 * HOUR)
    expect(await shop.read()).toMatchObject({ outcome: 'refunded', amount_paid: '0', attention: null })
  })
})

test('the rest that goes back of a charge is told, too', async () => {
  const { told, shop } = await toldCharge()
  const part = paying(705, '300', 'T1')
  told.says(801, [T1])
  await shop.later(10 * MINUTE)
  told.says(841, [T1, part], 'C-1', '700')
  await shop.later(2 * HOUR)
  told.says(841, [T1, part, paying(705, '700', 'T1')], 'C-1', '0')
  await shop.later(2 * DAY)
  expect(shop.types()).toEqual(['charge.succeeded', 'charge.refunded', 'charge.refunded'])
  expect(shop.delivered.at(-1)?.data).toMatchObject({ amount_paid: '0' })
})

test.each([{ total: null }, { total: '1000' }])(
  'a return that is heard of after its payment may be a part of it, wherever it is listed: total $total',
  async ({ total }) => {
    const { told, shop } = await toldCharge()
    told.says(801, [T1], 'C-1', total)
    await shop.later(10 * MINUTE)
    told.says(801, [paying(705, '1000', 'R1'), T1], 'C-1', total)
    await shop.later(HOUR)
    expect(await shop.read()).toMatchObject({ outcome: 'needs_attention' })
  },
)

test.each([{ misread: '10000' }, { misread: '2500' }])(
  'what a person has corrected does not come back when the money goes back: $misread',
  async ({ misread }) => {
    const { told, shop } = await toldCharge()
    told.saysFlat(paying(700, misread, 'T1'))
    await shop.later(10 * MINUTE)
    told.saysFlat(T1)
    await shop.later(HOUR)
    await shop.api('/charges/C-1/resolve', { says: 'paid', by: 'Asha', note: 'It was 1000.' })
    await shop.later(HOUR)
    told.saysFlat(paying(705, '1000', 'T1'))
    await shop.later(2 * HOUR)
    expect(await shop.read()).toMatchObject({ outcome: 'refunded', amount_paid: '0' })
  },
)

describe('what went back of a payment never becomes less', () => {
  const all = paying(700, '700', 'T1')
  const excess = paying(705, '200', 'T1')

  test('an answer from before a reversal tells of no money', async () => {
    const { shop, hears } = await toldOrder()
    await hears(801, [all], '700')
    await hears(841, [all, excess], '500')
    await hears(840, [all, excess, paying(702, '500', 'T1')], '0')
    await hears(841, [all, excess], '500')
    await hears(840, [all, excess, paying(702, '500', 'T1')], '0')
    expect(shop.types()).not.toContain('checkout.paid_late')
    expect(shop.types().filter((type) => type === 'checkout.reversed')).toHaveLength(1)
  })

  test('if the gateway goes on saying that it is there again, a person is called', async () => {
    const { shop, hears } = await toldOrder()
    await hears(801, [all], '700')
    await hears(841, [all, excess], '500')
    await hears(840, [all, excess, paying(702, '500', 'T1')], '0')
    await shop.later(30 * MINUTE)
    await hears(841, [all, excess], '500')
    expect(shop.types().at(-1)).toBe('checkout.needs_attention')
  })

  test('nor if it went back under 801', async () => {
    const { shop, hears } = await toldOrder()
    await hears(801, [all], '700')
    await hears(801, [all, excess], '500')
    await shop.later(20 * MINUTE)
    await hears(801, [all], '700')
    expect(shop.types()).toEqual([
      'checkout.paid',
      'checkout.overpaid',
      'checkout.overpaid',
      'checkout.needs_attention',
    ])
  })

  test('two returns of one payment are told once each', async () => {
    const { shop, hears } = await toldOrder()
    const paid = paying(700, '500', 'T1')
    const part = paying(705, '200', 'T1')
    const rest = paying(705, '300', 'T1')
    await hears(801, [paid], '500')
    await hears(841, [paid, part], '300')
    await hears(841, [paid, part, rest], '0')
    await hears(841, [paid, part], '300')
    await hears(841, [paid, part, rest], '0')
    expect(shop.types()).toEqual(['checkout.paid', 'checkout.refunded', 'checkout.refunded'])
  })
})

describe('a return that states no amount is that of its payment alone', () => {
  const T2 = paying(700, '500', 'T2')

  test.each([
    { status: 801, back: 702, total: null },
    { status: 801, back: 702, total: '500' },
    { status: 841, back: 705, total: null },
    { status: 841, back: 705, total: '500' },
  ])('under $status with the total $total', async ({ status, back, total }) => {
    const { shop, hears, outcome } = await toldOrder()
    const other = paying(700, '500', 'T1')
    await hears(801, [other, T2], '1000')
    await hears(status, [other, paying(back, undefined, 'T2')], total)
    expect({ outcome: await outcome(), paid: shop.delivered.at(-1)?.data }).toMatchObject({
      outcome: 'paid',
      paid: { amount_paid: '500' },
    })
  })
})

test.each([
  { what: 'nothing was paid', status: 803, payments: [paying(701, '500', 'T1')], total: '0' },
  { what: 'the first part was paid', status: 802, payments: [paying(700, '200', 'T1')], total: '200' },
])(
  'a part that went back is not counted twice when a late answer leaves it out: $what',
  async ({ status, payments, total }) => {
    const { shop, hears } = await toldOrder()
    const [first] = payments
    const second = paying(700, '400', 'T2')
    const left = subtract(status === 803 ? '400' : '600', '200')
    await hears(status, payments, total)
    await hears(841, [first!, second, paying(705, '200', 'T2')], left)
    await hears(status, payments, total)
    expect(shop.delivered.at(-1)?.data).toMatchObject({ amount_paid: left })
  },
)
