/**
 * Implements the transaction kind `payout`: creates payouts, sends them to the gateway, queries their status, computes when
 * the next status query is due, and converts payouts to responses and event data.
 *
 * The merchant's payout_reference is the idempotency key. A repeated request returns the existing payout. A different
 * request with the same reference is refused, also if one request is for a local payout and the other is for an
 * international or B2B payout.
 */

import type { TrackedPayout } from '../api/payout.ts'
import type { GatewayClient } from '../gateway/client.ts'
import type { CallOptions } from '../gateway/transport.ts'
import type { Kind } from '../transactions/kind.ts'
import type { TrackedEvent } from '../transactions/transition.ts'
import type { Observation, Payout, PayoutRecord, Variant } from './record.ts'
import type { Refusal } from '../api/refusal.ts'
import type { Created, SubmitDeps } from '../transactions/synchronizer.ts'
import { z } from 'zod'
import { fieldErrorsOf, invalid, refuse } from '../api/refusal.ts'
import { canonical } from '../contract/decimal.ts'
import { reference as referenceRule } from '../contract/fields.ts'
import { safeParse } from '../contract/parse.ts'
import { ACKNOWLEDGEMENT_CODE } from '../contract/status.ts'
import { GatewayError } from '../gateway/errors.ts'
import { findInexact } from '../money/money.ts'
import { CANNOT_OPEN, split } from '../privacy/personal.ts'
import { commonFieldsOf, newTransaction } from '../transactions/record.ts'
import { progressSince } from '../transactions/schedule.ts'
import { submissionProgress, NEW_SUBMISSION } from '../transactions/submission.ts'
import { announce } from '../transactions/transition.ts'
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

/** The prefix of the event types for each variant. */
const EVENT_PREFIX = { local: 'payout', transfer: 'payout', b2b: 'b2b' } as const

export const payoutKind: Kind<Payout, Observation, TrackedEvent> = {
  read: readPayout,
  transition,
  announce: (before, { record }) =>
    announce(record, determineOutcome(before.record), determineOutcome(record)),
  outcomeOf: ({ record }) => determineOutcome(record).outcome,
  progressOf({ record, ...row }) {
    switch (record.phase) {
      case 'intended':
        return submissionProgress(record, row)
      case 'rejected':
        return record.was_resent ? { stage: 'settled', at: record.rejected_at } : { stage: 'ended' }
      case 'accepted':
        return progressSince(row, record.settled_at)
    }
  },
  requestOf,
  describeEvent: (event, payout) => ({
    type: `${EVENT_PREFIX[payout.record.call.variant]}.${event}`,
    data: payoutOf(payout),
  }),
  familyOf: () => 'payout',

  async send({ record, trace_id: traceId, sent_at: sentAt }, { client }) {
    if (record.phase !== 'intended') return { kind: 'unknown' }
    const { call } = record
    if (call.request === null) throw new GatewayError('gateway_contradiction', CANNOT_OPEN)
    return { kind: 'acknowledged', answer: await send(client, call, { traceId, sentAt }) }
  },

  async queryStatus({ record: { call }, reference, trace_id: traceId }, { client, fingerprints }) {
    const result =
      call.variant === 'b2b'
        ? await client.getB2bStatus(reference, { traceId })
        : await client.getPayoutStatus(reference, { traceId })
    if (!result) return { kind: 'unknown' }
    const reported = { payment_status: reportedTerms(result).status, result }
    const isErased = call.request === null
    return {
      kind: 'status',
      reported,
      isOtherRecipient: isErased && isOtherRecipient(reported, call, fingerprints),
    }
  },

  erase({ record, outcome }, concerns) {
    const { request, people } = record.call
    if (request === null || !concerns(people)) return null
    const isNeeded = record.phase === 'intended' || !determineOutcome(record).settled
    return isNeeded ? `it is under way (${outcome})` : { record: split(record).record, parts: null }
  },
}

function send(client: GatewayClient, { variant, request }: Call, options: CallOptions) {
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
  const accepted = record.phase === 'accepted' ? record : null
  const rejected = record.phase === 'rejected' ? record : null
  const reported = accepted?.reported ?? null
  const { amount, currency } = requestedTerms(record.call)
  return {
    payout_reference: reference,
    type: record.call.variant,
    ...determineOutcome(record),
    payment_status: reported?.payment_status ?? null,
    response_code: accepted ? ACKNOWLEDGEMENT_CODE.accepted : rejected && ACKNOWLEDGEMENT_CODE.rejected,
    response_description: record.phase === 'intended' ? null : record.response_description,
    error_code: rejected?.error_code ?? null,
    amount: canonical(amount),
    currency,
    result: reported?.result ?? null,
    ...commonFieldsOf(payout),
    version,
  }
}

interface SubmitPayoutDeps extends SubmitDeps {
  callbacks: { urlOf: (chapter: 'payouts' | 'b2b', reference: string) => string }
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
  const read = readCall(variant, body, deps.callbacks)
  if ('kind' in read) return read
  const reference = read.request.payout_reference
  const call = toStored(read, deps.fingerprints)
  const record: PayoutRecord = { phase: 'intended', call, told: [], ...NEW_SUBMISSION }
  const row = newTransaction(deps, { kind: 'payout', reference, record, trace_id })
  return deps.synchronizer.submitOnce([row], payoutKind, [termsOf(read)], REUSED)
}

function readCall(variant: Variant, body: unknown, callbacks: SubmitPayoutDeps['callbacks']): Call | Refusal {
  const given = Body.safeParse(body)
  if (!given.success) return invalid([{ path: 'body', message: 'must be an object' }])
  // An invalid reference is left out of the callback URL. The validation below then reports the invalid reference.
  const { data: reference = '' } = referenceRule.safeParse(given.data.payout_reference)
  const request = { ...given.data, callback_url: callbacks.urlOf(CALLBACK_PATH[variant], reference) }
  const { data, error } = safeParse(Call, { variant, request })
  if (!data) {
    // This server builds `callback_url` from the payout_reference.
    const rule = { path: 'payout_reference', message: 'is too long for a callback address' }
    const errors = fieldErrorsOf(error.issues, ([, ...path]) => path.join('.'))
    return invalid(errors.map((each) => (each.path === 'callback_url' ? rule : each)))
  }
  const inexact = findInexact(amountsOf(data))
  return inexact.length > 0 ? invalid(inexact) : data
}

const Body = z.record(z.string(), z.unknown())
