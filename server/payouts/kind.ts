/** Payout as a kind of transaction. */

import type { GatewayClient } from '../gateway/client.ts'
import type { Kind } from '../transactions/kind.ts'
import type { Observation, PayoutEvent } from './advance.ts'
import type { Payout } from './record.ts'
import { createObserved } from '../transactions/kind.ts'
import { advance, isToBeSentAgain } from './advance.ts'
import { judge } from './outcome.ts'
import { readPayout } from './record.ts'
import { askAt, freshForMs } from './schedule.ts'
import { trackedOf } from './tracked.ts'
import { ask, EVENT_PREFIX, send } from './variants.ts'

export function createPayoutKind(client: GatewayClient): Kind {
  return {
    isUnsent: (transaction) => readPayout(transaction).record.phase === 'intended',

    async send(transaction) {
      const answer = await send(client, readPayout(transaction).record.submission)
      return observed({ kind: 'acknowledged', answer })
    },

    async ask(transaction) {
      const seen = await ask(client, readPayout(transaction).record.submission)
      return observed(seen ? { kind: 'status', seen } : { kind: 'unknown' })
    },

    isToBeSentAgain: (transaction, now) => isToBeSentAgain(readPayout(transaction), now),
    freshForMs: (transaction, now) => freshForMs(readPayout(transaction), now),
  }
}

const observed = createObserved<Payout, Observation, PayoutEvent>({
  read: readPayout,
  advance(payout, observation, askedAt) {
    const { record, event, what } = advance(payout, observation, askedAt)
    return { record, events: event ? [event] : [], what }
  },
  outcomeOf: ({ record }) => judge(record).outcome,
  askAt,
  tell: (event, payout) => ({
    type: `${EVENT_PREFIX[payout.record.submission.variant]}.${event}`,
    data: trackedOf(payout),
  }),
})
