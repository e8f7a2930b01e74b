/**
 * Creates a payout: stores the request and sends it.
 *
 * The merchant's payout_reference is the idempotency key. A repeated request returns the existing payout. A different
 * request with the same reference is refused, also if one request is for a local payout and the other is for an
 * international or B2B payout.
 */

import type { FieldError } from '../api/problem.ts'
import type { Refusal } from '../api/refusal.ts'
import type { SubmitDeps } from '../transactions/submit.ts'
import type { Payout, PayoutRecord, Variant } from './record.ts'
import { z } from 'zod'
import { safeParse } from '../contract/safe-parse.ts'
import { reference as referenceRule } from '../contract/fields.ts'
import { findInexact } from '../money/currency.ts'
import { fieldErrorsOf, invalid, refuse } from '../api/refusal.ts'
import { isRepeatedBy } from '../transactions/record.ts'
import { refusePruned } from '../transactions/retention.ts'
import { NEW_SUBMISSION } from '../transactions/submission.ts'
import { newTransaction, submitOnce } from '../transactions/submit.ts'
import { readPayout, Submission } from './record.ts'
import { amountsOf, CALLBACK_PATH, requestOf, termsOf, toStored } from './variants.ts'

export type SubmittedPayout = { kind: 'created' | 'existing'; payout: Payout } | Refusal

interface SubmitPayoutDeps extends SubmitDeps {
  callbackUrl: (chapter: 'payouts' | 'b2b', reference: string) => string
}

const REUSED = refuse('reference_reused', 'Another payout was sent under this payout_reference.')

export async function submitPayout(
  deps: SubmitPayoutDeps,
  variant: Variant,
  body: unknown,
  trace_id: string | null,
): Promise<SubmittedPayout> {
  const { callbackUrl, fingerprints } = deps
  const read = readSubmission(variant, body, callbackUrl)
  if ('errors' in read) return invalid(read.errors)
  const { submission } = read
  const reference = submission.request.payout_reference
  const record: PayoutRecord = {
    phase: 'intended',
    submission: toStored(submission, fingerprints),
    told: [],
    ...NEW_SUBMISSION,
  }
  const row = newTransaction(deps, { kind: 'payout', reference, record, trace_id })
  // The submission succeeds even if the gateway's response is lost: later status queries show whether the gateway
  // received the payout.
  const { isNew, stored: payout, pruned } = await submitOnce(deps, row, readPayout)
  const terms = termsOf(submission)
  if (!payout || !isRepeatedBy(terms, requestOf(payout.record), fingerprints))
    return refusePruned(pruned, [terms], REUSED, fingerprints) ?? REUSED
  return { kind: isNew ? 'created' : 'existing', payout }
}

function readSubmission(
  variant: Variant,
  body: unknown,
  callbackUrl: SubmitPayoutDeps['callbackUrl'],
): { submission: Submission } | { errors: FieldError[] } {
  const given = Body.safeParse(body)
  if (!given.success) return { errors: [{ path: 'body', message: 'must be an object' }] }
  // An invalid reference is left out of the callback URL. The validation below then reports the invalid reference.
  const { data: reference = '' } = referenceRule.safeParse(given.data.payout_reference)
  const request = { ...given.data, callback_url: callbackUrl(CALLBACK_PATH[variant], reference) }
  const parsed = safeParse(Submission, { variant, request })
  if (!parsed.success) return { errors: readErrors(parsed.error) }
  const errors = findInexact(amountsOf(parsed.data))
  return errors.length > 0 ? { errors } : { submission: parsed.data }
}

const Body = z.record(z.string(), z.unknown())

/**
 * Converts validation errors of the gateway request to errors about the fields of the merchant's request. This server
 * builds `callback_url` from the payout_reference, so an invalid `callback_url` means that the reference is too long.
 */
function readErrors({ issues }: z.ZodError): FieldError[] {
  return fieldErrorsOf(issues, ([, ...path]) => path.join('.')).map((error) =>
    error.path === 'callback_url'
      ? { path: 'payout_reference', message: 'is too long for a callback address' }
      : error,
  )
}
