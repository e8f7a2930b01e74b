/** Implements the transaction kind `payout`. */

import type { GatewayClient } from '../gateway/client.ts'
import type { Kind } from '../transactions/kind.ts'
import type { Progress } from '../transactions/schedule.ts'
import type { Payout } from './record.ts'
import type { Observation, PayoutEvent } from './transition.ts'
import { bindTransition } from '../transactions/transition.ts'
import { determineOutcome } from './outcome.ts'
import { readPayout } from './record.ts'
import { trackedOf } from './tracked.ts'
import { transition } from './transition.ts'
import { EVENT_PREFIX, queryStatus, send } from './variants.ts'

export function createPayoutKind(client: GatewayClient): Kind {
  return {
    submissionOf(transaction) {
      const { record } = readPayout(transaction)
      return record.phase === 'intended' ? record : null
    },
    progressOf: (transaction) => progressOf(readPayout(transaction)),

    async send(transaction) {
      const answer = await send(client, readPayout(transaction).record.submission)
      return observe({ kind: 'acknowledged', answer })
    },

    async queryStatus(transaction) {
      const reported = await queryStatus(client, readPayout(transaction).record.submission)
      return observe(reported ? { kind: 'status', reported } : { kind: 'unknown' })
    },
  }
}

const observe = bindTransition<Payout, Observation, PayoutEvent>({
  read: readPayout,
  transition,
  outcomeOf: ({ record }) => determineOutcome(record).outcome,
  progressOf,
  describeEvent: (event, payout) => ({
    type: `${EVENT_PREFIX[payout.record.submission.variant]}.${event}`,
    data: trackedOf(payout),
  }),
})

function progressOf({ record, created_at }: Payout): Progress {
  switch (record.phase) {
    case 'intended':
      return record.stuck === null ? { stage: 'unacknowledged' } : { stage: 'open', since: created_at }
    case 'rejected':
      return record.was_resent ? { stage: 'settled', at: record.rejected_at } : { stage: 'ended' }
    case 'accepted': {
      const { settled_at } = record
      return settled_at === null ? { stage: 'open', since: created_at } : { stage: 'settled', at: settled_at }
    }
  }
}
