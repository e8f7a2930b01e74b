import { expect, test } from 'vitest'

import { CheckoutPayload } from '../../../server/contract/checkout.ts'
import { digestOf, isSameReport } from '../../../server/payins/reported-state.ts'
import { toReportedState } from '../../../server/payins/status-answer.ts'
import { checkoutPayload } from '../../support/spec/shapes.ts'
import { SENT } from '../../support/worlds/observed.ts'

const reported = toReportedState(CheckoutPayload.parse(checkoutPayload), SENT, 'KES')

test('a report equals another report by its content, not by its time', () => {
  expect(isSameReport(reported, { ...reported, at: SENT + 1 })).toBe(true)
  expect(isSameReport(reported, { ...reported, amount: `${reported.amount}0` })).toBe(true)
  expect(isSameReport(reported, { ...reported, amount: '1500.01' })).toBe(false)
  expect(isSameReport(reported, { ...reported, payments: [] })).toBe(false)
  expect(isSameReport(null, reported)).toBe(false)
})

test('a date and a receipt are details of a report, and what was paid is none', () => {
  const [payment] = reported.payments
  const withPayment = (fields: Partial<NonNullable<typeof payment>>) => ({
    ...reported,
    payments: [{ ...payment!, ...fields }],
  })
  for (const detail of [{ payment_date: null }, { receipt: null, same_reference_as: null }]) {
    expect(isSameReport(reported, withPayment(detail))).toBe(false)
    expect(digestOf(withPayment(detail))).toBe(digestOf(reported))
  }

  expect(digestOf(withPayment({ amount: '1' }))).not.toBe(digestOf(reported))
})
