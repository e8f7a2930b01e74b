/**
 * Creates a payout from the merchant's request, and sends it.
 *
 * The merchant's payout_reference is the idempotency key. A repeated request returns the existing payout. A different
 * request with the same reference is refused, also if one request is for a local payout and the other is for an
 * international or B2B payout.
 */

import { z } from 'zod'

import { fieldErrorsOf, invalid, isRefusal, refuse } from '../api/refusal.ts'
import { findInexact, unitOf } from '../contract/currency.ts'
import { add, canonical, compare, multiply, subtract } from '../contract/decimal.ts'
import { reference as referenceRule } from '../contract/fields.ts'
import { safeParse } from '../contract/parse.ts'
import { newTransaction } from '../transactions/new-transaction.ts'
import { NEW_SUBMISSION } from '../transactions/submission.ts'
import { payoutKind } from './kind.ts'
import { amountsOf, Call, termsOf, toStored } from './record.ts'

import type { FieldError, Refusal } from '../api/refusal.ts'
import type { Created, SubmitDeps } from '../transactions/sender.ts'
import type { Payout, PayoutRecord, Variant } from './record.ts'

interface SubmitPayoutDeps extends SubmitDeps {
  callbacks: { urlOf: (chapter: 'payouts' | 'b2b', reference: string) => string }
}

/** The path segment after `/callbacks/` in the callback URL of a payout, by its variant. */
const CHAPTER_OF = {
  local: 'payouts',
  transfer: 'payouts',
  b2b: 'b2b',
} as const satisfies Record<Variant, string>

const REUSED = refuse('reference_reused', 'Another payout was sent under this payout_reference.')

/**
 * Creates a payout from the body of a request and sends it, or finds the existing payout with the reference in the
 * body. Resolves with a refusal if the body is invalid, or if the reference was used for another payout.
 */
export async function submitPayout(
  deps: SubmitPayoutDeps,
  variant: Variant,
  body: unknown,
  traceId: string | null,
): Promise<Created<Payout> | Refusal> {
  const call = readCall(variant, body, deps.callbacks)
  if (isRefusal(call)) {
    return call
  }

  const reference = call.request.payout_reference
  const stored = toStored(call, deps.fingerprints)
  const record: PayoutRecord = {
    phase: 'intended',
    call: stored,
    told: [],
    resolution: null,
    ...NEW_SUBMISSION,
  }
  const row = newTransaction(deps, { kind: 'payout', reference, record, trace_id: traceId })
  return deps.sender.submitOnce({
    rows: [row],
    kind: payoutKind,
    terms: [termsOf(call)],
    reused: REUSED,
  })
}

function readCall(variant: Variant, body: unknown, callbacks: SubmitPayoutDeps['callbacks']): Call | Refusal {
  const { data: fields } = Body.safeParse(body)
  if (!fields) {
    return invalid([{ path: 'body', message: 'must be an object' }])
  }

  // An invalid reference is left out of the callback URL. The validation below then reports the invalid reference.
  const reference = referenceRule.safeParse(fields.payout_reference).data ?? ''
  const request = { ...fields, callback_url: callbacks.urlOf(CHAPTER_OF[variant], reference) }
  const { data: call, error } = safeParse(Call, { variant, request })
  if (!call) {
    const errors = fieldErrorsOf(error.issues, ([, ...pathInRequest]) => pathInRequest.join('.'))
    return invalid(errors)
  }

  const errors = findInexact(amountsOf(call))
  const contradiction = findContradiction(call)
  if (errors.length === 0 && contradiction) {
    errors.push(contradiction)
  }
  return errors.length > 0 ? invalid(errors) : call
}

/**
 * Returns the error of a request whose amounts are not those of its rate; `null` if it has none. [assumed] Either amount
 * may be rounded up or down to a unit of its currency. Within a currency the rate is 1, and nothing is rounded.
 */
function findContradiction({ variant, request }: Call): FieldError | null {
  if (variant === 'b2b') {
    return null
  }

  const { sender_amount, exchange_rate, recipient_amount, source_currency, destination_currency } = request
  const isOneCurrency = source_currency === destination_currency
  if (isOneCurrency && compare(exchange_rate, '1') !== 0) {
    return { path: 'exchange_rate', message: `must be 1 from ${source_currency} to ${destination_currency}` }
  }

  const exact = multiply(sender_amount, exchange_rate)
  const difference = subtract(recipient_amount, exact).replace('-', '')
  const units = add(unitOf(destination_currency), multiply(unitOf(source_currency), exchange_rate))
  const rounded = isOneCurrency ? '0' : units
  if (compare(difference, rounded) <= 0) {
    return null
  }
  return {
    path: 'recipient_amount',
    message: `must be sender_amount times exchange_rate, which is ${canonical(exact)}`,
  }
}

const Body = z.record(z.string(), z.unknown())
