/**
 * Defines the schemas of local and international payouts to mobile money wallets and bank accounts, and of payouts to
 * businesses. [spec: Local payout request, International money transfer request, B2B payout request, Payout
 * acknowledgement, Payout result, B2B callback and status payload]
 */

import { z } from 'zod'

import {
  callbackUrl,
  coded,
  currency,
  decimal,
  listedAlpha3,
  listedCountry,
  id,
  oneOf,
  optional,
  optionalText,
  positive,
  possibleMsisdn,
  reference,
  reported,
  reportedCurrency,
  serviceCode,
  text,
} from './fields.ts'
import { LONGEST } from './lengths.ts'
import { field } from './openapi-field.ts'
import { readPhoneNumber } from './phone-number.ts'
import { ACKNOWLEDGEMENT_CODE, PAYOUT_STATUS } from './status.ts'

/** The error codes of rejected payouts. [spec: Payout error_code values] */
export const PAYOUT_ERROR_CODES = [
  'INSUFFICIENT_BALANCE',
  'SERVICE_NOT_ALLOWED',
  'INVALID_ACCESS_TOKEN',
  'INVALID_DESTINATION_TYPE',
  'INVALID_PHONE_NUMBER',
  'INVALID_PAYMENT_METHOD',
  'INVALID_WALLET',
  'UNAUTHORIZED',
  'RESOURCE_NOT_FOUND',
  'DUPLICATE_IGNORED',
  'FAILED',
] as const
export type PayoutErrorCode = (typeof PAYOUT_ERROR_CODES)[number]

// The schemas of names, narrations and account numbers. The spec gives no maximum lengths for payouts. [assumed] Names
// and narrations have the same maximum lengths as in checkouts. Account numbers have at most 64 characters.
const name = text(LONGEST.name)
const narration = text(LONGEST.narration)

/** Returns the schema of an amount of a payout. */
const amountOf = (description: string, example: string) =>
  field(
    positive,
    `${description} Decimal text in major units. More than 0, with at most the currency's fraction digits.`,
    example,
  )
const payoutReference = (example: string) => reference.meta({ examples: [example] })

/** The fields that local and international payouts have in common. */
const COMMON_FIELDS = {
  destination_type: field(oneOf(['MOBILE', 'BANK']), 'MOBILE: a mobile wallet. BANK: a bank account.'),
  destination_name: field(name, "Code of the wallet's operator or name of the bank.", 'MOMO_KEN'),
  recipient_phone_number: possibleMsisdn,
  recipient_account_number: field(
    text(LONGEST.reference),
    'Number of the wallet or the bank account.',
    '254700000001',
  ),
  recipient_bank_code: field(
    optional(text(LONGEST.code)),
    'Bank code. Required for destination_type BANK.',
    '68',
  ),
  recipient_account_name: field(name, 'Name in which the account is registered.', 'Asha Otieno'),
  source_currency: currency.describe('Currency of the float account, ISO 4217.'),
  destination_currency: currency.describe('Currency of the wallet or the bank account, ISO 4217.'),
  exchange_rate: field(
    positive,
    'Exchange rate as decimal text: the buying rate of source_currency. "1" when both currencies are the same.',
    '1',
  ),
  sender_amount: amountOf('Amount taken from the float account, in source_currency.', '1500.00'),
  recipient_amount: amountOf(
    'Amount that the recipient receives, in destination_currency: sender_amount × exchange_rate, rounded.',
    '1500.00',
  ),
  sender_country_code: listedCountry,
}

/** Returns the schema of the type of a sender or a recipient. */
const party = (who: string) =>
  field(oneOf(['INDIVIDUAL', 'COMPANY']), `Whether the ${who} is a person or a company.`)

/** [spec: Local payout request, recipient_bank_code: "Required only when destination_type is BANK"] */
function hasRequiredBankCode(request: {
  destination_type: string
  recipient_bank_code?: string | undefined
}): boolean {
  return request.destination_type !== 'BANK' || request.recipient_bank_code !== undefined
}

const BANK_CODE_RULE = {
  path: ['recipient_bank_code'],
  error: 'is required when destination_type is BANK',
  // Without this, zod checks a refinement only if no field has an error.
  when: ({ value }: { value: unknown }) => typeof value === 'object' && value !== null,
}

/**
 * Returns the request with the number of its wallet in the form of a phone number, if it is one: another spelling of
 * the recipient's phone number, or a number with "+". The same wallet then has the same number in each request.
 */
function withOneNumber<Request extends Record<NumberField | 'destination_type', string>>(request: Request) {
  const { recipient_phone_number: phone, recipient_account_number: account } = request
  const number = request.destination_type === 'MOBILE' ? readPhoneNumber(account, null) : null
  const isPhone = number !== null && (number === phone || account.includes('+'))
  return isPhone ? { ...request, recipient_account_number: number } : request
}

type NumberField = 'recipient_phone_number' | 'recipient_account_number'

/**
 * The request that creates a local payout. Amounts and the exchange rate are decimal text. [spec: "All values travel as
 * JSON strings"] This schema also accepts JSON numbers, and converts them to decimal text.
 */
export const PayoutRequest = z
  .object({
    payout_reference: payoutReference('WAGES-2026-11-0001'),
    service_code: serviceCode('PAYOUT-KES'),
    recipient_first_name: field(name, 'First name of the recipient.', 'Asha'),
    recipient_last_name: field(name, 'Last name of the recipient.', 'Otieno'),
    ...COMMON_FIELDS,
    payment_description: field(narration, 'Purpose, as the recipient reads it.', 'Wages for November'),
    callback_url: callbackUrl,
  })
  .refine(hasRequiredBankCode, BANK_CODE_RULE)
  .overwrite(withOneNumber)
export type PayoutRequest = z.output<typeof PayoutRequest>

/**
 * The request that creates an international money transfer. The spec's table and the spec's example disagree on whether
 * sender_phone_number, the recipient's names and callback_url are required. [assumed] These fields are optional.
 */
export const TransferRequest = z
  .object({
    payout_reference: payoutReference('FAMILY-2026-11-0001'),
    service_code: serviceCode('IMT-KES'),
    sender_first_name: field(name, 'First name of the sender.', 'Juma'),
    sender_middle_name: field(optional(name), 'Middle name of the sender.', 'Ali'),
    sender_last_name: field(name, 'Last name of the sender.', 'Mwangi'),
    sender_type: party('sender'),
    sender_document_type: field(optional(name), 'Type of the identity document.', 'PASSPORT'),
    sender_document_number: field(optional(name), 'Number of the identity document.', 'A1234567'),
    sender_phone_number: optional(possibleMsisdn),
    recipient_first_name: field(optional(name), 'First name of the recipient.', 'Asha'),
    recipient_middle_name: field(optional(name), 'Middle name of the recipient.', 'Njeri'),
    recipient_last_name: field(optional(name), 'Last name of the recipient.', 'Otieno'),
    recipient_type: party('recipient'),
    recipient_document_type: field(optional(name), 'Type of the identity document.', 'PASSPORT'),
    recipient_document_number: field(optional(name), 'Number of the identity document.', 'B7654321'),
    ...COMMON_FIELDS,
    recipient_occupation: field(name, 'Occupation of the recipient.', 'Teacher'),
    income_source: field(name, 'Source of the money.', 'Salary'),
    fund_purpose: field(name, 'Purpose of the transfer.', 'Family support'),
    payment_description: field(narration, 'Purpose, as the recipient reads it.', 'School fees'),
    callback_url: optional(callbackUrl),
  })
  .refine(hasRequiredBankCode, BANK_CODE_RULE)
  .overwrite(withOneNumber)
export type TransferRequest = z.output<typeof TransferRequest>

/**
 * The `payment_method` for paybills and tills. [spec: B2B payout request, payment_method] The spec masks the operator
 * in MOMO_B2B. [assumed] Each operator has such a code.
 */
const OPERATOR_B2B = /^[\w.-]+_B2B$/

/**
 * The request that creates a B2B (business-to-business) payout. The recipient is a bank account, or a mobile money
 * number of a business: a paybill or a till.
 */
export const B2bRequest = z
  .object({
    payout_reference: payoutReference('SUPPLIER-2026-11-0001'),
    service_code: serviceCode('B2B-KES'),
    payment_account_reference: field(
      text(LONGEST.reference),
      'Account reference that the business gave you.',
      'INV-7731',
    ),
    recipient_name: field(name, 'Name of the business.', 'Pwani Textiles'),
    recipient_type: field(
      oneOf(['PAYBILL', 'TILL', 'BANK_ACCOUNT_NUMBER']),
      'Type of recipient_account_number.',
    ),
    recipient_account_number: field(
      text(LONGEST.reference),
      'Number of the paybill, the till, or the bank account.',
      '400200',
    ),
    amount: amountOf('Amount, in currency_code.', '25000.00'),
    payment_description: field(narration, 'Purpose, as the business reads it.', 'Two bales of cloth'),
    payment_method: field(
      text(LONGEST.code),
      "The operator's code for PAYBILL and TILL; BANK otherwise.",
      'MOMO_B2B',
    ),
    currency_code: currency,
    country_code: listedAlpha3,
    callback_url: callbackUrl,
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

/**
 * The gateway's response to a request that creates a payout, and to a status query for an unknown reference (723).
 * `response_code` shows whether the request succeeded; the HTTP status does not.
 */
export const Acknowledgement = z.object({
  payout_reference: reported('Your reference.', 'WAGES-2026-11-0001'),
  response_code: field(
    coded(Object.values(ACKNOWLEDGEMENT_CODE)),
    '720 accepted, 721 rejected, 722 duplicate, 723 unknown reference.',
  ),
  response_description: field(z.string().catch(''), 'Description of the response.', 'Accepted.'),
  /** Null if the request was not rejected. Codes that the spec does not list are accepted too. */
  error_code: reported('Reason for a rejection.', 'INSUFFICIENT_BALANCE'),
})
export type Acknowledgement = z.output<typeof Acknowledgement>

/** The fields that the results of all payouts have in common. */
const RESULT_FIELDS = {
  payment_status: field(
    coded(Object.values(PAYOUT_STATUS)),
    'Payment status: 700 processed, 701 failed, 702 reversed, 703 pending, 704 jammed, 705 refunded.',
    700,
  ),
  amount: field(
    decimal.nullable().catch(null),
    'Amount paid out, as decimal text in major units. Null when none is reported that can be read.',
    '1500.00',
  ),
  currency: reportedCurrency,
  destination_name: reported('Operator, bank or business.', 'MOMO_KEN'),
  transaction_time: field(
    optionalText,
    'When the gateway processed it, as it writes it.',
    '2026-11-21 12:00:00',
  ),
  result_description: reported("The gateway's text.", 'Processed successfully'),
}

// The two results name these fields differently, or have them in different places.
const resultReference = field(id, 'Your reference.', 'WAGES-2026-11-0001')
const floatAccount = reported('Number of your float account.', 'ACC-001')
const floatBalance = reported('Balance of the float account afterwards, as decimal text.', '98485.00')
const operatorReference = reported("The operator's reference.", 'QK71P0ZX')
const payoutDescription = reported('Your description.', 'Wages for November')

/**
 * The state of a local or international payout, as the gateway reports it in callbacks and in responses to status
 * queries.
 */
export const PayoutResult = z.object({
  payout_reference: resultReference,
  destination: reported('Type of the destination.', 'MOBILE'),
  data: field(
    z.looseObject({
      ...RESULT_FIELDS,
      payment_id: reported("The gateway's id of the payment.", '8815201'),
      reference: operatorReference,
      wallet_account_number: floatAccount,
      transaction_cost: reported('Fee, as decimal text.', '15.00'),
      wallet_balance: floatBalance,
      account_number: reported('Number of the recipient, possibly masked.', '2547*****001'),
      payout_description: payoutDescription,
      bank_code: reported('Bank code.', '68'),
      recipient_first_name: reported('First name of the recipient.', 'Asha'),
      recipient_middle_name: reported('Middle name of the recipient.', 'Njeri'),
      recipient_last_name: reported('Last name of the recipient.', 'Otieno'),
      recipient_phone_number: reported('Phone number of the recipient.', '254700000001'),
      message: RESULT_FIELDS.result_description,
    }),
    'Details of the payment. May hold fields that the specification does not list.',
  ),
})
export type PayoutResult = z.output<typeof PayoutResult>

/** The state of a B2B payout, as the gateway reports it in callbacks and in responses to status queries. */
export const B2bResult = z.object({
  payout_reference: resultReference,
  ...RESULT_FIELDS,
  transaction_id: reported("The gateway's id of the transaction.", '8815202'),
  payment_reference: operatorReference,
  wallet_account: floatAccount,
  destination: reported('Type of the recipient: PAYBILL, TILL or bank_account.', 'PAYBILL'),
  account_number: reported('Number of the recipient, possibly masked.', '**0200'),
  description: payoutDescription,
  account_balance: floatBalance,
})
export type B2bResult = z.output<typeof B2bResult>
