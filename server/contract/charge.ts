/**
 * Defines the schemas of charges, of splits (`split_settlements`), of service confirmations, and of a charge's state.
 * [spec: Charge request, Service processing confirmation]
 */

import { z } from 'zod'

import { CheckoutPayload, PaymentRecord } from './checkout.ts'
import { decimalOf, isDecimal } from './decimal.ts'
import {
  accountNumber,
  atMost,
  boundedList,
  coded,
  currency,
  decimal,
  email,
  id,
  listedCountry,
  oneOf,
  optional,
  optionalTimestamp,
  orRequired,
  payerName,
  possibleMsisdn,
  reference,
  reported,
  reportedCurrency,
  serviceCode,
  text,
  url,
} from './fields.ts'
import { LONGEST } from './lengths.ts'
import { field } from './openapi-field.ts'
import { isNoDeeperThan, safeParse } from './parse.ts'
import { CHECKOUT_CODE, CHECKOUT_STATUS, PAYMENT_STATUS } from './status.ts'

import type { CheckoutStatus, PaymentStatus } from './status.ts'

/**
 * A number with at most 15 digits. A JSON number with more digits can lose precision. [assumed] An amount with more
 * than 15 digits is refused, never rounded.
 */
const EXACT = /^(\D*\d){1,15}\D*$/

/** Numeric text whose three digits after the point may be thousands. Without a zero at the end, the number shows them. */
const AMBIGUOUS = /\.\d\d0$/

/**
 * The schema of an amount that is sent to the gateway as a JSON number, in major units of the currency. Numeric text is
 * accepted too, and is converted to a number.
 */
const amountNumber = z.preprocess(
  (value) => {
    if (typeof value === 'number') {
      return Number(decimalOf(value))
    }

    const text = typeof value === 'string' ? value.trim() : ''
    return isDecimal(text) && !AMBIGUOUS.test(text) ? Number(text) : value
  },
  z
    .number(orRequired('must be a number'))
    .refine((value) => isDecimal(String(value)) && EXACT.test(String(value)), 'must have at most 15 digits'),
)
const positiveNumber = amountNumber.refine((value) => value > 0, 'must be more than zero')

/** A share of a charge's amount for a partner account. */
export const SplitSettlement = z.object(
  {
    account: field(
      accountNumber,
      'Account number of the partner, each once. 1–50 printable ASCII characters.',
      'PARTNER-001',
    ),
    // [spec: "sent as a number or a numeric string"]
    amount: field(
      positiveNumber.meta({ accepts: ['number', 'string'] }),
      'Share, in major units of the currency. More than 0; all shares together are at most the amount.',
      1000,
    ),
    reason: field(text(LONGEST.narration), 'Reason of the share.', 'The weaver'),
  },
  'must be an object',
)
export type SplitSettlement = z.output<typeof SplitSettlement>

/**
 * The maximum number of splits of a charge. A body of `POST /api/charges` cannot have more. [assumed] Orders do not
 * need more.
 */
const MAX_SPLITS = 1_000

/** Returns the schema of a list of splits. */
export const splitListOf = <Split extends z.ZodType>(split: Split) => boundedList(split, MAX_SPLITS)

/** The schema of a boolean field. [assumed] 0 and 1 are accepted too, because some merchants' backends send numbers. */
const flag = z.preprocess(
  (value) => (value === 0 || value === 1 ? value === 1 : value),
  z.boolean('must be true or false'),
)

/** The maximum depth of nested objects and lists in `extra_data`. [assumed] Merchants need at most 16 levels. */
const MAX_DEPTH = 16

/** Returns the schema of a page's URL. Some gateways have one for each result of the payment. */
const pageOf = (description: string) =>
  field(
    url(LONGEST.gatewayUrl).optional(),
    `${description} An absolute URL of at most ${LONGEST.gatewayUrl} characters.`,
    'https://shop.example/thanks',
  )

/** The schema of `extra_data` where it is an object. */
export const Metadata = z
  .looseObject(
    {
      split_settlements: field(
        splitListOf(SplitSettlement).optional(),
        'Shares of the amount for partner accounts, at most 1000.',
      ),
      // The spec's list of fields does not contain `redirect_url`. [assumed] The gateway supports this field, or the
      // following two fields.
      redirect_url: pageOf('Where the hosted page sends the payer afterwards.'),
      success_redirect_url: pageOf('Where some gateways send the payer after a payment.'),
      failed_redirect_url: pageOf('Where some gateways send the payer after a failed payment.'),
    },
    'must be an object or text',
  )
  .refine((data) => isNoDeeperThan(MAX_DEPTH, data), `must be at most ${MAX_DEPTH} levels deep`)
const MetadataText = field(text(LONGEST.metadata), 'Text about the transaction.', 'Table 7')

/**
 * The schema of `extra_data`. The spec shows an object. [assumed] Some gateways also accept text, of at most 1,000
 * characters.
 */
const ExtraData = z.preprocess(
  // Of the two schemas, only one has errors that a merchant can use. A union would report those of neither.
  (value, context) => {
    const parsed = typeof value === 'string' ? safeParse(MetadataText, value) : safeParse(Metadata, value)
    if (parsed.success) {
      return parsed.data
    }

    for (const { path, message } of parsed.error.issues) {
      context.addIssue({ code: 'custom', path: [...path], message })
    }

    return z.NEVER
  },
  z.union([Metadata, MetadataText]),
)
type ExtraData = z.output<typeof ExtraData>

/** Returns the shares for partner accounts in the `extra_data` of a charge. */
export function splitSettlementsIn(extraData: ExtraData | undefined): readonly SplitSettlement[] {
  return typeof extraData === 'object' ? (extraData.split_settlements ?? []) : []
}

/**
 * The request that creates a charge. If the request contains `payment_method_code`, the gateway prompts the payer on
 * the payer's phone. Otherwise, the gateway's response contains the URL of a hosted page. The spec does not say which
 * fields are required. [assumed] Every charge needs the fields that this schema requires.
 */
export const ChargeRequest = z.object({
  external_reference: reference.meta({ examples: ['BILL-2026-11-0001'] }),
  origin_channel_code: field(
    text(LONGEST.code).optional(),
    'Channel of the order, such as WEB, USSD or APP.',
    'WEB',
  ),
  originator_msisdn: possibleMsisdn.optional(),
  payer_msisdn: possibleMsisdn,
  payer_email: field(email.optional(), 'E-mail address of the payer.', 'asha@example.com'),
  payer_name: field(payerName(text(LONGEST.name).optional()).optional(), 'Name of the payer.', 'Asha Otieno'),
  client_code: field(text(LONGEST.code).optional(), 'Your client code.', 'SANDBOX'),
  service_code: serviceCode('CHECKOUT-KES'),
  account_number: field(accountNumber, 'Number of your account at the gateway.', 'ACC-001'),
  invoice_number: field(text(LONGEST.reference).optional(), 'Number of your invoice.', 'INV-7731'),
  currency_code: currency,
  country_code: listedCountry.optional(),
  amount: field(
    positiveNumber,
    "Amount, in major units of currency_code. More than 0, at most 15 digits, with at most the currency's fraction digits.",
    1500,
  ),
  add_transaction_charge: field(
    flag.optional(),
    'Whether the payer pays the transaction charge on top of the amount. Default: the amount includes it.',
  ),
  transaction_charge: field(
    amountNumber.refine((value) => value >= 0, 'must not be negative').optional(),
    "Transaction charge, in major units of currency_code. Not negative, at most 15 digits. Default: the gateway's charge.",
    25,
  ),
  payment_method_code: field(
    text(LONGEST.code).optional(),
    'Payment method. With it the gateway asks the payer directly; without it the answer has a redirect_url.',
    'MOMO_KEN',
  ),
  paybill: field(text(LONGEST.code).optional(), 'Paybill that the payer pays to.', '400200'),
  extra_data: field(
    ExtraData.optional(),
    'Data of the transaction, with its shares. Returned with the payments.',
    { table: '7' },
  ),
  description: field(text(LONGEST.narration).optional(), 'What the payer pays for.', 'Two kangas'),
  notify_client: field(flag.optional(), 'Whether the gateway notifies the payer.'),
  notify_originator: field(flag.optional(), 'Whether the gateway notifies the originator.'),
})
export type ChargeRequest = z.output<typeof ChargeRequest>

/** Returns the schema of a field that the gateway may omit, or send as null or blank text. The result is then null. */
const orNull = <Schema extends z.ZodType>(schema: Schema) =>
  optional(schema).transform((value) => value ?? null)
const PAGE = 'https://gateway.example/pay/8f1d20c7'
const pageUrl = z.url({ protocol: /^https?$/ })
/** The maximum number of characters of `html`. Longer text counts as absent, because a part of a page is useless. */
const MAX_HTML = 20_000

/**
 * The gateway's response to a charge request. `redirect_url` is the URL of the hosted page; `null` if the gateway
 * prompts the payer directly. The spec shows only `status_code` 176. [assumed] The response also contains the other
 * fields of this schema. Some gateways omit the currency and the time of expiry: the currency is then the requested
 * currency. Only the id, the reference and the total have to be readable: without the id, nobody could ask.
 */
export const ChargeResponse = z.object({
  status_code: field(coded([CHECKOUT_CODE.chargePosted]), 'The charge was posted.'),
  status_description: field(z.string().catch(''), 'Description of the code.', 'Charge posted successfully'),
  charge_request_id: field(id, "The gateway's id of the charge.", '480015500781234'),
  external_reference: field(id, 'Your reference.', 'BILL-2026-11-0001'),
  total_amount: field(decimal, 'Amount that the payer pays, with the transaction charge.', '1515.00'),
  currency_code: reportedCurrency,
  redirect_url: field(orNull(pageUrl).catch(null), 'Hosted page, unless the payer is prompted.', PAGE),
  auth_url: field(orNull(pageUrl).catch(null), 'Page on which the payer authorizes a card payment.', PAGE),
  /** The HTML of the page on which the payer authorizes a card payment; `null` if there is none. */
  html: field(orNull(atMost(z.string(), MAX_HTML)).catch(null), 'The same as HTML.', '<!doctype html>'),
  expires_at: field(optionalTimestamp, 'End of the session. ISO 8601, UTC.', '2026-11-21T09:30:00Z'),
})
export type ChargeResponse = z.output<typeof ChargeResponse>

export const CONFIRMATIONS = ['SUCCESSFUL', 'FAILED'] as const

/**
 * A service confirmation: the merchant's decision about a paid charge. After SUCCESSFUL, the gateway pays the partner
 * accounts their shares. After FAILED, the gateway refunds the payer.
 */
export const Confirmation = z.object({
  payment_id: field(text(LONGEST.reference), 'The transaction_id of a payment of the charge.', '8815201'),
  status: field(
    oneOf(CONFIRMATIONS),
    'SUCCESSFUL: the service was provided, and the shares are paid. FAILED: the payer is refunded.',
  ),
  narration: field(text(LONGEST.narration), 'Reason, for the gateway.', 'Sold out'),
})
export type Confirmation = z.output<typeof Confirmation>

export const ConfirmationAnswer = z.object({
  payment_id: field(id, 'The payment_id of the request.', '8815201'),
  message: reported('Description of the result.', 'The money has been distributed.'),
})
export type ConfirmationAnswer = z.output<typeof ConfirmationAnswer>

/**
 * The status of a charge, by the status of its only payment. [assumed] A charge that the gateway reports as one payment
 * record has no other payments.
 */
const STATUS_OF = {
  [PAYMENT_STATUS.successful]: CHECKOUT_STATUS.paid,
  [PAYMENT_STATUS.failed]: CHECKOUT_STATUS.unpaid,
  [PAYMENT_STATUS.reversed]: CHECKOUT_STATUS.reversed,
  [PAYMENT_STATUS.pending]: CHECKOUT_STATUS.pending,
  [PAYMENT_STATUS.jammed]: CHECKOUT_STATUS.jammed,
  [PAYMENT_STATUS.refunded]: CHECKOUT_STATUS.refunded,
  [PAYMENT_STATUS.accepted]: CHECKOUT_STATUS.pending,
  [PAYMENT_STATUS.reprocessing]: CHECKOUT_STATUS.pending,
  [PAYMENT_STATUS.pendingApproval]: CHECKOUT_STATUS.pending,
} as const satisfies Record<PaymentStatus, CheckoutStatus>

/**
 * The state of a charge, as the gateway reports it in callbacks and in responses to status queries. The spec shows no
 * such schema. [assumed] A gateway reports charges either like checkouts, or as a single payment record, which this
 * schema converts. `merchant_transaction_id` is the charge's `external_reference`. After a conversion,
 * `checkout_reference` is `null`, `currency` is `null` if the payment record names no currency, and no total is stated:
 * the amount of the record may be a part of the payment, which went back.
 */
export const ChargeStatus = z.preprocess(
  (value) => (isSinglePayment(value) ? toPayload(value) : value),
  CheckoutPayload,
)
export type ChargeStatus = z.output<typeof ChargeStatus>

function isSinglePayment(value: unknown): value is object {
  return typeof value === 'object' && value !== null && 'payment_status' in value && !('payments' in value)
}

function toPayload(value: object) {
  const { data: payment } = PaymentRecord.safeParse(value)
  return {
    merchant_transaction_id: 'external_reference' in value ? value.external_reference : undefined,
    // A payment that cannot be read is kept: there may be money in it.
    payments: [value],
    status: payment ? STATUS_OF[payment.payment_status] : CHECKOUT_STATUS.unpaid,
    currency: payment?.currency_code,
  }
}
