import { expect, test } from 'vitest'

import { CheckoutPayload } from '../../../server/contract/checkout.ts'
import { isSameReport } from '../../../server/payins/reported-state.ts'
import { toReportedState } from '../../../server/payins/status-answer.ts'
import { checkoutPayload } from '../../support/spec/shapes.ts'
import { SENT } from '../../support/worlds/observed.ts'

const reported = toReportedState(CheckoutPayload.parse(checkoutPayload), SENT, 'KES')

test('a report equals another report by its content, not by its time', () => {
  expect(isSameReport(reported, { ...reported, at: SENT + 1 })).toBe(true)
  expect(isSameReport(reported, { ...reported, amount: `${reported.amount}0` })).toBe(true)
  expect(isSameReport(reported, { ...reported, amount: '1500.01' })).toBe(false)
  expect(isSameReport(reported, { ...reported, payments: [] })).toBe(false)
  const detailed = reported.payments.map((payment) => ({ ...payment, receipt: null }))
  expect(isSameReport(reported, { ...reported, payments: detailed })).toBe(false)
  expect(isSameReport(null, reported)).toBe(false)
})
