import { describe, expect, test } from 'vitest'

import { DAY, HOUR, MINUTE } from '../../../server/transactions/schedule.ts'
import { createReluctantBackend, paying } from '../../support/worlds/charge-world.ts'
import { toldCharge, toldSplits } from '../../support/worlds/told-charge.ts'

const OTHER = { attention: expect.stringContaining('nobody has decided') }
const CLEAR = { outcome: 'succeeded', attention: null }

describe('a decision about a payment that has no id yet', () => {
  test('waits for a person when more is paid before the payment has one', async () => {
    const { told, shop } = await toldCharge()
    told.says(801, [paying(700, '1000')])
    await shop.later(5 * MINUTE)
    expect(await shop.read()).toMatchObject({ fulfilment: { stage: 'decided', payment_id: null } })
    told.says(801, [paying(700, '1000', 'T1'), paying(700, '500')])
    await shop.later(HOUR)
    expect(await shop.read()).toMatchObject({ attention: expect.stringContaining('not which of it') })
    told.says(801, [paying(700, '1000', 'T1'), paying(700, '500', 'T2')])
    await shop.later(HOUR)
    expect({ taken: told.taken, charge: await shop.read() }).toMatchObject({ taken: [], charge: OTHER })
    await shop.acknowledge('SUCCESSFUL')
    expect(told.taken).toEqual(['SUCCESSFUL T1', 'SUCCESSFUL T2'])
    expect(await shop.read()).toMatchObject({ ...CLEAR, fulfilment: { stage: 'confirmed' } })
  })

  test('is for both payments that it is about, also if they are named one after the other', async () => {
    const { told, shop } = await toldCharge()
    told.says(801, [paying(700, '600'), paying(700, '400')])
    await shop.later(5 * MINUTE)
    await shop.acknowledge('SUCCESSFUL')
    told.says(801, [paying(700, '600', 'T1'), paying(700, '400')])
    await shop.later(HOUR)
    told.says(801, [paying(700, '600', 'T1'), paying(700, '400', 'T2')])
    await shop.later(HOUR)
    expect(told.taken).toEqual(['SUCCESSFUL T1', 'SUCCESSFUL T2'])
  })

  test('ends when another amount is named, and a person decides', async () => {
    const { told, shop } = await toldCharge()
    told.says(802, [paying(700, '400')])
    await shop.later(5 * MINUTE)
    await shop.acknowledge('SUCCESSFUL')
    told.says(801, [paying(700, '1000', 'T1')])
    await shop.later(HOUR)
    expect({ taken: told.taken, charge: await shop.read() }).toMatchObject({ taken: [], charge: OTHER })
    await shop.acknowledge('SUCCESSFUL')
    await shop.later(2 * DAY)
    expect({ taken: told.taken, charge: await shop.read() }).toMatchObject({
      taken: ['SUCCESSFUL T1'],
      charge: CLEAR,
    })
    expect(shop.types().at(-1)).toBe('charge.succeeded')
  })

  test('is not about the payment that is listed beside one which went back', async () => {
    const { told, shop } = await toldCharge()
    told.says(801, [paying(700, '1000')])
    await shop.later(5 * MINUTE)
    told.says(801, [paying(702, '1000', 'T1'), paying(700, '1000', 'T2')])
    await shop.later(DAY)
    expect({ taken: told.taken, charge: await shop.read() }).toMatchObject({ taken: [], charge: OTHER })
  })

  test('is not made by an event from before more was paid', async () => {
    const backend = createReluctantBackend()
    const { told, shop } = await toldCharge({ backend: backend.answer })
    told.says(801, [paying(700, '1000')])
    await shop.later(5 * MINUTE)
    told.says(801, [paying(700, '500', 'T1'), paying(700, '1000')])
    await shop.later(2 * HOUR)
    told.says(801, [paying(700, '500', 'T1'), paying(700, '1000', 'T2')])
    await shop.later(6 * HOUR)
    backend.isWilling = true
    await shop.later(3 * DAY)
    expect({ taken: told.taken, charge: await shop.read() }).toMatchObject({ taken: [], charge: OTHER })
  })
})

describe('a decision about a payment with an id', () => {
  test('stays with it when a report lists another one of the same amount in its place', async () => {
    const { told, shop } = await toldCharge()
    told.says(802, [paying(700, '500', 'T1')])
    await shop.later(5 * MINUTE)
    await shop.acknowledge('SUCCESSFUL')
    told.says(802, [paying(700, '500', 'T2')], 'C-1', '1000')
    await shop.later(20 * MINUTE)
    expect(told.taken).toEqual(['SUCCESSFUL T1'])
    told.says(801, [paying(700, '500', 'T1'), paying(700, '500', 'T2')])
    await shop.later(DAY)
    expect(told.taken).toEqual(['SUCCESSFUL T1', 'SUCCESSFUL T2'])
    expect(await shop.read()).toMatchObject(CLEAR)
  })

  test('does not count for an id that comes later', async () => {
    const { told, shop } = await toldCharge()
    told.says(801, [{ ...paying(700, '1000'), charge_request_id: 'CHARGE-1' }])
    await shop.later(5 * MINUTE)
    told.says(801, [paying(702, '1000', 'T1'), paying(700, '1000', 'T2')])
    await shop.later(DAY)
    expect({ taken: told.taken, charge: await shop.read() }).toMatchObject({
      taken: ['SUCCESSFUL CHARGE-1'],
      charge: OTHER,
    })
  })

  test('stands when a part of its payment went back, which is all that is listed', async () => {
    const { told, shop } = await toldCharge()
    told.says(801, [paying(700, '1000', 'T1')])
    await shop.later(5 * MINUTE)
    told.says(841, [paying(705, '300', 'T1')], 'C-1', '700')
    await shop.later(HOUR)
    expect(shop.types()).toEqual(['charge.succeeded', 'charge.refunded'])
    expect(shop.delivered.at(-1)?.data).toMatchObject({ amount_paid: '700' })
    expect(await shop.acknowledge('SUCCESSFUL')).toMatchObject({
      body: { stage: 'confirmed', payment_id: 'T1' },
    })
    await shop.later(2 * DAY)
    expect(told.taken).toEqual(['SUCCESSFUL T1'])
    expect(await shop.read()).toMatchObject({ attention: null })
  })

  test.each([702, 705])(
    'ends when its money went back, listed with a minus sign: %i',
    async (payment_status) => {
      const { told, shop } = await toldCharge()
      told.falls(true)
      told.says(801, [paying(700, '1000', 'T1')])
      await shop.later(5 * MINUTE)
      const status = payment_status === 702 ? 840 : 841
      told.says(status, [paying(700, '1000', 'T1'), paying(payment_status, '-1000', 'T1')], 'C-1', '0')
      await shop.later(HOUR)
      told.falls(false)
      await shop.later(HOUR)
      expect(told.taken).toEqual([])
      expect(await shop.read()).toMatchObject({ amount_paid: '0', fulfilment: { stage: 'refused' } })
    },
  )
})

describe('a decision that the gateway refuses', () => {
  test('is the answer to the call that made it, beside one that was confirmed before', async () => {
    const { told, shop } = await toldCharge()
    told.refuses('T2')
    told.says(801, [paying(700, '1000', 'T1')])
    await shop.later(5 * MINUTE)
    told.says(801, [paying(700, '1000', 'T1'), paying(700, '500', 'T2')])
    await shop.later(2 * HOUR)
    const body = { stage: 'refused', status: 'SUCCESSFUL', payment_id: 'T2' }
    expect(await shop.acknowledge('SUCCESSFUL')).toMatchObject({ status: 200, body })
    expect(await shop.read()).toMatchObject({ fulfilment: body })
  })

  test('is shown, and not the one that was confirmed after it', async () => {
    const backend = createReluctantBackend()
    const { told, shop } = await toldCharge({ backend: backend.answer })
    told.refuses('T1')
    told.says(801, [paying(700, '400', 'T1'), paying(700, '600', 'T2')])
    await shop.later(5 * MINUTE)
    await shop.acknowledge('SUCCESSFUL')
    await shop.later(HOUR)
    expect(told.taken).toEqual(['SUCCESSFUL T2'])
    expect(await shop.read()).toMatchObject({ fulfilment: { stage: 'refused', payment_id: 'T1' } })
  })

  test.each(['SUCCESSFUL', 'FAILED'] as const)('does not hide what is paid later: %s', async (status) => {
    const { told, shop } = await toldCharge()
    told.refuses('T1', 'T2')
    told.says(802, [paying(700, '400', 'T1')])
    await shop.later(5 * MINUTE)
    await shop.acknowledge(status)
    told.says(801, [paying(700, '400', 'T1'), paying(700, '600', 'T2')])
    await shop.later(DAY)
    const news = shop.delivered.map(({ type, data }) => `${type} ${String(data['amount_paid'])}`)
    expect(news).toEqual(['charge.needs_attention 400', 'charge.needs_attention 1000'])
  })
})

describe('a decision about a checkout with splits that the gateway refuses', () => {
  test('does not hide what is paid later', async () => {
    const { told, shop, id } = await toldSplits()
    told.refuses('T1', 'T2')
    told.says(802, [paying(700, '400', 'T1')], id)
    await shop.later(5 * MINUTE)
    await shop.acknowledge('FAILED', id)
    told.says(801, [paying(700, '400', 'T1'), paying(700, '600', 'T2')], id)
    await shop.later(DAY)
    const news = shop.delivered.map(({ type, data }) => `${type} ${String(data['amount_paid'])}`)
    expect(news).toEqual([
      'checkout.partial 400',
      'checkout.needs_attention 400',
      'checkout.needs_attention 1000',
    ])
  })

  test('may be SUCCESSFUL then: it is paid, and then overpaid', async () => {
    const { told, shop, id } = await toldSplits()
    told.refuses('T2')
    told.says(802, [paying(700, '400', 'T1')], id)
    await shop.later(5 * MINUTE)
    await shop.acknowledge('FAILED', id)
    told.says(801, [paying(700, '400', 'T1'), paying(700, '1000', 'T2')], id)
    await shop.later(HOUR)
    told.refuses()
    await shop.acknowledge('SUCCESSFUL', id)
    await shop.later(HOUR)
    expect(shop.types().slice(-2)).toEqual(['checkout.paid', 'checkout.overpaid'])
    expect(told.taken).toEqual(['FAILED T1', 'SUCCESSFUL T2'])
  })
})
