/** What is kept of a gateway's payload, and which status may follow which. */

import { expect, test } from 'vitest'
import { CheckoutPayload } from '../../server/contract/checkout.ts'
import {
  canFollow,
  isSameReport,
  Payment,
  ReportedState,
  toReportedState,
} from '../../server/payins/reported-state.ts'
import { payloadOf } from '../support/open-checkout.ts'

const AT = Date.UTC(2026, 10, 21, 9)

const payload = CheckoutPayload.parse({
  amount: '1500',
  checkout_reference: 'CHK-1',
  currency: 'KES',
  merchant_transaction_id: 'M-1',
  narration: 'Two kangas',
  status: 801,
  timestamp: '2026-11-21T09:00:00Z',
  payments: [
    {
      event: 'payment_status',
      amount: '1500',
      payment_date: '2026-11-21T09:00:00Z',
      payment_status: 700,
      currency_code: 'KES',
      account_number: 'ACC-001',
      transaction_id: '771200',
      external_reference: 'M-1',
      payment_method_code: 'MOMO_KEN',
      payer_transaction_id: 'R1NETWORK9',
      payer_msisdn: '254700000001',
      description: 'What an operator wrote.',
    },
  ],
})

test('a report keeps what is shown or decided upon, and nothing about the payer', () => {
  const reported = toReportedState(payload, AT)
  expect(reported).toEqual({
    at: AT,
    status: 801,
    checkout_reference: 'CHK-1',
    amount: '1500',
    currency: 'KES',
    payments: [
      {
        status: 700,
        amount: '1500',
        currency: 'KES',
        method: 'MOMO_KEN',
        paid_at: payload.payments[0]?.payment_date,
        account_number: 'ACC-001',
        external_reference: 'M-1',
        payment_id: '771200',
      },
    ],
  })
  expect(ReportedState.parse(reported)).toEqual(reported)
})

test('a payment that was stored before its id was kept has none', () => {
  const { payment_id: _, ...stored } = toReportedState(payload, AT).payments[0] ?? {}
  expect(Payment.parse(stored)).toEqual({ ...stored, payment_id: null })
})

test('a report is the same at another time, and another one with other contents', () => {
  const reported = toReportedState(payload, AT)
  expect(isSameReport(reported, { ...reported, at: AT + 1 })).toBe(true)
  expect(isSameReport(reported, { ...reported, amount: '1500.00' })).toBe(false)
  expect(isSameReport(reported, { ...reported, payments: [] })).toBe(false)
  expect(isSameReport(null, reported)).toBe(false)
})

test('any status may be the first, and each may be repeated', () => {
  const refunded = toReportedState(payloadOf(841, []), AT)
  expect(canFollow(null, refunded)).toBe(true)
  expect(canFollow(refunded, refunded)).toBe(true)
  expect(canFollow(refunded, toReportedState(payloadOf(840, []), AT))).toBe(false)
})
