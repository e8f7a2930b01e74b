/** Defines the schemas of `/api/payouts`: the bodies that create payouts, and the payout in responses. */

import { z } from 'zod'
import { B2bRequest, B2bResult } from '../contract/b2b.ts'
import { PAYOUT_ERROR_CODES, PayoutRequest, PayoutResult, TransferRequest } from '../contract/payout.ts'
import { ACKNOWLEDGEMENT_CODE, PAYOUT_STATUS } from '../contract/status.ts'
import { describeFields, field, text, textOrNull } from './field.ts'
import { attention, commonFields, currencyField, standing, version } from './tracked.ts'

const { accepted, rejected } = ACKNOWLEDGEMENT_CODE

const REFERENCE =
  'Your reference, the idempotency key. 1–64 characters without control characters, unique over local, international and B2B payouts.'
const RATE = [
  'Exchange rate as decimal text: the buying rate of source_currency. "1" when both currencies are the same.',
  '1',
] as const
const SERVICE_CODE = ['Service code from the merchant portal.', 'PAYOUT-KES'] as const
const DESCRIPTION = ['What the payout is for, as the recipient reads it.', 'Wages for November'] as const

const DESTINATION = {
  destination_type: ['MOBILE: a mobile money wallet. BANK: a bank account.'],
  destination_name: ["Code of the wallet's operator or name of the bank.", 'MOMO_KEN'],
  recipient_phone_number: [
    'Phone number of the recipient: country code first, 8–15 digits. A leading +, spaces, dashes and a trunk zero are removed.',
    '254700000001',
  ],
  recipient_account_number: ['Number of the wallet or the bank account.', '254700000001'],
  recipient_bank_code: ['Bank code. Required when destination_type is BANK.', '68'],
  recipient_account_name: ['Name that the wallet or the bank account is registered in.', 'Asha Otieno'],
} as const
const MONEY = {
  source_currency: ['Currency of the float account, ISO 4217.', 'KES'],
  destination_currency: ['Currency of the wallet or the bank account, ISO 4217.', 'KES'],
  exchange_rate: RATE,
  sender_amount: [
    "Amount taken from the float account, as decimal text in major units of source_currency. More than 0, with at most the currency's fraction digits.",
    '1500.00',
  ],
  recipient_amount: [
    "Amount that the recipient receives, as decimal text in major units of destination_currency: sender_amount × exchange_rate. More than 0, with at most the currency's fraction digits.",
    '1500.00',
  ],
} as const
const SENDER_COUNTRY = ['Country of the sender, ISO 3166-1 alpha-2 or alpha-3.', 'KEN'] as const

/**
 * The body of `POST /api/payouts`. It has the fields of the specification's payout request, except `callback_url`,
 * which this server sets.
 */
export const PayoutBody = describeFields(z.object(PayoutRequest.shape).omit({ callback_url: true }).shape, {
  payout_reference: [REFERENCE, 'WAGES-2026-11-0001'],
  service_code: SERVICE_CODE,
  recipient_first_name: ['First name of the recipient.', 'Asha'],
  recipient_last_name: ['Last name of the recipient.', 'Otieno'],
  ...DESTINATION,
  ...MONEY,
  sender_country_code: SENDER_COUNTRY,
  payment_description: DESCRIPTION,
}).meta({ id: 'PayoutRequest', description: 'A payout to a wallet or a bank account.' })

/**
 * The body of `POST /api/payouts/imt`. It has the fields of the specification's transfer request, except
 * `callback_url`, which this server sets.
 */
export const TransferBody = describeFields(
  z.object(TransferRequest.shape).omit({ callback_url: true }).shape,
  {
    payout_reference: [REFERENCE, 'FAMILY-2026-11-0001'],
    service_code: ['Service code from the merchant portal.', 'IMT-KES'],
    sender_first_name: ['First name of the sender.', 'Juma'],
    sender_middle_name: ['Middle name of the sender.', 'Ali'],
    sender_last_name: ['Last name of the sender.', 'Mwangi'],
    sender_type: ['Whether the sender is a person or a company.'],
    sender_document_type: ['Type of the identity document of the sender.', 'PASSPORT'],
    sender_document_number: ['Number of the identity document of the sender.', 'A1234567'],
    sender_country_code: SENDER_COUNTRY,
    sender_phone_number: [
      'Phone number of the sender: country code first, 8–15 digits. The specification does not say clearly whether it is required.',
      '254700000002',
    ],
    recipient_first_name: ['First name of the recipient.', 'Asha'],
    recipient_middle_name: ['Middle name of the recipient.', 'Njeri'],
    recipient_last_name: ['Last name of the recipient.', 'Otieno'],
    recipient_type: ['Whether the recipient is a person or a company.'],
    recipient_document_type: ['Type of the identity document of the recipient.', 'PASSPORT'],
    recipient_document_number: ['Number of the identity document of the recipient.', 'B7654321'],
    recipient_occupation: ['Occupation of the recipient.', 'Teacher'],
    ...DESTINATION,
    ...MONEY,
    income_source: ['Source of the money.', 'Salary'],
    fund_purpose: ['Purpose of the transfer.', 'Family support'],
    payment_description: ['What the transfer is for, as the recipient reads it.', 'School fees'],
  },
).meta({ id: 'TransferRequest', description: 'An international money transfer.' })

/**
 * The body of `POST /api/payouts/b2b`. It has the fields of the specification's B2B request, except `callback_url`,
 * which this server sets.
 */
export const B2bBody = describeFields(z.object(B2bRequest.shape).omit({ callback_url: true }).shape, {
  payout_reference: [REFERENCE, 'SUPPLIER-2026-11-0001'],
  service_code: ['Service code from the merchant portal.', 'B2B-KES'],
  payment_account_reference: [
    'Account reference that the business assigns to you, such as an invoice number.',
    'INV-7731',
  ],
  recipient_name: ['Name of the business.', 'Pwani Textiles'],
  recipient_type: ['What recipient_account_number is: a paybill, a till, or a bank account number.'],
  recipient_account_number: ['Number of the paybill, the till, or the bank account.', '400200'],
  amount: [
    "Amount, as decimal text in major units of currency_code. More than 0, with at most the currency's fraction digits.",
    '25000.00',
  ],
  payment_description: ['What the payout is for, as the business reads it.', 'Two bales of cloth'],
  payment_method: [
    "The operator's code for PAYBILL and TILL, such as MOMO_B2B; BANK for BANK_ACCOUNT_NUMBER.",
    'MOMO_B2B',
  ],
  currency_code: ['Currency of the amount, ISO 4217.', 'KES'],
  country_code: ['Country of the business, ISO 3166-1 alpha-3.', 'KEN'],
}).meta({ id: 'B2bRequest', description: 'A payout to a business: a paybill, a till or a bank account.' })

/** A payout in the responses of `/api/payouts` and in the `data` of `payout.*` and `b2b.*` events. */
const RESULT_REFERENCE = ['Your reference.', 'WAGES-2026-11-0001'] as const
const STATUS = [
  'Payment status: 700 processed, 701 failed, 702 reversed, 703 pending, 704 jammed, 705 refunded.',
  700,
] as const
const AMOUNT = ['Amount paid out, as decimal text in major units.', '1500.00'] as const
const CURRENCY = ['Currency of the amount, ISO 4217. Null when not reported.', 'KES'] as const
const TIME = ['When the gateway processed the payout, as it writes it.', '2026-11-21 12:00:00'] as const
const MESSAGE = ["The gateway's text. Null when not reported.", 'Processed successfully'] as const
const DESTINATION_NAME = ['Operator, bank or business. Null when not reported.', 'MOMO_KEN'] as const

const { data: DATA, ...outer } = PayoutResult.shape

/** The result of a local or international payout. [spec: Payout result] */
const PayoutResultFields = describeFields(outer, {
  payout_reference: RESULT_REFERENCE,
  destination: ['Type of the destination. Null when not reported.', 'MOBILE'],
}).extend({
  data: field(
    describeFields(DATA.shape, {
      payment_id: ["The gateway's id of the payment. Null when not reported.", '8815201'],
      reference: ["The operator's reference. Null when not reported.", 'QK71P0ZX'],
      wallet_account_number: ['Number of your float account. Null when not reported.', 'ACC-001'],
      transaction_cost: ['Fee, as decimal text. Null when not reported.', '15.00'],
      wallet_balance: [
        'Balance of the float account afterwards, as decimal text. Null when not reported.',
        '98485.00',
      ],
      payment_status: STATUS,
      amount: AMOUNT,
      currency: CURRENCY,
      account_number: ['Number of the recipient, possibly masked. Null when not reported.', '2547*****001'],
      destination_name: DESTINATION_NAME,
      payout_description: ['Your description. Null when not reported.', 'Wages for November'],
      transaction_time: TIME,
      bank_code: ['Bank code. Null when not reported.', '68'],
      result_description: MESSAGE,
      recipient_first_name: ['First name of the recipient. Null when not reported.', 'Asha'],
      recipient_middle_name: ['Middle name of the recipient. Null when not reported.', 'Njeri'],
      recipient_last_name: ['Last name of the recipient. Null when not reported.', 'Otieno'],
      recipient_phone_number: ['Phone number of the recipient. Null when not reported.', '254700000001'],
      message: MESSAGE,
    }).loose(),
    'Details of the payment. May hold fields that the specification does not list.',
  ),
})

/** The result of a B2B payout. [spec: B2B callback and status payload] */
const B2bResultFields = describeFields(B2bResult.shape, {
  payout_reference: RESULT_REFERENCE,
  transaction_id: ["The gateway's id of the transaction. Null when not reported.", '8815202'],
  payment_reference: ["The operator's reference. Null when not reported.", 'QK71P0ZY'],
  wallet_account: ['Number of your float account. Null when not reported.', 'ACC-001'],
  destination: ['Number of the paybill, the till, or the bank account. Null when not reported.', '400200'],
  payment_status: STATUS,
  amount: AMOUNT,
  currency: CURRENCY,
  account_number: ['Account reference at the business. Null when not reported.', 'INV-7731'],
  destination_name: DESTINATION_NAME,
  description: ['Your description. Null when not reported.', 'Two bales of cloth'],
  transaction_time: TIME,
  account_balance: [
    'Balance of the float account afterwards, as decimal text. Null when not reported.',
    '75000.00',
  ],
  result_description: MESSAGE,
})

export const TrackedPayout = z
  .object({
    payout_reference: text('Your reference.', 'WAGES-2026-11-0001'),
    type: field(
      z.enum(['local', 'transfer', 'b2b']),
      'local: to a wallet or a bank account. transfer: international. b2b: to a business.',
    ),
    ...standing,
    payment_status: field(
      z.literal(Object.values(PAYOUT_STATUS)).nullable(),
      "The gateway's payment status. Null before the gateway reports one.",
    ),
    response_code: field(
      z.literal([accepted, rejected]).nullable(),
      "The gateway's acknowledgement: 720 accepted, 721 rejected. Null before the gateway acknowledges.",
    ),
    response_description: textOrNull(
      "The gateway's text on a rejection. Null otherwise.",
      'Insufficient balance',
    ),
    error_code: textOrNull(
      `Why the gateway rejected the payout: ${PAYOUT_ERROR_CODES.join(', ')}, or a code that the specification does not list. Null otherwise.`,
      'INSUFFICIENT_BALANCE',
    ),
    amount: text(
      'Amount that the recipient receives, as decimal text in major units of currency.',
      '1500.00',
    ),
    currency: currencyField,
    attention,
    result: field(
      z.union([PayoutResultFields, B2bResultFields]).nullable(),
      "The specification's payout result, as the gateway last reported it. Null before that. Null again 30 days after settlement.",
    ),
    ...commonFields,
    version,
  })
  .meta({ id: 'TrackedPayout', description: 'A payout with its state.' })
export type TrackedPayout = z.output<typeof TrackedPayout>
