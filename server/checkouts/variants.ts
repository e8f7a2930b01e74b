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
import { guessMethod, methodsFor, partnerSharesIn } from '../config/gateway.ts'
import { safeParse } from '../contract/safe-parse.ts'
import { completeSplits, findSplitErrors } from '../money/splits.ts'
import { Submission } from './record.ts'

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
  if (requested.splits.length > 0) return { variant: 'charge', request: chargeOf(requested, details, terms) }
  return { variant: 'standard', request: initiateOf(requested, details) }
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

/** A shopper's request to be asked on the phone. */
export interface PromptRequest {
  /** The operator that the shopper has chosen; `undefined` if the server chooses. */
  method: string | undefined
  /** The client network of the request; `null` if it is unknown. */
  network: string | null
}

/** Returns the operators that can prompt the payer of an order in this currency; empty if charges are off. */
export function promptMethods(terms: ChargeTerms | null, currency: string): Prompt['methods'] {
  return methodsFor(terms?.methods ?? [], currency).map(({ code, name }) => ({ code, name }))
}

/**
 * Returns the prompt of a new checkout. Returns `null` if there is no operator for the currency: the shopper then pays
 * on the hosted page. Returns errors if there is no operator of the chosen code.
 *
 * @param msisdn The payer's phone number, by which the server guesses the operator; `undefined` if it is unknown.
 */
export function choosePrompt(
  terms: ChargeTerms | null,
  currency: string,
  msisdn: string | undefined,
  chosen: string | undefined,
): Prompt | null | { errors: FieldError[] } {
  const methods = promptMethods(terms, currency)
  const guessed = guessMethod(methodsFor(terms?.methods ?? [], currency), msisdn)
  if (guessed === undefined) return null
  const codes = methods.map(({ code }) => code)
  if (chosen === undefined || codes.includes(chosen)) return { method: chosen ?? guessed.code, methods }
  return { errors: [{ path: 'payment_method_code', message: `must be one of ${codes.join(', ')}` }] }
}
