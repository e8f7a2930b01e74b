/**
 * Defines the schemas of local and international payouts to mobile money wallets and bank accounts. [spec: Local payout
 * request, International money transfer request, Payout acknowledgement, Payout result]
 */

import { z } from 'zod'
import {
  code,
  decimal,
  listedCountry,
  nonEmpty,
  oneOf,
  optional,
  optionalText,
  possibleMsisdn,
  reference,
  text,
  url,
} from './fields.ts'
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
const name = text(100)
const narration = text(255)
const account = text(64)
export const currency = code(/^[A-Z]{3}$/, 'must be an ISO 4217 code, such as KES')
export const positive = decimal.refine((value) => !/^-|^0+(\.0+)?$/.test(value), 'must be more than zero')

const destination_type = oneOf(['MOBILE', 'BANK'])
const party = oneOf(['INDIVIDUAL', 'COMPANY'])

/**
 * Returns `false` for a payout to a bank without a bank code, and `true` for every other payout. [spec:
 * recipient_bank_code "Required only when destination_type is BANK"]
 */
function hasRequiredBankCode(request: {
  destination_type: string
  recipient_bank_code?: string | undefined
}): boolean {
  return request.destination_type !== 'BANK' || request.recipient_bank_code !== undefined
}
const BANK_CODE_RULE = {
  path: ['recipient_bank_code'],
  error: 'is required when destination_type is BANK',
  when: ({ value }: { value: unknown }) => typeof value === 'object' && value !== null,
}

/**
 * Returns the request of a payout with its wallet's number in the form of phone numbers, if the wallet's number is one:
 * it is another spelling of the recipient's phone number, or begins with "+".
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
    payout_reference: reference,
    service_code: text(32),
    recipient_first_name: name,
    recipient_last_name: name,
    destination_type,
    destination_name: name,
    recipient_phone_number: possibleMsisdn,
    recipient_account_number: account,
    recipient_bank_code: optional(text(32)),
    recipient_account_name: name,
    source_currency: currency,
    destination_currency: currency,
    exchange_rate: positive,
    sender_amount: positive,
    sender_country_code: listedCountry,
    recipient_amount: positive,
    payment_description: narration,
    callback_url: url(500),
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
    payout_reference: reference,
    service_code: text(32),
    sender_first_name: name,
    sender_middle_name: optional(name),
    sender_last_name: name,
    sender_type: party,
    sender_document_type: optional(name),
    sender_document_number: optional(name),
    sender_country_code: listedCountry,
    sender_phone_number: optional(possibleMsisdn),
    recipient_first_name: optional(name),
    recipient_middle_name: optional(name),
    recipient_last_name: optional(name),
    recipient_type: party,
    recipient_document_type: optional(name),
    recipient_document_number: optional(name),
    recipient_phone_number: possibleMsisdn,
    recipient_account_number: account,
    recipient_account_name: name,
    recipient_occupation: name,
    destination_type,
    destination_name: name,
    recipient_bank_code: optional(text(32)),
    source_currency: currency,
    destination_currency: currency,
    income_source: name,
    fund_purpose: name,
    exchange_rate: positive,
    sender_amount: positive,
    recipient_amount: positive,
    payment_description: narration,
    callback_url: optional(url(500)),
  })
  .refine(hasRequiredBankCode, BANK_CODE_RULE)
  .overwrite(withOneNumber)
export type TransferRequest = z.output<typeof TransferRequest>

/**
 * The gateway's response to a request that creates a payout, and to a status query for an unknown reference (723).
 * `response_code` shows whether the request succeeded; the HTTP status does not.
 */
export const Acknowledgement = z.object({
  payout_reference: optionalText,
  response_code: z.coerce.number().pipe(z.literal(Object.values(ACKNOWLEDGEMENT_CODE))),
  response_description: z.string().catch(''),
  /** The reason for a rejection; null in other responses. Codes that the spec does not list are accepted too. */
  error_code: optionalText,
})
export type Acknowledgement = z.output<typeof Acknowledgement>

export const payoutStatus = z.coerce.number().pipe(z.literal(Object.values(PAYOUT_STATUS)))

/**
 * The state of a local or international payout, as the gateway reports it in callbacks and in responses to status
 * queries.
 */
export const PayoutResult = z.object({
  payout_reference: nonEmpty,
  destination: optionalText,
  data: z.looseObject({
    payment_id: optionalText,
    reference: optionalText,
    wallet_account_number: optionalText,
    transaction_cost: optionalText,
    wallet_balance: optionalText,
    payment_status: payoutStatus,
    amount: decimal,
    currency: optionalText,
    /** The number of the recipient's account. The gateway may mask some of the digits. */
    account_number: optionalText,
    destination_name: optionalText,
    payout_description: optionalText,
    transaction_time: optionalText,
    bank_code: optionalText,
    result_description: optionalText,
    recipient_first_name: optionalText,
    recipient_middle_name: optionalText,
    recipient_last_name: optionalText,
    recipient_phone_number: optionalText,
    message: optionalText,
  }),
})
export type PayoutResult = z.output<typeof PayoutResult>
