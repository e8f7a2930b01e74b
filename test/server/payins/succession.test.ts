import { expect, test } from 'vitest'

import { CheckoutPayload } from '../../../server/contract/checkout.ts'
import { toReportedState } from '../../../server/payins/status-answer.ts'
import { continued } from '../../../server/payins/succession.ts'
import { checkoutPayload, paymentRecord } from '../../support/spec/shapes.ts'
import { SENT } from '../../support/worlds/observed.ts'

import type { ReportedState } from '../../../server/payins/reported-state.ts'

test('a report that lists no payment any more leaves out those that were in flight, unless money was received', () => {
  const reportOf = (status: number, amount: string, ...statuses: number[]) => {
    const payments = statuses.map((payment_status, index) => {
      return { ...paymentRecord, payment_status, transaction_id: `T-${index}`, amount: '500' }
    })
    return toReportedState(
      CheckoutPayload.parse({ ...checkoutPayload, status, amount, payments }),
      SENT,
      'KES',
    )
  }

  const statusesOf = (before: ReportedState, heard: ReportedState) =>
    continued(before, heard).payments.map(({ payment_status }) => payment_status)
  expect(statusesOf(reportOf(803, '0', 701, 703), reportOf(803, '0'))).toEqual([701])
  expect(statusesOf(reportOf(802, '500', 700, 703), reportOf(802, '500'))).toEqual([700, 703])
  expect(statusesOf(reportOf(851, '0', 703), reportOf(803, '0'))).toEqual([])
})
