/** Payout as a kind of transaction. */

import type { GatewayClient } from '../gateway/client.ts'
import type { Kind } from '../transactions/kind.ts'
import type { Observation, PayoutEvent } from './transition.ts'
import type { Payout } from './record.ts'
import { bindTransition } from '../transactions/transition.ts'
import { transition, isToBeSentAgain } from './transition.ts'
import { determineOutcome } from './outcome.ts'
import { readPayout } from './record.ts'
import { nextQueryAt, freshForMs } from './schedule.ts'
import { trackedOf } from './tracked.ts'
import { ask, EVENT_PREFIX, send } from './variants.ts'

export function createPayoutKind(client: GatewayClient): Kind {
  return {
    isUnsent: (transaction) => readPayout(transaction).record.phase === 'intended',

    async send(transaction) {
      const answer = await send(client, readPayout(transaction).record.submission)
      return observe({ kind: 'acknowledged', answer })
    },

    async ask(transaction) {
      const reported = await ask(client, readPayout(transaction).record.submission)
      return observe(reported ? { kind: 'status', reported } : { kind: 'unknown' })
    },

    isToBeSentAgain: (transaction, now) => isToBeSentAgain(readPayout(transaction), now),
    freshForMs: (transaction, now) => freshForMs(readPayout(transaction), now),
  }
}

const observe = bindTransition<Payout, Observation, PayoutEvent>({
  read: readPayout,
  transition(payout, observation, askedAt) {
    const { record, event, historyEntry } = transition(payout, observation, askedAt)
    return { record, events: event ? [event] : [], historyEntry }
  },
  outcomeOf: ({ record }) => determineOutcome(record).outcome,
  nextQueryAt,
  describeEvent: (event, payout) => ({
    type: `${EVENT_PREFIX[payout.record.submission.variant]}.${event}`,
    data: trackedOf(payout),
  }),
})
