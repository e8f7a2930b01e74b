/**
 * Defines the schemas of standard checkouts (v2). [spec: Standard checkout request, Standard checkout response,
 * Checkout callback and status payload]
 */

import { z } from 'zod'
import {
  decimal,
  msisdn,
  nonEmpty,
  optionalText,
  optionalTimestamp,
  text,
  timestamp,
  url,
  wholeNumber,
} from './fields.ts'
import { CHECKOUT_STATUS, PAYMENT_STATUS } from './status.ts'

/**
 * The request that creates a checkout session. `expires_in` is the session's lifetime in minutes. [assumed] `amount` is
 * a whole number of major units of the currency, never of cents.
 */
export const InitiateRequest = z.object({
  merchant_transaction_id: text(64),
  amount: wholeNumber(1),
  payer_name: text(100),
  payer_email: text(100).refine((value) => /^[^\s@]+@[^\s@]+$/.test(value), 'must be an e-mail address'),
  payer_msisdn: msisdn,
  service_code: text(32),
  account_number: text(50),
  expires_in: wholeNumber(1),
  narration: text(255),
  callback_url: url(500),
  redirect_url: url(500),
})
export type InitiateRequest = z.output<typeof InitiateRequest>

/** The response to {@link InitiateRequest}. `redirect_url` is the URL of the hosted page where the customer pays. */
export const InitiateResponse = z.object({
  merchant_transaction_id: z.string(),
  checkout_reference: nonEmpty,
  currency: nonEmpty,
  amount: wholeNumber(1),
  expires_at: timestamp,
  redirect_url: z.url({ protocol: /^https?$/ }),
})
export type InitiateResponse = z.output<typeof InitiateResponse>

/**
 * One payment of a checkout. An invalid amount or status makes the record unreadable. Every other invalid field is read
 * as null, so that it never hides a payment.
 */
export const PaymentRecord = z.looseObject({
  event: optionalText,
  amount: decimal,
  payment_date: optionalTimestamp,
  payment_status: z.coerce.number().pipe(z.literal(Object.values(PAYMENT_STATUS))),
  currency_code: optionalText,
  account_number: optionalText,
  service_code: optionalText,
  transaction_id: optionalText,
  external_reference: optionalText,
  payment_method_code: optionalText,
  payer_transaction_id: optionalText,
})
export type PaymentRecord = z.output<typeof PaymentRecord>

/** The state of a checkout: the body of a callback, and the response to a status query. */
export const CheckoutPayload = z.object({
  amount: decimal,
  checkout_reference: nonEmpty,
  currency: nonEmpty,
  merchant_transaction_id: nonEmpty,
  narration: optionalText,
  /**
   * The payments of the checkout. [assumed] A payment record that cannot be read is omitted, so its amount is missing
   * from the sum of the payments.
   */
  payments: z
    .array(PaymentRecord.nullable().catch(null))
    .transform((payments) => payments.filter((payment) => payment !== null)),
  status: z.coerce.number().pipe(z.literal(Object.values(CHECKOUT_STATUS))),
  timestamp: optionalText,
})
export type CheckoutPayload = z.output<typeof CheckoutPayload>
