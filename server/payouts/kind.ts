/**
 * Implements the transaction kind `payout`: sends payouts to the gateway, queries their status, computes when the next
 * status query is due, and converts payouts to responses and event data.
 */

import type { TrackedPayout } from '../api/payout.ts'
import type { GatewayClient } from '../gateway/client.ts'
import type { CallOptions } from '../gateway/transport.ts'
import type { Kind } from '../transactions/kind.ts'
import type { TrackedEvent } from '../transactions/transition.ts'
import type { Payout, Call } from './record.ts'
import type { Observation } from './transition.ts'
import { canonical } from '../contract/decimal.ts'
import { ACKNOWLEDGEMENT_CODE } from '../contract/status.ts'
import { GatewayError } from '../gateway/errors.ts'
import { CANNOT_OPEN, split } from '../privacy/personal.ts'
import { commonFieldsOf } from '../transactions/record.ts'
import { progressSince } from '../transactions/schedule.ts'
import { submissionProgress } from '../transactions/submission.ts'
import { announce } from '../transactions/transition.ts'
import { isOtherRecipient, readPayout, reportedTerms, requestOf } from './record.ts'
import { determineOutcome, requestedTerms, transition } from './transition.ts'

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
    data: trackedOf(payout),
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
export function trackedOf(payout: Payout): TrackedPayout {
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
