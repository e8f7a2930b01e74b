/** Charge as a kind of transaction. */

import type { GatewayClient } from '../gateway/client.ts'
import type { Decision } from '../transactions/service-confirmation.ts'
import type { Kind } from '../transactions/kind.ts'
import type { BoundTransition } from '../transactions/transition.ts'
import type { ChargeEvent, Observation } from './transition.ts'
import type { Charge } from './record.ts'
import { GatewayRefusal } from '../gateway/errors.ts'
import { sendDecision, pendingDecision } from '../payins/service-confirmation.ts'
import { bindTransition } from '../transactions/transition.ts'
import { transition, isNeverSent, isToBeSent } from './transition.ts'
import { determineOutcome } from './outcome.ts'
import { readCharge } from './record.ts'
import { nextQueryAt, freshForMs } from './schedule.ts'
import { trackedOf } from './tracked.ts'

export function createChargeKind(client: GatewayClient): Kind {
  return {
    isUnsent: (transaction) => isNeverSent(readCharge(transaction)),
    send: async (transaction) => observe(await post(readCharge(transaction))),
    ask: async (transaction) => observe(await ask(readCharge(transaction))),
    isToBeSentAgain: (transaction, now) => isToBeSent(readCharge(transaction), now),
    freshForMs: (transaction, now) => freshForMs(readCharge(transaction), now),
    serviceConfirmations: {
      of(transaction) {
        const { record } = readCharge(transaction)
        return record.phase === 'posted' ? record.fulfilment : { stage: 'open' }
      },
      decide: (said) => observe({ kind: 'fulfilment', news: { kind: 'decided', said } }),
      confirm(transaction) {
        const { record } = readCharge(transaction)
        const decision = record.phase === 'posted' ? pendingDecision(record.fulfilment) : null
        return decision && say(decision)
      },
    },
  }

  async function post({ record }: Charge): Promise<Observation> {
    try {
      return { kind: 'posted', answer: await client.postCharge(record.request) }
    } catch (error) {
      if (!(error instanceof GatewayRefusal)) throw error
      return { kind: 'refused', why: error.message, refusal: error.refusal }
    }
  }

  async function say(decision: Decision): Promise<BoundTransition> {
    return observe({ kind: 'fulfilment', news: await sendDecision(client, decision) })
  }

  async function ask({ reference }: Charge): Promise<Observation> {
    const payload = await client.getChargeStatus(reference)
    return payload ? { kind: 'status', payload } : { kind: 'unknown' }
  }
}

const observe = bindTransition<Charge, Observation, ChargeEvent>({
  read: readCharge,
  transition(charge, observation, askedAt) {
    const { record, event, historyEntry } = transition(charge, observation, askedAt)
    return { record, events: event ? [event] : [], historyEntry }
  },
  outcomeOf: (charge) => determineOutcome(charge).outcome,
  nextQueryAt,
  describeEvent: (event, charge) => ({ type: `charge.${event}`, data: trackedOf(charge) }),
})
