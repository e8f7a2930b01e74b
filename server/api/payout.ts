/** Defines the schemas of `/api/payouts`: the bodies that create payouts, and the payout in responses. */

import { z } from 'zod'
import { B2bRequest } from '../contract/b2b.ts'
import { PAYOUT_ERROR_CODES, PayoutRequest, TransferRequest } from '../contract/payout.ts'
import { ACKNOWLEDGEMENT_CODE, PAYOUT_STATUS } from '../contract/status.ts'
import { describeFields, text, textOrNull } from './field.ts'
import { B2bResultFields, PayoutResultFields } from './payout-result.ts'
import { attention, commonFields, currencyField, standing, version } from './tracked.ts'

const { accepted, rejected } = ACKNOWLEDGEMENT_CODE

const REFERENCE = [
  'Your reference, the idempotency key. 1–64 characters without control characters, unique over local, international and B2B payouts.',
  'WAGES-2026-11-0001',
] as const
const RATE = [
  'Exchange rate as decimal text: the buying rate of source_currency. "1" when both currencies are the same.',
  '1',
] as const
const SERVICE_CODE = ['Service code from the merchant portal. 1–32 characters.', 'PAYOUT-KES'] as const
const DESCRIPTION = [
  'What the payout is for, as the recipient reads it. 1–255 characters.',
  'Wages for November',
] as const

const DESTINATION = {
  destination_type: ['MOBILE: a mobile money wallet. BANK: a bank account.'],
  destination_name: ["Code of the wallet's operator or name of the bank. 1–100 characters.", 'MOMO_KEN'],
  recipient_phone_number: [
    'Phone number of the recipient: country code first, 8–15 digits. A leading +, spaces and dashes are removed.',
    '254700000001',
  ],
  recipient_account_number: ['Number of the wallet or the bank account. 1–64 characters.', '254700000001'],
  recipient_bank_code: ['Bank code. 1–32 characters. Required when destination_type is BANK.', '68'],
  recipient_account_name: [
    'Name that the wallet or the bank account is registered in. 1–100 characters.',
    'Asha Otieno',
  ],
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
  payout_reference: REFERENCE,
  service_code: SERVICE_CODE,
  recipient_first_name: ['First name of the recipient. 1–100 characters.', 'Asha'],
  recipient_last_name: ['Last name of the recipient. 1–100 characters.', 'Otieno'],
  ...DESTINATION,
  ...MONEY,
  sender_country_code: SENDER_COUNTRY,
  payment_description: DESCRIPTION,
}).meta({ ref: 'PayoutRequest', description: 'A payout to a wallet or a bank account.' })

/**
 * The body of `POST /api/payouts/imt`. It has the fields of the specification's transfer request, except
 * `callback_url`, which this server sets.
 */
export const TransferBody = describeFields(
  z.object(TransferRequest.shape).omit({ callback_url: true }).shape,
  {
    payout_reference: REFERENCE,
    service_code: ['Service code from the merchant portal. 1–32 characters.', 'IMT-KES'],
    sender_first_name: ['First name of the sender. 1–100 characters.', 'Juma'],
    sender_middle_name: ['Middle name of the sender. 1–100 characters.', 'Ali'],
    sender_last_name: ['Last name of the sender. 1–100 characters.', 'Mwangi'],
    sender_type: ['Whether the sender is a person or a company.'],
    sender_document_type: ['Type of the identity document of the sender. 1–100 characters.', 'PASSPORT'],
    sender_document_number: ['Number of the identity document of the sender. 1–100 characters.', 'A1234567'],
    sender_country_code: SENDER_COUNTRY,
    sender_phone_number: [
      'Phone number of the sender: country code first, 8–15 digits. The specification does not say clearly whether it is required.',
      '254700000002',
    ],
    recipient_first_name: ['First name of the recipient. 1–100 characters.', 'Asha'],
    recipient_middle_name: ['Middle name of the recipient. 1–100 characters.', 'Njeri'],
    recipient_last_name: ['Last name of the recipient. 1–100 characters.', 'Otieno'],
    recipient_type: ['Whether the recipient is a person or a company.'],
    recipient_document_type: [
      'Type of the identity document of the recipient. 1–100 characters.',
      'PASSPORT',
    ],
    recipient_document_number: [
      'Number of the identity document of the recipient. 1–100 characters.',
      'B7654321',
    ],
    recipient_occupation: ['Occupation of the recipient. 1–100 characters.', 'Teacher'],
    ...DESTINATION,
    ...MONEY,
    income_source: ['Source of the money. 1–100 characters.', 'Salary'],
    fund_purpose: ['Purpose of the transfer. 1–100 characters.', 'Family support'],
    payment_description: [
      'What the transfer is for, as the recipient reads it. 1–255 characters.',
      'School fees',
    ],
  },
).meta({ ref: 'TransferRequest', description: 'An international money transfer.' })

/**
 * The body of `POST /api/payouts/b2b`. It has the fields of the specification's B2B request, except `callback_url`,
 * which this server sets.
 */
export const B2bBody = describeFields(z.object(B2bRequest.shape).omit({ callback_url: true }).shape, {
  payout_reference: REFERENCE,
  service_code: ['Service code from the merchant portal. 1–32 characters.', 'B2B-KES'],
  payment_account_reference: [
    'Account reference that the business assigns to you, such as an invoice number. 1–64 characters.',
    'INV-7731',
  ],
  recipient_name: ['Name of the business. 1–100 characters.', 'Pwani Textiles'],
  recipient_type: ['What recipient_account_number is: a paybill, a till, or a bank account number.'],
  recipient_account_number: [
    'Number of the paybill, the till, or the bank account. 1–64 characters.',
    '400200',
  ],
  amount: [
    "Amount, as decimal text in major units of currency_code. More than 0, with at most the currency's fraction digits.",
    '25000.00',
  ],
  payment_description: [
    'What the payout is for, as the business reads it. 1–255 characters.',
    'Two bales of cloth',
  ],
  payment_method: ['MOMO_B2B for PAYBILL and TILL, BANK for BANK_ACCOUNT_NUMBER.', 'MOMO_B2B'],
  currency_code: ['Currency of the amount, ISO 4217.', 'KES'],
  country_code: ['Country of the business, ISO 3166-1 alpha-3.', 'KEN'],
}).meta({ ref: 'B2bRequest', description: 'A payout to a business: a paybill, a till or a bank account.' })

/** A payout in the responses of `/api/payouts` and in the `data` of `payout.*` and `b2b.*` events. */
export const TrackedPayout = describeFields(
  {
    payout_reference: text,
    type: z.enum(['local', 'transfer', 'b2b']),
    ...standing,
    payment_status: z.literal(Object.values(PAYOUT_STATUS)).nullable(),
    response_code: z.literal([accepted, rejected]).nullable(),
    response_description: textOrNull,
    error_code: textOrNull,
    amount: text,
    currency: currencyField,
    attention,
    result: z.union([PayoutResultFields, B2bResultFields]).nullable(),
    ...commonFields,
    version,
  },
  {
    payout_reference: ['Your reference.', 'WAGES-2026-11-0001'],
    type: ['local: to a wallet or a bank account. transfer: international. b2b: to a business.'],
    payment_status: ["The gateway's payment status. Null before the gateway reports one."],
    response_code: [
      "The gateway's acknowledgement: 720 accepted, 721 rejected. Null before the gateway acknowledges.",
    ],
    response_description: ["The gateway's text on a rejection. Null otherwise.", 'Insufficient balance'],
    error_code: [
      `Why the gateway rejected the payout: ${PAYOUT_ERROR_CODES.join(', ')}, or a code that the specification does not list. Null otherwise.`,
      'INSUFFICIENT_BALANCE',
    ],
    amount: ['Amount that the recipient receives, as decimal text in major units of currency.', '1500.00'],
    result: [
      "The specification's payout result, as the gateway last reported it. Null before that. Names and numbers are masked 30 days after settlement.",
    ],
  },
).meta({ ref: 'TrackedPayout', description: 'A payout with its state.' })
export type TrackedPayout = z.output<typeof TrackedPayout>
