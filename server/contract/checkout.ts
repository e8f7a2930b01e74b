/**
 * Defines the schemas of standard checkouts, in version 2 of the gateway's API. [spec: Standard checkout request,
 * Standard checkout response, Checkout callback and status payload]
 */

import { z } from 'zod'

import {
  accountNumber,
  boundedList,
  callbackUrl,
  coded,
  email,
  id,
  optionalText,
  optionalTimestamp,
  payerName,
  possibleMsisdn,
  reference,
  reported,
  reportedCurrency,
  statedCurrency,
  serviceCode,
  statedAmount,
  statedTotal,
  text,
  url,
  wholeNumber,
} from './fields.ts'
import { LONGEST } from './lengths.ts'
import { field } from './openapi-field.ts'
import { CHECKOUT_STATUS, PAYMENT_STATUS } from './status.ts'

/**
 * The request that creates a session for a checkout. `expires_in` is the session's lifetime in minutes.
 *
 * [assumed] `amount` is a whole number of major units of the currency, for example of shillings and not of cents.
 */
export const InitiateRequest = z.object({
  merchant_transaction_id: field(reference, 'Your id of the checkout, the idempotency key.', 'A-1001'),
  amount: field(wholeNumber(1), 'Amount, in whole major units of the currency of the service.', 1500),
  payer_name: field(payerName(text(LONGEST.name)), 'Name of the customer.', 'Asha Otieno'),
  payer_email: field(email, 'E-mail address of the customer.', 'asha@example.com'),
  payer_msisdn: possibleMsisdn,
  service_code: serviceCode('CHECKOUT-KES'),
  account_number: field(accountNumber, 'Number of your account at the gateway.', 'ACC-001'),
  expires_in: field(wholeNumber(1), 'Lifetime of the session, in minutes.', 30),
  narration: field(text(LONGEST.narration), 'What the customer pays for.', 'Two kangas'),
  callback_url: callbackUrl,
  redirect_url: field(
    url(LONGEST.gatewayUrl),
    'Where the customer is sent afterwards.',
    'https://shop.example/thanks',
  ),
})
export type InitiateRequest = z.output<typeof InitiateRequest>

/** The gateway's response to an {@link InitiateRequest}. `redirect_url` is the URL of the hosted page. */
export const InitiateResponse = z.object({
  merchant_transaction_id: field(id, 'Your id of the checkout.', 'A-1001'),
  checkout_reference: field(id, "The gateway's id of the session.", '8f1d20c7'),
  currency: field(statedCurrency, 'Currency, ISO 4217.', 'KES'),
  amount: field(wholeNumber(1), 'Amount, in major units of the currency.', 1500),
  expires_at: field(optionalTimestamp, 'End of the session. ISO 8601, UTC.', '2026-11-21T09:30:00Z'),
  redirect_url: field(
    z.url({ protocol: /^https?$/ }),
    'Hosted page, to which you send the customer.',
    'https://gateway.example/pay/8f1d20c7',
  ),
})
export type InitiateResponse = z.output<typeof InitiateResponse>

/** Why a payment failed. [spec: Checkout error object] [assumed] Reports may have these fields, too. */
const failureWords = {
  status_code: wholeNumber(1).nullable().catch(null),
  status_description: optionalText,
  message: optionalText,
}

/**
 * The fields of one payment of a checkout or a charge that the server reads. A payment record is invalid only if its
 * amount or its status is invalid. In the other fields, an invalid value becomes null, so that the payment is not lost.
 */
export const PaymentRecord = z.object({
  amount: field(statedAmount, 'Amount of the payment, as decimal text in major units.', '1500.00'),
  payment_date: field(optionalTimestamp, 'Time of its last change. ISO 8601.', '2026-11-21T09:04:00Z'),
  payment_status: field(
    coded(Object.values(PAYMENT_STATUS)),
    '700 successful, 701 failed, 702 reversed, 703 pending, 704 jammed, 705 refunded, 706 accepted, 707 tried again, 708 waits for approval.',
  ),
  currency_code: reportedCurrency,
  account_number: reported('The account_number of the request.', 'ACC-001'),
  service_code: reported('Service code.', 'CHECKOUT-KES'),
  transaction_id: reported("The gateway's id of the payment.", '8815201'),
  charge_request_id: reported("The gateway's id of the request.", '480015500781234'),
  external_reference: reported('Your id of the checkout or charge.', 'A-1001'),
  payment_method_code: reported('Payment method.', 'MOMO_KEN'),
  payer_msisdn: reported('Number from which the payment was made.', '254700000001'),
  payer_transaction_id: reported("The operator's receipt.", 'QK71P0ZX'),
  payment_account_reference: reported("The operator's receipt.", 'QK71P0ZX'),
  /** [assumed] Some gateways say here why the payment failed. */
  receiver_narration: reported("The gateway's result.", 'The payment was received.'),
  ...failureWords,
})
export type PaymentRecord = z.output<typeof PaymentRecord>

/** What stands for a total that cannot be read. Null stands for one that is not stated. */
export const UNREADABLE = 'unreadable'

/** The maximum number of payment records. [assumed] A payer pays a bill in far fewer parts. */
const MAX_PAYMENTS = 1_000

/**
 * The fields that the server reads of the state of a checkout or a charge, as the gateway reports it in callbacks and
 * in responses to status queries.
 *
 * [assumed] Only the reference and the status are needed in every report. Without `payments` there are none, and
 * without `currency` or `checkout_reference` the report does not contradict those of the session. A total that cannot be
 * read becomes {@link UNREADABLE}, and such a payment record null, because there may be money in them.
 */
export const CheckoutPayload = z.object({
  amount: field(
    statedTotal.catch(UNREADABLE),
    'Amount received, as decimal text. Null when not reported.',
    '1500',
  ),
  checkout_reference: reported("The gateway's id of the session.", '8f1d20c7'),
  currency: reportedCurrency,
  merchant_transaction_id: field(id, 'Your id of the checkout or charge.', 'A-1001'),
  payments: boundedList(PaymentRecord.nullable().catch(null), MAX_PAYMENTS)
    .nullish()
    .transform((payments) => payments ?? []),
  status: field(
    coded(Object.values(CHECKOUT_STATUS)),
    '801 paid, 802 partly paid, 803 unpaid, 820 expired, 840 reversed, 841 refunded, 850 jammed, 851 pending.',
  ),
  ...failureWords,
})
export type CheckoutPayload = z.output<typeof CheckoutPayload>
