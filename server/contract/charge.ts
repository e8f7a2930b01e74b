/**
 * Defines the schemas of charges, of splits (`split_settlements`), and of service confirmations. [spec: Charge request,
 * Service processing confirmation]
 */

import { isNoDeeperThan } from './depth.ts'
import { z } from 'zod'
import {
  boundedList,
  atMost,
  decimal,
  email,
  id,
  listedCountry,
  nonEmpty,
  oneOf,
  optional,
  optionalText,
  possibleMsisdn,
  reference,
  text,
  timestamp,
  url,
} from './fields.ts'
import { decimalOf, isDecimal } from './decimal.ts'
import { safeParse } from './safe-parse.ts'
import { currency } from './payout.ts'
import { CHECKOUT_CODE } from './status.ts'

/**
 * A pattern that matches numeric text with 1 to 15 digits. A JSON number with more digits can lose precision. [assumed]
 * An amount with more than 15 digits is refused, never rounded.
 */
const EXACT = /^(?=(\D*\d){1,15}\D*$)/

/** In many countries, "25.000" means 25,000. */
const AMBIGUOUS = /\.\d{2,}0$/

/**
 * The schema of an amount that is sent to the gateway as a JSON number, in major units of the currency. Numeric text is
 * accepted too, and is converted to a number.
 */
export const amountNumber = z.preprocess(
  (value) => {
    if (typeof value === 'number') return Number(decimalOf(value))
    return typeof value === 'string' && isDecimal(value.trim()) && !AMBIGUOUS.test(value.trim())
      ? Number(value)
      : value
  },
  z
    .number({ error: (issue) => (issue.input === undefined ? 'is required' : 'must be a number') })
    .refine((value) => isDecimal(String(value)) && EXACT.test(String(value)), 'must have at most 15 digits'),
)
const positiveNumber = amountNumber.refine((value) => value > 0, 'must be more than zero')

/** A share of a charge's amount for a partner account. `amount` is in major units of the charge's currency. */
export const SplitSettlement = z.object(
  { account: text(50), amount: positiveNumber, reason: text(255) },
  'must be an object',
)
export type SplitSettlement = z.output<typeof SplitSettlement>

/**
 * The maximum number of splits of a charge. A body of `POST /api/charges` cannot have more. [assumed] Orders do not need
 * more.
 */
const MOST_SPLITS = 1_000

/** Returns the schema of a list of splits. */
export const splitListOf = <Split extends z.ZodType>(split: Split) => boundedList(split, MOST_SPLITS)

/** The schema of a boolean field. [assumed] 0 and 1 are accepted too, because some merchants' backends send numbers. */
const flag = z.preprocess(
  (value) => (value === 0 || value === 1 ? value === 1 : value),
  z.boolean('must be true or false'),
)

/**
 * The maximum depth of nested objects and lists in `extra_data`. [assumed]
 * Merchants need at most 16 levels.
 */
const MAX_DEPTH = 16

const Metadata = z
  .looseObject(
    {
      split_settlements: splitListOf(SplitSettlement).optional(),
      /**
       * The URL to which the hosted page redirects the payer after the payment. The spec's list of fields does not
       * contain `redirect_url`. [assumed] The gateway supports this field, or the following two fields.
       */
      redirect_url: url(500).optional(),
      /** The URL to which the payer is redirected after a successful payment. */
      success_redirect_url: url(500).optional(),
      /** The URL to which the payer is redirected after a failed payment. */
      failed_redirect_url: url(500).optional(),
    },
    'must be an object or text',
  )
  .refine((data) => isNoDeeperThan(MAX_DEPTH, data), `must be at most ${MAX_DEPTH} levels deep`)
const MetadataText = text(1_000)

/**
 * The schema of `extra_data`. The spec shows an object. [assumed] Some gateways also accept text, of at most 1,000
 * characters.
 */
const ExtraData = z.unknown().transform((value, context) => {
  const parsed = typeof value === 'string' ? safeParse(MetadataText, value) : safeParse(Metadata, value)
  if (parsed.success) return parsed.data
  for (const { path, message } of parsed.error.issues)
    context.addIssue({ code: 'custom', path: [...path], message })
  return z.NEVER
})
type ExtraData = z.output<typeof Metadata> | z.output<typeof MetadataText>

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
  external_reference: reference,
  origin_channel_code: text(32).optional(),
  originator_msisdn: possibleMsisdn.optional(),
  payer_msisdn: possibleMsisdn,
  payer_email: email.optional(),
  payer_name: text(100).optional(),
  client_code: text(32).optional(),
  service_code: text(32),
  account_number: text(50),
  invoice_number: text(64).optional(),
  currency_code: currency,
  country_code: listedCountry.optional(),
  amount: positiveNumber,
  add_transaction_charge: flag.optional(),
  transaction_charge: amountNumber.refine((value) => value >= 0, 'must not be negative').optional(),
  payment_method_code: text(32).optional(),
  paybill: text(32).optional(),
  extra_data: ExtraData.optional(),
  description: text(255).optional(),
  notify_client: flag.optional(),
  notify_originator: flag.optional(),
})
export type ChargeRequest = z.output<typeof ChargeRequest>

const orNull = <Schema extends z.ZodType>(schema: Schema) =>
  optional(schema).transform((value) => value ?? null)
const pageUrl = z.url({ protocol: /^https?$/ })
/**
 * The maximum number of characters of `html`. Longer text is treated as absent, because a part of a page is useless.
 */
const MAX_HTML = 20_000

/**
 * The gateway's response to a charge request. `redirect_url` is the URL of the hosted page; `null` if the gateway
 * prompts the payer directly. The spec shows only `status_code` 176. [assumed] The response also contains the other
 * fields of this schema. Some gateways omit the currency and the time of expiry: the currency is then the requested
 * currency.
 */
export const ChargeResponse = z.object({
  status_code: z.coerce.number().pipe(z.literal(CHECKOUT_CODE.chargePosted)),
  status_description: z.string().catch(''),
  charge_request_id: id,
  external_reference: nonEmpty,
  total_amount: decimal,
  currency_code: optionalText,
  redirect_url: orNull(pageUrl),
  /** The URL of the page on which the payer authorizes a card payment; `null` if there is none. */
  auth_url: orNull(pageUrl).catch(null),
  /** The HTML of the page on which the payer authorizes a card payment; `null` if there is none. */
  html: orNull(atMost(z.string(), MAX_HTML)).catch(null),
  expires_at: orNull(timestamp),
})
export type ChargeResponse = z.output<typeof ChargeResponse>

export const CONFIRMATIONS = ['SUCCESSFUL', 'FAILED'] as const

/**
 * A service confirmation: the merchant's decision about a paid charge. After SUCCESSFUL, the gateway pays the partner
 * accounts their shares. After FAILED, the gateway refunds the payer.
 */
export const Confirmation = z.object({
  payment_id: text(64),
  status: oneOf(CONFIRMATIONS),
  narration: text(255),
})
export type Confirmation = z.output<typeof Confirmation>

export const ConfirmationAnswer = z.object({ payment_id: nonEmpty, message: optionalText })
export type ConfirmationAnswer = z.output<typeof ConfirmationAnswer>
