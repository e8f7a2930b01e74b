import { describe, expect, test } from 'vitest'

import { createReluctantBackend, paying } from '../../support/worlds/charge-world.ts'
import { HOUR, MINUTE } from '../../support/worlds/observed.ts'
import { toldCharge } from '../../support/worlds/told-charge.ts'

import type { ToldPayment } from '../../support/worlds/charge-world.ts'

const NAMELESS = { payment_status: 700, amount: '1000', charge_request_id: '22406' }
const NAMED = { ...NAMELESS, transaction_id: 'T1' }

describe('a payment that is known by the id of its charge, and named later,', () => {
  test('is not confirmed twice', async () => {
    const { told, shop } = await toldCharge()
    told.saysFlat(NAMELESS)
    await shop.later(10 * MINUTE)
    told.saysFlat(NAMED)
    await shop.later(10 * MINUTE)
    await shop.acknowledge('FAILED')
    await shop.later(HOUR)
    expect(told.taken).toEqual(['SUCCESSFUL 22406'])
    expect(await shop.read()).toMatchObject({ outcome: 'succeeded', attention: null })
  })

  test('is confirmed by its own id when the event about it is accepted since', async () => {
    const backend = createReluctantBackend()
    const { told, shop } = await toldCharge({ backend: backend.answer })
    told.saysFlat(NAMELESS)
    await shop.later(30_000)
    told.saysFlat(NAMED)
    await shop.later(HOUR)
    backend.isWilling = true
    await shop.later(3 * HOUR)
    expect(told.taken).toEqual(['SUCCESSFUL T1'])
  })

  test('is refused once', async () => {
    const { told, shop } = await toldCharge({ backend: createReluctantBackend().answer })
    told.saysFlat(NAMELESS)
    await shop.later(30_000)
    await shop.acknowledge('FAILED')
    told.saysFlat(NAMED)
    await shop.later(HOUR)
    expect(told.taken).toEqual(['FAILED 22406'])
  })
})

describe('payments of one charge that get their ids together', () => {
  const of = (payment: ToldPayment): ToldPayment => ({ ...payment, charge_request_id: '22406' })

  test('are decided once each: what was served is not refused under its own id', async () => {
    const { told, shop } = await toldCharge()
    told.says(801, [of(paying(700, '1000'))])
    await shop.later(2 * MINUTE)
    told.says(801, [of(paying(700, '1000', 'T1')), of(paying(700, '1000', 'T2'))])
    await shop.later(10 * MINUTE)
    await shop.acknowledge('FAILED')
    await shop.later(HOUR)
    expect(told.taken).toEqual(['SUCCESSFUL 22406', 'FAILED T2'])
  })

  test('are paid, if they are parts', async () => {
    const { told, shop } = await toldCharge()
    told.says(802, [of(paying(700, '400'))])
    await shop.later(2 * MINUTE)
    told.says(801, [of(paying(700, '400', 'T1')), of(paying(700, '600', 'T2'))])
    await shop.later(2 * HOUR)
    expect(await shop.read()).toMatchObject({ outcome: 'succeeded', amount_paid: '1000' })
  })

  test('can be decided, if the first went back', async () => {
    const { told, shop } = await toldCharge()
    told.says(801, [of(paying(700, '1000'))])
    await shop.later(2 * MINUTE)
    told.says(801, [of(paying(705, '1000', 'T1')), of(paying(700, '1000', 'T2'))])
    await shop.later(2 * HOUR)
    await shop.acknowledge('SUCCESSFUL')
    await shop.later(HOUR)
    expect(told.taken).toEqual(['SUCCESSFUL 22406', 'SUCCESSFUL T2'])
  })

  test('are refused once, also if a report between has no ids', async () => {
    const { told, shop } = await toldCharge({ backend: createReluctantBackend().answer })
    told.says(801, [of(paying(700, '1000'))])
    await shop.later(MINUTE)
    await shop.acknowledge('FAILED')
    told.says(801, [paying(700, '1000')])
    await shop.later(10 * MINUTE)
    told.says(801, [of(paying(700, '1000', 'T1'))])
    await shop.later(2 * HOUR)
    expect(told.taken).toEqual(['FAILED 22406'])
  })

  test('are parts, also if a report between has two without ids', async () => {
    const { told, shop } = await toldCharge()
    told.says(802, [of(paying(700, '400'))])
    await shop.later(2 * MINUTE)
    told.says(801, [of(paying(700, '400')), of(paying(700, '600'))])
    await shop.later(2 * MINUTE)
    told.says(801, [of(paying(700, '400', 'T1')), of(paying(700, '600', 'T2'))])
    await shop.later(2 * HOUR)
    expect(await shop.read()).toMatchObject({ outcome: 'succeeded', amount_paid: '1000' })
  })

  test('are two, if the first went back before', async () => {
    const { told, shop } = await toldCharge({ backend: createReluctantBackend().answer })
    told.says(801, [of(paying(700, '1000'))])
    await shop.later(MINUTE)
    await shop.acknowledge('FAILED')
    told.says(841, [of(paying(705, '1000'))], 'C-1', '0')
    await shop.later(10 * MINUTE)
    told.says(801, [of(paying(700, '1000', 'T2'))])
    await shop.later(2 * HOUR)
    expect(told.taken).toEqual(['FAILED 22406', 'FAILED T2'])
  })
})

test('a payment without an id is confirmed by that of its charge also beside one that failed', async () => {
  const { told, shop } = await toldCharge()
  told.says(801, [{ ...NAMELESS, payment_status: 701 }, NAMELESS])
  await shop.later(2 * HOUR)
  expect(told.taken).toEqual(['SUCCESSFUL 22406'])
})

describe('the refund of a charge that is one payment record', () => {
  test.each([
    { what: 'under an id of its own', paid: NAMED, back: 'R1' },
    { what: 'under the id of the payment, which comes with it', paid: NAMELESS, back: 'T1' },
  ])('is told $what', async ({ paid, back }) => {
    const { told, shop } = await toldCharge({ backend: createReluctantBackend().answer })
    told.saysFlat(paid)
    await shop.later(MINUTE)
    await shop.acknowledge('FAILED')
    told.saysFlat({ ...NAMELESS, payment_status: 705, transaction_id: back })
    await shop.later(2 * HOUR)
    expect(await shop.read()).toMatchObject({ outcome: 'refunded', amount_paid: '0', attention: null })
  })

  test('is for a person under an id of its own, if it is a part: it may be one of several', async () => {
    const { told, shop } = await toldCharge()
    told.saysFlat(NAMED)
    await shop.later(10 * MINUTE)
    told.saysFlat({ ...NAMELESS, payment_status: 705, amount: '300', transaction_id: 'R1' })
    await shop.later(2 * HOUR)
    expect(await shop.read()).toMatchObject({ outcome: 'needs_attention' })
  })
})

describe('a refund that names its charge', () => {
  const CHARGE = { charge_request_id: '22406' }

  test.each([
    { back: '300', left: '700' },
    { back: '1000', left: '0' },
  ])('is no payment: $back', async ({ back, left }) => {
    const { told, shop } = await toldCharge()
    told.says(801, [{ ...paying(700, '1000'), ...CHARGE }])
    await shop.later(10 * MINUTE)
    const refund = { ...paying(705, back, 'R1'), ...CHARGE }
    told.says(841, [refund], 'C-1', left)
    await shop.later(HOUR)
    told.says(841, [{ ...paying(700, '1000', 'T1'), ...CHARGE }, refund], 'C-1', left)
    await shop.later(2 * HOUR)
    expect(await shop.read()).toMatchObject({ outcome: 'refunded', amount_paid: left })
  })

  test('causes no second FAILED', async () => {
    const { told, shop } = await toldCharge({ backend: createReluctantBackend().answer })
    told.says(801, [{ ...paying(700, '1000'), ...CHARGE }])
    await shop.later(MINUTE)
    await shop.acknowledge('FAILED')
    const refund = { ...paying(705, '1000', 'R1'), ...CHARGE }
    told.says(841, [refund], 'C-1', '0')
    await shop.later(HOUR)
    told.says(841, [{ ...paying(700, '1000', 'T1'), ...CHARGE }, refund], 'C-1', '0')
    await shop.later(HOUR)
    expect(told.taken).toEqual(['FAILED 22406'])
  })
})

test('a step of a charge that is listed with its failed payment is over', async () => {
  const { told, shop } = await toldCharge()
  const step = { ...paying(703, '1000'), charge_request_id: '22406' }
  const failed = { ...paying(701, '1000', 'T1'), charge_request_id: '22406' }
  told.says(803, [step, failed], 'C-1', '0')
  await shop.later(3 * 24 * HOUR)
  expect(await shop.read()).toMatchObject({ outcome: 'failed', attention: null })
})

describe('a payment that is known by its own id, and then by that of its charge,', () => {
  test('is confirmed once', async () => {
    const backend = createReluctantBackend()
    const { told, shop } = await toldCharge({ backend: backend.answer })
    told.saysFlat(NAMED)
    await shop.later(10 * MINUTE)
    told.saysFlat(NAMELESS)
    await shop.later(HOUR)
    backend.isWilling = true
    await shop.later(3 * HOUR)
    await shop.acknowledge('SUCCESSFUL')
    expect(told.taken).toEqual(['SUCCESSFUL T1'])
    expect(await shop.read()).toMatchObject({ outcome: 'succeeded', attention: null })
  })

  test('still counts for the other charge for which it was counted', async () => {
    const { told, shop } = await toldCharge()
    told.saysFlat(paying(700, '1000', 'T1'))
    await shop.later(5 * MINUTE)
    await shop.charge({ external_reference: 'C-2', payment_method_code: undefined })
    told.saysFlat(NAMELESS, 'C-2')
    await shop.later(5 * MINUTE)
    told.saysFlat(NAMED, 'C-2')
    await shop.later(HOUR)
    told.saysFlat({ ...NAMELESS, payment_method_code: 'AIRTEL_KEN' }, 'C-2')
    await shop.later(HOUR)
    expect(shop.logged.filter(({ level }) => level === 'error')).toEqual([])
  })
})
