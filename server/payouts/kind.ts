/**
 * Implements the transaction kind `payout`: how a payout is created, sent and queried, and how the API shows it.
 *
 * The merchant's payout_reference is the idempotency key. A repeated request returns the existing payout. A different
 * request with the same reference is refused, also if one request is for a local payout and the other is for an
 * international or B2B payout.
 */

import { z } from 'zod'

import { fieldErrorsOf, invalid, refuse } from '../api/refusal.ts'
import { canonical } from '../contract/decimal.ts'
import { reference as referenceRule } from '../contract/fields.ts'
import { safeParse } from '../contract/parse.ts'
import { ACKNOWLEDGEMENT_CODE } from '../contract/status.ts'
import { GatewayError } from '../gateway/errors.ts'
import { findInexact } from '../money/currency.ts'
import { CANNOT_OPEN, separatePersonal } from '../privacy/personal.ts'
import { commonFieldsOf, newTransaction } from '../transactions/record.ts'
import { progressSince } from '../transactions/schedule.ts'
import { submissionProgress, NEW_SUBMISSION } from '../transactions/submission.ts'
import { announce, isNewResolution } from '../transactions/transition.ts'
import {
  amountsOf,
  Call,
  determineOutcome,
  isOtherRecipient,
  readPayout,
  reportedTerms,
  requestedTerms,
  requestOf,
  termsOf,
  toStored,
  transition,
} from './record.ts'

import type { TrackedPayout } from '../api/payout.ts'
import type { Refusal } from '../api/refusal.ts'
import type { GatewayClient } from '../gateway/client.ts'
import type { CallOptions } from '../gateway/transport.ts'
import type { Kind } from '../transactions/kind.ts'
import type { Created, SubmitDeps } from '../transactions/synchronizer.ts'
import type { TrackedEvent } from '../transactions/transition.ts'
import type { Observation, Payout, PayoutRecord, Variant } from './record.ts'

/** For each variant, the subject of its events, and the path segment after `/callbacks/` in its callback URL. */
const VARIANTS = {
  local: { subject: 'payout', chapter: 'payouts' },
  transfer: { subject: 'payout', chapter: 'payouts' },
  b2b: { subject: 'b2b', chapter: 'b2b' },
} as const satisfies Record<Variant, object>

export const payoutKind: Kind<Payout, Observation, TrackedEvent> = {
  read: readPayout,
  transition,
  announce: (before, { record }) =>
    announce(
      record,
      determineOutcome(before.record),
      determineOutcome(record),
      isNewResolution(before.record, record),
    ),
  outcomeOf: ({ record }) => determineOutcome(record).outcome,
  progressOf({ record, ...row }) {
    if (record.resolution) {
      return { stage: 'settled', at: record.resolution.at }
    }

    switch (record.phase) {
      case 'intended':
        return submissionProgress(record, row)
      case 'rejected':
        return record.is_doubtful ? { stage: 'settled', at: record.rejected_at } : { stage: 'ended' }
      case 'accepted':
        return progressSince(row, record.settled_at)
    }
  },
  requestOf,
  describeEvent: (event, payout) => ({
    type: `${VARIANTS[payout.record.call.variant].subject}.${event}`,
    data: payoutOf(payout),
  }),
  eventDataOf: payoutOf,
  familyOf: () => 'payout',
  sendRule: () => 'idempotent',

  async send({ record: { call }, trace_id: traceId, sent_at: sentAt }, { client }) {
    // Counts as a failed send, which is repeated: GATEWAY_CONSUMER_SECRET_PREVIOUS may be set meanwhile.
    if (call.request === null) {
      throw new GatewayError('gateway_contradiction', CANNOT_OPEN)
    }
    return { kind: 'acknowledged', answer: await sendCall(client, call, { traceId, sentAt }) }
  },

  async queryStatus({ record: { call }, reference, trace_id: traceId }, { client, fingerprints }) {
    const result =
      call.variant === 'b2b'
        ? await client.getB2bStatus(reference, { traceId })
        : await client.getPayoutStatus(reference, { traceId })
    if (!result) {
      return { kind: 'unknown' }
    }

    const reported = { payment_status: reportedTerms(result).status, result }
    return { kind: 'status', reported, isOtherRecipient: isOtherRecipient(reported, call, fingerprints) }
  },

  isErasedWhenOld: true,
  erase({ record, outcome }, concerns) {
    const { request, people } = record.call
    if (request === null || !concerns(people)) {
      return null
    }
    if (!determineOutcome(record).settled) {
      return `it is under way (${outcome})`
    }
    return { record: separatePersonal(record).record, parts: null }
  },
}

function sendCall(client: GatewayClient, { variant, request }: Call, options: CallOptions) {
  switch (variant) {
    case 'local':
      return client.initiatePayout(request, options)
    case 'transfer':
      return client.initiateTransfer(request, options)
    case 'b2b':
      return client.initiateB2b(request, options)
  }
}

/** Returns a payout as `/api/payouts` and the events `payout.*` and `b2b.*` contain it. */
export function payoutOf(payout: Payout): TrackedPayout {
  const { record, reference, version } = payout
  const reported = record.phase === 'accepted' ? record.reported : null
  const { amount, currency } = requestedTerms(record.call)
  return {
    payout_reference: reference,
    type: record.call.variant,
    ...determineOutcome(record),
    payment_status: reported?.payment_status ?? null,
    ...acknowledgementOf(record),
    amount: canonical(amount),
    currency,
    result: reported?.result ?? null,
    ...commonFieldsOf(payout),
    version,
  }
}

/** Returns what the gateway answered to the request; `null` in each field if it has not answered. */
function acknowledgementOf(record: PayoutRecord) {
  if (record.phase === 'accepted') {
    const { response_description } = record
    return { response_code: ACKNOWLEDGEMENT_CODE.accepted, response_description, error_code: null }
  }

  const rejection = record.phase === 'rejected' ? record : record.refused?.answer
  if (!rejection) {
    return { response_code: null, response_description: null, error_code: null }
  }

  const { response_description, error_code } = rejection
  return { response_code: ACKNOWLEDGEMENT_CODE.rejected, response_description, error_code }
}

interface SubmitPayoutDeps extends SubmitDeps {
  callbacks: { urlOf: (chapter: 'payouts' | 'b2b', reference: string) => string }
}

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
  if ('kind' in call) {
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
  return deps.synchronizer.submitOnce([row], payoutKind, [termsOf(call)], REUSED)
}

function readCall(variant: Variant, body: unknown, callbacks: SubmitPayoutDeps['callbacks']): Call | Refusal {
  const { data: fields } = Body.safeParse(body)
  if (!fields) {
    return invalid([{ path: 'body', message: 'must be an object' }])
  }

  // An invalid reference is left out of the callback URL. The validation below then reports the invalid reference.
  const reference = referenceRule.safeParse(fields.payout_reference).data ?? ''
  const request = { ...fields, callback_url: callbacks.urlOf(VARIANTS[variant].chapter, reference) }
  const { data: call, error } = safeParse(Call, { variant, request })
  if (!call) {
    const errors = fieldErrorsOf(error.issues, ([, ...pathInRequest]) => pathInRequest.join('.'))
    return invalid(errors)
  }

  const inexact = findInexact(amountsOf(call))
  return inexact.length > 0 ? invalid(inexact) : call
}

const Body = z.record(z.string(), z.unknown())
