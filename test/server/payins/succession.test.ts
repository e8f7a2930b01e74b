import { expect, test } from 'vitest'

import { CheckoutPayload } from '../../../server/contract/checkout.ts'
import { moneyOf } from '../../../server/payins/reported-money.ts'
import { toReportedState } from '../../../server/payins/status-answer.ts'
import { canFollow, continued } from '../../../server/payins/succession.ts'
import { checkoutPayload, paymentRecord } from '../../support/spec/shapes.ts'
import { SENT } from '../../support/worlds/observed.ts'

import type { ReportedState } from '../../../server/payins/reported-state.ts'

const reportOf = (status: number, amount: string | null, ...statuses: number[]) => {
  const payments = statuses.map((payment_status, index) => {
    return { ...paymentRecord, payment_status, transaction_id: `T-${index}`, amount: '500' }
  })
  return toReportedState(CheckoutPayload.parse({ ...checkoutPayload, status, amount, payments }), SENT, 'KES')
}

test.each([
  [801, [700]],
  [802, [700, 701]],
  [840, [702]],
  [841, [705]],
])('a report that says %i without an amount says what the one before it said', (status, statuses) => {
  const before = reportOf(status, '500', ...statuses)
  for (const amount of [null, '']) {
    const heard = reportOf(status, amount)
    expect(continued(before, heard)).toEqual(before)
    expect(canFollow(before, heard)).toBe(true)
  }
})

test.each([
  [801, 700],
  [840, 702],
])('a report that says %i with 0 leaves the money as it was', (status, payment) => {
  const before = reportOf(status, '500', payment)
  const heard = continued(before, reportOf(status, '0'))
  expect(moneyOf(heard)).toEqual(moneyOf(before))
})

test.each([840, 841])('a return that lists no payment leaves out those that were made', (status) => {
  const before = reportOf(801, '500', 700, 701, 703)
  const heard = continued(before, reportOf(status, '0'))
  expect(heard).toMatchObject({ status, amount: '0' })
  expect(heard.payments).toEqual(before.payments.slice(0, 2))
  expect(moneyOf(heard)).toMatchObject({ received: '0', returned: true })
  expect(moneyOf(continued(before, reportOf(status, '300')))).toMatchObject({
    received: '300',
    returned: false,
  })
})

test.each([803, 820])('a report that says %i and no amount says that there is no payment', (status) => {
  const before = reportOf(802, '500', 700)
  const heard = reportOf(status, '0')
  expect(continued(before, heard).payments).toEqual([])
  expect(canFollow(before, heard)).toBe(false)
})

test('a payment that is listed without an amount has the one that it had', () => {
  const before = reportOf(801, '500', 700)
  const bare = { ...paymentRecord, payment_status: 700, transaction_id: 'T-0', amount: null }
  const payload = CheckoutPayload.parse({ ...checkoutPayload, status: 801, amount: null, payments: [bare] })
  const heard = toReportedState(payload, SENT, 'KES')
  expect(continued(before, heard).payments.map(({ amount }) => amount)).toEqual(['500'])
  expect(canFollow(before, heard)).toBe(true)
})

test('a report that lists no payment any more leaves out those that were in flight, unless money was received', () => {
  const statusesOf = (before: ReportedState, heard: ReportedState) =>
    continued(before, heard).payments.map(({ payment_status }) => payment_status)
  expect(statusesOf(reportOf(803, '0', 701, 703), reportOf(803, '0'))).toEqual([701])
  expect(statusesOf(reportOf(802, '500', 700, 703), reportOf(802, '500'))).toEqual([700, 703])
  expect(statusesOf(reportOf(851, '0', 703), reportOf(803, '0'))).toEqual([])
})
