import { expect, test } from 'vitest'

import {
  ACKNOWLEDGEMENT_CODE,
  AIRTIME_STATUS,
  CHECKOUT_CODE,
  CHECKOUT_STATUS,
  PAYMENT_STATUS,
  PAYOUT_STATUS,
} from '../../server/contract/status.ts'
import { codes } from '../support/spec/shapes.ts'

test.each([
  ['checkout statuses', CHECKOUT_STATUS, codes.checkoutStatus],
  ['payment statuses', PAYMENT_STATUS, codes.paymentStatus],
  ['payout statuses', PAYOUT_STATUS, codes.payoutStatus],
  ['airtime statuses', AIRTIME_STATUS, codes.airtimeStatus],
  ['checkout codes', CHECKOUT_CODE, codes.checkoutCode],
  ['acknowledgement codes', ACKNOWLEDGEMENT_CODE, codes.acknowledgementCode],
])("the %s are the specification's, each once", (_, table, printed) => {
  expect(Object.values<number>(table).toSorted((a, b) => a - b)).toEqual(printed)
})
