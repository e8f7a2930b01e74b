/**
 * Creates a payout: stores the request and sends it.
 *
 * The merchant's payout_reference is the idempotency key. A repeated request returns the existing payout. A different
 * request with the same reference is refused, also if one request is for a local payout and the other is for an
 * international or B2B payout.
 */

import type { FieldError } from '../api/problem.ts'
import type { Refusal } from '../api/refusal.ts'
import type { Created, SubmitDeps } from '../transactions/submit.ts'
import type { Payout, PayoutRecord, Variant } from './record.ts'
import { z } from 'zod'
import { safeParse } from '../contract/safe-parse.ts'
import { reference as referenceRule } from '../contract/fields.ts'
import { findInexact } from '../money/currency.ts'
import { fieldErrorsOf, invalid, refuse } from '../api/refusal.ts'
import { NEW_SUBMISSION } from '../transactions/submission.ts'
import { newTransaction, submitOnce } from '../transactions/submit.ts'
import { payoutKind } from './kind.ts'
import { amountsOf, Call, termsOf, toStored } from './record.ts'

interface SubmitPayoutDeps extends SubmitDeps {
  callbackUrl: (chapter: 'payouts' | 'b2b', reference: string) => string
}

/** The path segment that follows `/callbacks/` in the callback URL, for each variant. */
const CALLBACK_PATH = { local: 'payouts', transfer: 'payouts', b2b: 'b2b' } as const
const REUSED = refuse('reference_reused', 'Another payout was sent under this payout_reference.')

export async function submitPayout(
  deps: SubmitPayoutDeps,
  variant: Variant,
  body: unknown,
  trace_id: string | null,
): Promise<Created<Payout> | Refusal> {
  const read = readCall(variant, body, deps.callbackUrl)
  if ('errors' in read) return invalid(read.errors)
  const reference = read.request.payout_reference
  const call = toStored(read, deps.fingerprints)
  const record: PayoutRecord = { phase: 'intended', call, told: [], ...NEW_SUBMISSION }
  const row = newTransaction(deps, { kind: 'payout', reference, record, trace_id })
  return submitOnce(deps, [row], payoutKind, [termsOf(read)], REUSED)
}

function readCall(
  variant: Variant,
  body: unknown,
  callbackUrl: SubmitPayoutDeps['callbackUrl'],
): Call | { errors: FieldError[] } {
  const given = Body.safeParse(body)
  if (!given.success) return { errors: [{ path: 'body', message: 'must be an object' }] }
  // An invalid reference is left out of the callback URL. The validation below then reports the invalid reference.
  const { data: reference = '' } = referenceRule.safeParse(given.data.payout_reference)
  const request = { ...given.data, callback_url: callbackUrl(CALLBACK_PATH[variant], reference) }
  const parsed = safeParse(Call, { variant, request })
  if (!parsed.success) {
    // This server builds `callback_url` from the payout_reference.
    const rule = { path: 'payout_reference', message: 'is too long for a callback address' }
    const errors = fieldErrorsOf(parsed.error.issues, ([, ...path]) => path.join('.'))
    return { errors: errors.map((error) => (error.path === 'callback_url' ? rule : error)) }
  }
  const errors = findInexact(amountsOf(parsed.data))
  return errors.length > 0 ? { errors } : parsed.data
}

const Body = z.record(z.string(), z.unknown())
