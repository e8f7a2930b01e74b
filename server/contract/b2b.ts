/**
 * Defines the schemas of B2B (business-to-business) payouts. The recipient is a bank account, or a mobile money number
 * of a business: a paybill or a till. [spec: B2B payout request, B2B callback and status payload]
 */

import { z } from 'zod'
import { decimal, listedAlpha3, nonEmpty, oneOf, optionalText, reference, text, url } from './fields.ts'
import { currency, payoutStatus, positive } from './payout.ts'

/**
 * The `payment_method` for paybills and tills. [spec: B2B payout request, payment_method] The spec masks the operator in
 * MOMO_B2B. [assumed] Each operator has such a code.
 */
const OPERATOR_B2B = /^[\w.-]+_B2B$/

export const B2bRequest = z
  .object({
    payout_reference: reference,
    service_code: text(32),
    payment_account_reference: text(64),
    recipient_name: text(100),
    recipient_type: oneOf(['PAYBILL', 'TILL', 'BANK_ACCOUNT_NUMBER']),
    recipient_account_number: text(64),
    amount: positive,
    payment_description: text(255),
    payment_method: text(32),
    currency_code: currency,
    country_code: listedAlpha3,
    callback_url: url(500),
  })
  .refine(
    ({ recipient_type, payment_method }) =>
      recipient_type === 'BANK_ACCOUNT_NUMBER'
        ? payment_method === 'BANK'
        : OPERATOR_B2B.test(payment_method),
    {
      path: ['payment_method'],
      error:
        'must be MOMO_B2B for PAYBILL and TILL, with the operator for MOMO, and BANK for BANK_ACCOUNT_NUMBER',
    },
  )
export type B2bRequest = z.output<typeof B2bRequest>

/** The state of a B2B payout, as the gateway reports it in callbacks and in responses to status queries. */
export const B2bResult = z.object({
  payout_reference: nonEmpty,
  transaction_id: optionalText,
  payment_reference: optionalText,
  wallet_account: optionalText,
  destination: optionalText,
  payment_status: payoutStatus,
  amount: decimal,
  currency: optionalText,
  account_number: optionalText,
  destination_name: optionalText,
  description: optionalText,
  transaction_time: optionalText,
  account_balance: optionalText,
  result_description: optionalText,
})
export type B2bResult = z.output<typeof B2bResult>
