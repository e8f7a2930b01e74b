/** Payout as a kind of transaction. */

import type { GatewayClient } from '../gateway/client.ts'
import type { Kind, Observed } from '../transactions/kind.ts'
import type { Observation } from './advance.ts'
import type { Payout } from './record.ts'
import {
  askAfterSettlement,
  askWhileOpen,
  askWhileUnsent,
  FRESH_SETTLED_MS,
  freshWhileOpenMs,
} from '../transactions/schedule.ts'
import { advance, isToBeSentAgain } from './advance.ts'
import { judge } from './outcome.ts'
import { readPayout } from './record.ts'
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

    freshForMs(transaction, now) {
      const { record, created_at } = readPayout(transaction)
      return judge(record).settled ? FRESH_SETTLED_MS : freshWhileOpenMs(created_at, now)
    },
  }
}

function observed(observation: Observation): Observed {
  return (transaction, { askedAt, now }) => {
    const payout = readPayout(transaction)
    const { record, event, what } = advance(payout, observation, askedAt)
    const isNew = what !== null && record !== payout.record
    const next = isNew ? { ...payout, record, version: payout.version + 1, updated_at: now } : payout
    const type = `${EVENT_PREFIX[record.submission.variant]}.${event}`
    const timestamp = new Date(now).toISOString()
    return {
      ...(isNew && { record, outcome: judge(record).outcome }),
      due_at: askAt(next, now),
      what,
      events: event ? [{ type, body: JSON.stringify({ type, timestamp, data: trackedOf(next) }) }] : [],
    }
  }
}

/** When to ask next after an answer. */
export function askAt(
  { record, created_at }: Pick<Payout, 'record' | 'created_at'>,
  now: number,
): number | null {
  switch (record.phase) {
    case 'intended':
      return record.stuck === null ? askWhileUnsent(now) : askWhileOpen(created_at, now)
    case 'rejected':
      return record.was_resent ? askAfterSettlement(record.rejected_at, now) : null
    case 'accepted':
      return record.settled_at === null
        ? askWhileOpen(created_at, now)
        : askAfterSettlement(record.settled_at, now)
  }
}
