/**
 * Builds the request that starts a checkout, in one of three variants. An order without splits becomes a standard
 * checkout. An order with splits becomes a charge without a payment method. In both variants, the shopper pays on the
 * hosted page. A prompt becomes a charge with a payment method: the shopper approves it on the phone. Pure. [spec: Charge
 * request (checkout redirect or direct charge)]
 */

import type { ChargeTerms } from '../config/config.ts'
import type { FieldError } from '../api/problem.ts'
import type { Order } from '../orders/order.ts'
import type { Prompt, RequestedTerms } from './record.ts'
import { z } from 'zod'
import { partnerSharesIn } from '../config/gateway.ts'
import { safeParse } from '../contract/safe-parse.ts'
import { completeSplits, findSplitErrors } from '../money/splits.ts'
import { Call } from './record.ts'

/** The values that the request to the gateway contains in addition to the requested terms. */
interface Details {
  reference: string
  payer_name: string | undefined
  payer_email: string | undefined
  payer_msisdn: string | undefined
  narration: string
  callback_url: string
  redirect_url: string
}

/**
 * Returns the order's splits, followed by the splits in the setting PARTNER_ACCOUNTS_DYNAMIC. Returns an empty list if
 * the order has no splits.
 */
export function splitsOf(
  { splits = [], currency }: Order,
  terms: ChargeTerms | null,
): RequestedTerms['splits'] {
  if (splits.length === 0) return []
  return completeSplits(splits, terms === null ? [] : partnerSharesIn(terms, currency))
}

/**
 * The request fields whose values the shopper can correct. The values of all other fields come from the order or from
 * the configuration.
 */
const PAYER_FIELDS = ['payer_name', 'payer_email', 'payer_msisdn']

/**
 * Builds and validates the call that starts a checkout. Returns the call, or all errors if its request is invalid. The
 * path of an error names a field of the payer, or one of the order, as in `order.splits[0].amount`.
 */
export function readCall(
  requested: RequestedTerms,
  prompt: Prompt | null,
  details: Details,
  terms: ChargeTerms | null,
): Call | { errors: FieldError[] } {
  const { amount, currency } = requested
  const shares = prompt && terms ? partnerSharesIn(terms, currency) : []
  const splits = completeSplits(requested.splits, shares)
  const { data, error } = safeParse(Call, callOf({ ...requested, splits }, prompt, details, terms))
  // The path of an issue starts with the key `request`.
  const errors = error
    ? error.issues.map(({ path: [, ...path], message }) => ({ path: z.core.toDotPath(path), message }))
    : findSplitErrors(splits, amount, currency).map(({ path, message }) => ({
        path: `splits${path}`,
        message,
      }))
  const named = errors.map(({ path, message }) => ({
    path: PAYER_FIELDS.includes(path) ? path : `order.${path}`,
    message,
  }))
  return data && named.length === 0 ? data : { errors: named }
}

function callOf(
  { amount, currency, service_code, account_number, expires_in, splits }: RequestedTerms,
  prompt: Prompt | null,
  { reference, ...details }: Details,
  terms: ChargeTerms | null,
) {
  const asked = { amount, service_code, account_number }
  if (!prompt && splits.length === 0)
    return {
      variant: 'standard',
      request: { merchant_transaction_id: reference, ...asked, expires_in, ...details },
    }
  const { narration, redirect_url, callback_url: _callback, ...payer } = details
  const pages = { redirect_url, success_redirect_url: redirect_url, failed_redirect_url: redirect_url }
  return {
    variant: prompt ? 'prompt' : 'charge',
    request: {
      external_reference: reference,
      origin_channel_code: 'WEB',
      ...payer,
      ...(terms?.clientCode && { client_code: terms.clientCode }),
      ...asked,
      currency_code: currency,
      description: narration,
      ...(prompt && { payment_method_code: prompt.method }),
      ...(splits.length > 0 && { extra_data: { split_settlements: splits, ...(!prompt && pages) } }),
    },
  }
}
