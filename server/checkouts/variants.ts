/**
 * The three variants of a checkout at the gateway. An order without splits becomes a standard checkout. An order with
 * splits becomes a charge without a payment method. In both variants, the shopper pays on the hosted page. A prompt
 * becomes a charge with a payment method: the shopper approves it on the phone. All differences between the variants
 * are in this file. [spec: Charge request (checkout redirect or direct charge)]
 */

import type { ChargeTerms } from '../config/config.ts'
import type { ChargeStatus } from '../contract/charge-status.ts'
import type { FieldError } from '../api/problem.ts'
import type { GatewayClient } from '../gateway/client.ts'
import type { CallOptions } from '../gateway/transport.ts'
import type { Order } from '../orders/order.ts'
import type { Checkout, Prompt, RequestedTerms } from './record.ts'
import { z } from 'zod'
import { partnerSharesIn } from '../config/gateway.ts'
import { safeParse } from '../contract/safe-parse.ts'
import { GatewayError } from '../gateway/errors.ts'
import { completeSplits, findSplitErrors } from '../money/splits.ts'
import { chargeIdOf, isCharge, Submission } from './record.ts'

/**
 * The session that the gateway created for a checkout of any variant. A field that the gateway's response does not
 * contain is `null`.
 */
export interface Opened {
  checkout_reference: string | null
  /** The gateway's id of the charge; `null` for a standard checkout. */
  charge_request_id: string | null
  /** The URL of the hosted page; `null` for a prompt. */
  redirect_url: string | null
  /** When the session expires: ISO 8601. */
  expires_at: string | null
}

/** The values that the request to the gateway contains in addition to the requested terms. */
export interface Details {
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

export function needsCharges({ splits }: RequestedTerms): boolean {
  return splits.length > 0
}

/**
 * Builds and validates the request to the gateway. Returns the request, or all errors if the request is invalid. The
 * path of an error names a field of the request. For a split, the path starts with `splits`, as in `splits[0].amount`.
 */
export function readSubmission(
  requested: RequestedTerms,
  prompt: Prompt | null,
  details: Details,
  terms: ChargeTerms | null,
): { submission: Submission } | { errors: FieldError[] } {
  const shares = prompt && terms ? partnerSharesIn(terms, requested.currency) : []
  const splits = completeSplits(requested.splits, shares)
  const parsed = safeParse(Submission, variantOf({ ...requested, splits }, prompt, details, terms))
  if (!parsed.success) return { errors: parsed.error.issues.map(fieldError) }
  const errors = findSplitErrors(splits, requested.amount, requested.currency)
  if (errors.length === 0) return { submission: parsed.data }
  return { errors: errors.map(({ path, message }) => ({ path: `splits${path}`, message })) }
}

function variantOf(
  requested: RequestedTerms,
  prompt: Prompt | null,
  details: Details,
  terms: ChargeTerms | null,
) {
  if (prompt) return { variant: 'prompt', request: promptOf(requested, prompt, details, terms) }
  if (needsCharges(requested)) return { variant: 'charge', request: chargeOf(requested, details, terms) }
  return { variant: 'standard', request: initiateOf(requested, details) }
}

/**
 * Sends the request to the gateway and resolves with the session. Rejects with a {@link GatewayError} if the gateway
 * creates no session.
 *
 * [assumed] A charge without a payment method may be sent again if the gateway, asked about it, does not know it:
 * nobody is charged before the payer opens the hosted page, and nobody has the address of the first page.
 */
export async function send(
  client: GatewayClient,
  submission: Submission,
  requested: RequestedTerms,
  options: CallOptions,
): Promise<Opened> {
  switch (submission.variant) {
    case 'standard': {
      const { currency } = requested
      const opened = await client.initiateCheckout(submission.request, { ...options, currency })
      return { ...opened, charge_request_id: null }
    }
    case 'charge': {
      const posted = await client.postCharge(submission.request, options)
      const { charge_request_id, redirect_url, expires_at } = posted
      if (redirect_url) return { checkout_reference: null, charge_request_id, redirect_url, expires_at }
      const message = "The gateway's answer to a charge without a payment method names no page to pay on."
      throw new GatewayError('gateway_contradiction', message)
    }
    case 'prompt': {
      const { charge_request_id, expires_at } = await client.postCharge(submission.request, options)
      return { checkout_reference: null, charge_request_id, redirect_url: null, expires_at }
    }
  }
}

/**
 * Queries the status of a checkout. Resolves with `unknown` if the gateway does not know the checkout, and with `unfound`
 * if the gateway finds charges only by its own id, and this id is unknown.
 */
export async function queryStatus(
  client: GatewayClient,
  { record, reference, trace_id: traceId }: Pick<Checkout, 'record' | 'reference' | 'trace_id'>,
): Promise<ChargeStatus | 'unknown' | 'unfound'> {
  if (!isCharge(record)) return (await client.getCheckoutStatus(reference, { traceId })) ?? 'unknown'
  const chargeRequestId = chargeIdOf(record)
  if (client.chargeStatusKey === 'charge_request_id' && chargeRequestId === null) return 'unfound'
  return (await client.getChargeStatus(reference, { traceId, chargeRequestId })) ?? 'unknown'
}

function initiateOf(requested: RequestedTerms, { reference, ...details }: Details) {
  const { amount, service_code, account_number, expires_in } = requested
  return { merchant_transaction_id: reference, amount, service_code, account_number, expires_in, ...details }
}

function chargeOf(requested: RequestedTerms, details: Details, terms: ChargeTerms | null) {
  const { redirect_url } = details
  return {
    ...commonOf(requested, details, terms),
    extra_data: {
      split_settlements: requested.splits,
      redirect_url,
      success_redirect_url: redirect_url,
      failed_redirect_url: redirect_url,
    },
  }
}

function promptOf(
  requested: RequestedTerms,
  { method }: Prompt,
  details: Details,
  terms: ChargeTerms | null,
) {
  const { splits } = requested
  return {
    ...commonOf(requested, details, terms),
    payment_method_code: method,
    ...(splits.length > 0 && { extra_data: { split_settlements: splits } }),
  }
}

/** Returns the fields that a charge has with and without a payment method. */
function commonOf(requested: RequestedTerms, details: Details, terms: ChargeTerms | null) {
  const { amount, currency, service_code, account_number } = requested
  const { reference, narration, redirect_url: _page, callback_url: _callback, ...payer } = details
  return {
    external_reference: reference,
    origin_channel_code: 'WEB',
    ...payer,
    ...(terms?.clientCode && { client_code: terms.clientCode }),
    service_code,
    account_number,
    currency_code: currency,
    amount,
    description: narration,
  }
}

/** Converts a schema issue to a field error. The path of the issue starts with the key `request`, which is removed. */
function fieldError({ path: [, ...path], message }: z.core.$ZodIssue): FieldError {
  return { path: z.core.toDotPath(path), message }
}
