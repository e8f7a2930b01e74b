import { expect, test } from 'vitest'

import { CheckoutPayload } from '../../../server/contract/checkout.ts'
import { digestOf, saysSameMoney } from '../../../server/payins/same-money.ts'
import { toReportedState } from '../../../server/payins/status-answer.ts'
import { checkoutPayload } from '../../support/spec/shapes.ts'
import { SENT } from '../../support/worlds/observed.ts'

const reported = toReportedState(CheckoutPayload.parse(checkoutPayload), SENT, 'KES')

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
