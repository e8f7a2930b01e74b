/**
 * Implements the transaction kind `payout`: sends payouts to the gateway, queries their status and computes when the
 * next status query is due.
 */

import type { Fingerprints } from '../fingerprints.ts'
import type { GatewayClient } from '../gateway/client.ts'
import type { Progress } from '../transactions/schedule.ts'
import type { Rules, TrackedEvent } from '../transactions/transition.ts'
import type { Payout } from './record.ts'
import type { Observation } from './transition.ts'
import { createKind } from '../transactions/kind.ts'
import { progressSince } from '../transactions/schedule.ts'
import { submissionProgress } from '../transactions/submission.ts'
import { maskReport } from './mask.ts'
import { determineOutcome } from './outcome.ts'
import { readPayout } from './record.ts'
import { trackedOf } from './tracked.ts'
import { transition } from './transition.ts'
import { EVENT_PREFIX, queryStatus, requestOf, send } from './variants.ts'

export function createPayoutKind(client: GatewayClient, fingerprints: Fingerprints) {
  return createKind<Payout, Observation, TrackedEvent>(rules, {
    async send({ record, trace_id: traceId }) {
      if (record.phase !== 'intended') return { kind: 'unknown' }
      return { kind: 'acknowledged', answer: await send(client, record.submission, { traceId }) }
    },
    async queryStatus({ record, trace_id: traceId }) {
      const reported = await queryStatus(client, record.submission, { traceId })
      return reported ? maskReport(reported, record.submission, fingerprints) : { kind: 'unknown' }
    },
  })
}

const rules: Rules<Payout, Observation, TrackedEvent> = {
  read: readPayout,
  transition,
  outcomeOf: ({ record }) => determineOutcome(record).outcome,
  progressOf,
  requestOf,
  describeEvent: (event, payout) => ({
    type: `${EVENT_PREFIX[payout.record.submission.variant]}.${event}`,
    data: trackedOf(payout),
  }),
}

function progressOf({ record, ...row }: Payout): Progress {
  switch (record.phase) {
    case 'intended':
      return submissionProgress(record, row)
    case 'rejected':
      return record.was_resent ? { stage: 'settled', at: record.rejected_at } : { stage: 'ended' }
    case 'accepted':
      return progressSince(row, record.settled_at)
  }
}
