/**
 * Payouts as a transaction kind: local payouts, international transfers and B2B payouts, each with endpoints of its own.
 * They may be sent again, because the gateway refuses a reference that it has accepted.
 */

import { GatewayError } from '../gateway/errors.ts'
import { CANNOT_OPEN, separatePersonal } from '../privacy/personal.ts'
import { progressSince } from '../transactions/schedule.ts'
import { submissionProgress } from '../transactions/submission.ts'
import { isOtherRecipient, reportedTerms } from './difference.ts'
import { movementsOfPayout } from './movements.ts'
import { determineOutcome, readPayout, requestOf } from './record.ts'
import { announcePayout, transition } from './transition.ts'
import { payoutOf } from './view.ts'

import type { GatewayClient } from '../gateway/client.ts'
import type { CallOptions } from '../gateway/transport.ts'
import type { Kind } from '../transactions/kind.ts'
import type { TrackedEvent } from '../transactions/standing.ts'
import type { Call, Payout, Variant } from './record.ts'
import type { Observation } from './transition.ts'

/** The subject of the events about a payout, by its variant. */
const SUBJECT_OF = {
  local: 'payout',
  transfer: 'payout',
  b2b: 'b2b',
} as const satisfies Record<Variant, string>

export const payoutKind: Kind<Payout, Observation, TrackedEvent> = {
  read: readPayout,
  transition,
  announce: announcePayout,
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
    type: `${SUBJECT_OF[payout.record.call.variant]}.${event}`,
    data: payoutOf(payout),
  }),
  movementsOf: movementsOfPayout,
  eventDataOf: payoutOf,
  familyOf: () => 'payout',
  sendRule: () => 'idempotent',

  async send({ record: { call }, trace_id: traceId, sent_at: sentAt }, { client }) {
    // The personal data cannot be decrypted. Nothing was sent, and it is tried again, because the missing key
    // (GATEWAY_CONSUMER_SECRET_PREVIOUS) may be configured later.
    if (call.request === null) {
      throw new GatewayError('gateway_contradiction', CANNOT_OPEN, { isUnsent: true })
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
