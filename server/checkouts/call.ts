/** Builds and validates the request to the gateway that starts a checkout. Pure. */

import { z } from 'zod'

import { invalid } from '../api/refusal.ts'
import { partnerSharesIn } from '../config/charges.ts'
import { safeParse } from '../contract/parse.ts'
import { completeSplits, findSplitErrors } from '../money/splits.ts'
import { Call } from './record.ts'

import type { Refusal } from '../api/refusal.ts'
import type { ChargeTerms } from '../config/charges.ts'
import type { Prompt, RequestedTerms } from './record.ts'

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
 * The request fields whose values the shopper can correct. The values of all other fields come from the order or from
 * the configuration.
 */
const PAYER_FIELDS = ['payer_name', 'payer_email', 'payer_msisdn']

/**
 * Builds and validates the call that starts a checkout. Returns the call, or a refusal with all errors if its request
 * is invalid. The path of an error names a field of the payer, or one of the order, as in `order.splits[0].amount`.
 */
export function buildCall(
  requested: RequestedTerms,
  prompt: Prompt | null,
  details: Details,
  terms: ChargeTerms | null,
): Call | Refusal {
  const { amount, currency } = requested
  const shares = prompt && terms ? partnerSharesIn(terms, currency) : []
  const splits = completeSplits(requested.splits, shares)
  const { data, error } = safeParse(Call, callOf({ ...requested, splits }, prompt, details, terms))
  const fieldErrors = (error?.issues ?? []).map(({ path: [_request, ...path], message }) => {
    const field = z.core.toDotPath(path)
    return { path: PAYER_FIELDS.includes(field) ? field : `order.${field}`, message }
  })
  if (!data) {
    return invalid(fieldErrors)
  }

  const splitErrors = findSplitErrors(splits, amount, currency).map(({ path, message }) => ({
    path: `order.splits${path}`,
    message,
  }))
  return splitErrors.length === 0 ? data : invalid(splitErrors)
}

/**
 * An order without splits becomes a standard checkout. An order with splits becomes a charge without a payment method.
 * In both variants, the shopper pays on the hosted page. A prompt becomes a charge with a payment method: the shopper
 * approves it on the phone. [spec: Charge request (checkout redirect or direct charge)]
 */
function callOf(
  { amount, currency, service_code, account_number, expires_in, splits }: RequestedTerms,
  prompt: Prompt | null,
  { reference, ...details }: Details,
  terms: ChargeTerms | null,
) {
  const received = { amount, service_code, account_number }
  if (!prompt && splits.length === 0) {
    return {
      variant: 'standard',
      request: { merchant_transaction_id: reference, ...received, expires_in, ...details },
    }
  }

  // A charge has no `callback_url`. [assumed] Its callbacks go to an address that is registered in the merchant portal
  // (`transactions/callback-address.ts`).
  const { narration, redirect_url, callback_url: _callback, ...payer } = details
  const pages = { redirect_url, success_redirect_url: redirect_url, failed_redirect_url: redirect_url }
  return {
    variant: prompt ? 'prompt' : 'charge',
    request: {
      external_reference: reference,
      // The spec shows no values. [assumed] 'WEB' is the channel of an order that is paid from a page.
      origin_channel_code: 'WEB',
      ...payer,
      client_code: terms?.clientCode ?? undefined,
      ...received,
      currency_code: currency,
      description: narration,
      payment_method_code: prompt?.method,
      extra_data: splits.length > 0 ? { split_settlements: splits, ...(!prompt && pages) } : undefined,
    },
  }
}
