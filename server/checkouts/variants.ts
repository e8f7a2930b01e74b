/**
 * The two variants of a checkout at the gateway. An order without splits becomes a standard checkout. An order with
 * splits becomes a charge without a payment method. In both variants, the shopper pays on the hosted page. All
 * differences between the variants are in this file. [spec: Charge request "through checkout redirect"]
 */

import type { ChargeTerms } from '../config.ts'
import type { ChargeStatus } from '../contract/charge-status.ts'
import type { FieldError } from '../api/problem.ts'
import type { GatewayClient } from '../gateway/client.ts'
import type { CallOptions } from '../gateway/transport.ts'
import type { Order } from '../orders/order.ts'
import type { RequestedTerms } from './record.ts'
import { z } from 'zod'
import { GatewayError } from '../gateway/errors.ts'
import { completeSplits, findSplitErrors } from '../money/splits.ts'
import { Submission } from './record.ts'

/**
 * The session that the gateway created for a checkout of either variant. A field that the gateway's response does not
 * contain is `null`.
 */
export interface Opened {
  checkout_reference: string | null
  /** The gateway's id of the charge; `null` for a standard checkout. */
  charge_request_id: string | null
  redirect_url: string
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
export function splitsOf({ splits = [] }: Order, terms: ChargeTerms | null): RequestedTerms['splits'] {
  return splits.length > 0 ? completeSplits(splits, terms?.partners ?? []) : []
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
  details: Details,
  terms: ChargeTerms | null,
): { submission: Submission } | { errors: FieldError[] } {
  const parsed = Submission.safeParse(
    needsCharges(requested)
      ? { variant: 'charge', request: chargeOf(requested, details, terms) }
      : { variant: 'standard', request: initiateOf(requested, details) },
  )
  if (!parsed.success) return { errors: parsed.error.issues.map(fieldError) }
  const errors = findSplitErrors(requested.splits, requested.amount, requested.currency)
  if (errors.length === 0) return { submission: parsed.data }
  return { errors: errors.map(({ path, message }) => ({ path: `splits${path}`, message })) }
}

/**
 * Sends the request to the gateway and resolves with the session. Rejects with a {@link GatewayError} if the gateway
 * creates no session.
 *
 * [assumed] A charge without a payment method may be sent again, like a standard checkout: nobody is charged before the
 * payer opens the hosted page. If the gateway creates two sessions, the shopper only gets the URL of the second
 * session.
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
  }
}

/**
 * Queries the status of a checkout. Resolves with `null` if the gateway does not know the checkout, or if the gateway
 * finds charges only by its own id, and this id is unknown (`chargeRequestId` is `null`).
 */
export async function queryStatus(
  client: GatewayClient,
  requested: RequestedTerms,
  reference: string,
  { chargeRequestId, ...options }: CallOptions & { chargeRequestId: string | null },
): Promise<ChargeStatus | null> {
  if (!needsCharges(requested)) return client.getCheckoutStatus(reference, options)
  if (client.chargeStatusKey === 'charge_request_id' && chargeRequestId === null) return null
  return client.getChargeStatus(reference, { ...options, chargeRequestId })
}

function initiateOf(requested: RequestedTerms, { reference, ...details }: Details) {
  const { amount, service_code, account_number, expires_in } = requested
  return { merchant_transaction_id: reference, amount, service_code, account_number, expires_in, ...details }
}

function chargeOf(requested: RequestedTerms, details: Details, terms: ChargeTerms | null) {
  const { amount, currency, service_code, account_number, splits } = requested
  const { reference, narration, redirect_url, callback_url: _, ...payer } = details
  return {
    external_reference: reference,
    origin_channel_code: 'WEB',
    ...payer,
    ...(terms?.clientCode && { client_code: terms.clientCode }),
    service_code,
    account_number,
    currency_code: currency,
    amount,
    extra_data: {
      split_settlements: splits,
      redirect_url,
      success_redirect_url: redirect_url,
      failed_redirect_url: redirect_url,
    },
    description: narration,
  }
}

/** Converts a schema issue to a field error. The path of the issue starts with the key `request`, which is removed. */
function fieldError({ path: [, ...path], message }: z.core.$ZodIssue): FieldError {
  return { path: z.core.toDotPath(path), message }
}
