/**
 * Defines the schemas of standard checkouts, in version 2 of the gateway's API. [spec: Standard checkout request,
 * Standard checkout response, Checkout callback and status payload]
 */

import { z } from 'zod'
import {
  boundedList,
  email,
  nonEmpty,
  optionalText,
  optionalTimestamp,
  possibleMsisdn,
  statedAmount,
  text,
  timestamp,
  url,
  wholeNumber,
} from './fields.ts'
import { CHECKOUT_STATUS, PAYMENT_STATUS } from './status.ts'

/**
 * The request that creates a session for a checkout. `expires_in` is the session's lifetime in minutes.
 *
 * [assumed] `amount` is a whole number of major units of the currency, for example of shillings and not of cents.
 */
export const InitiateRequest = z.object({
  merchant_transaction_id: text(64),
  amount: wholeNumber(1),
  payer_name: text(100),
  payer_email: email,
  payer_msisdn: possibleMsisdn,
  service_code: text(32),
  account_number: text(50),
  expires_in: wholeNumber(1),
  narration: text(255),
  callback_url: url(500),
  redirect_url: url(500),
})
export type InitiateRequest = z.output<typeof InitiateRequest>

/** The gateway's response to an {@link InitiateRequest}. `redirect_url` is the URL of the hosted page. */
export const InitiateResponse = z.object({
  merchant_transaction_id: z.string(),
  checkout_reference: nonEmpty,
  currency: nonEmpty,
  amount: wholeNumber(1),
  expires_at: timestamp,
  redirect_url: z.url({ protocol: /^https?$/ }),
})
export type InitiateResponse = z.output<typeof InitiateResponse>

/** [spec: Checkout error object] [assumed] A payment record and a status may have these fields, too. */
const words = {
  status_code: z.coerce.number().nullable().catch(null),
  status_description: optionalText,
  message: optionalText,
}

/**
 * The fields of one payment of a checkout or a charge that the server reads. A payment record is invalid only if its
 * amount or its status is invalid. In the other fields, an invalid value becomes null, so that the payment is not lost.
 */
export const PaymentRecord = z.object({
  amount: statedAmount,
  payment_date: optionalTimestamp,
  payment_status: z.coerce.number().pipe(z.literal(Object.values(PAYMENT_STATUS))),
  currency_code: optionalText,
  account_number: optionalText,
  service_code: optionalText,
  transaction_id: optionalText,
  charge_request_id: optionalText,
  external_reference: optionalText,
  payment_method_code: optionalText,
  payer_transaction_id: optionalText,
  payment_account_reference: optionalText,
  /** The gateway's result of the payment, as seen in practice. */
  receiver_narration: optionalText,
  ...words,
})
export type PaymentRecord = z.output<typeof PaymentRecord>

/** The maximum number of payment records. [assumed] A payer pays a bill in far fewer parts. */
const MOST_PAYMENTS = 1_000

/**
 * The fields that the server reads of the state of a checkout or a charge, as the gateway reports it in callbacks and in
 * responses to status queries.
 *
 * [assumed] Only the reference and the status are needed in every report. Without `payments` there are none, and without
 * `currency` or `checkout_reference` the report does not contradict those of the session. An amount and a payment record
 * that cannot be read become null, because there may be money in them.
 */
export const CheckoutPayload = z.object({
  amount: statedAmount.or(z.null()).catch(null),
  checkout_reference: optionalText,
  currency: optionalText,
  merchant_transaction_id: nonEmpty,
  payments: boundedList(PaymentRecord.nullable().catch(null), MOST_PAYMENTS)
    .nullish()
    .transform((payments) => payments ?? []),
  status: z.coerce.number().pipe(z.literal(Object.values(CHECKOUT_STATUS))),
  ...words,
})
export type CheckoutPayload = z.output<typeof CheckoutPayload>
