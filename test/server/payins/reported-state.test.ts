import { expect, test } from 'vitest'

import { CheckoutPayload } from '../../../server/contract/checkout.ts'
import { digestOf, isSameReport, saysSameMoney } from '../../../server/payins/reported-state.ts'
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

test('a date, a receipt and a method are details of a report, and what was paid is none', () => {
  const [payment] = reported.payments
  const withPayment = (fields: Partial<NonNullable<typeof payment>>) => ({
    ...reported,
    payments: [{ ...payment!, ...fields }],
  })
  const details = [
    { payment_date: null },
    { receipt: null, same_reference_as: null },
    { payment_method_code: 'OTHER' },
  ]
  for (const detail of details) {
    expect(isSameReport(reported, withPayment(detail))).toBe(false)
    expect(digestOf(withPayment(detail))).toBe(digestOf(reported))
  }

  expect(digestOf(withPayment({ amount: '1' }))).not.toBe(digestOf(reported))
})

test('a report that fills in what an earlier one leaves out says the same of money, and one that changes it does not', () => {
  const [payment] = reported.payments
  const withPayment = (fields: Partial<NonNullable<typeof payment>>) => ({
    ...reported,
    payments: [{ ...payment!, ...fields }],
  })
  for (const missing of [{ payment_id: null }, { account_number: null }, { payment_method_code: null }]) {
    expect(saysSameMoney(withPayment(missing), reported)).toBe(true)
  }

  expect(saysSameMoney(withPayment({ payment_id: 'OTHER' }), reported)).toBe(false)
  expect(saysSameMoney(reported, withPayment({ payment_id: null }))).toBe(false)
})
