/** Charge as a kind of transaction. */

import type { GatewayClient } from '../gateway/client.ts'
import type { Decision } from '../payments/fulfilment.ts'
import type { Kind, Observed } from '../transactions/kind.ts'
import type { ChargeEvent, Observation } from './advance.ts'
import type { Charge } from './record.ts'
import { GatewayRefusal } from '../gateway/errors.ts'
import { confirm, toConfirm } from '../payments/fulfilment.ts'
import { createObserved } from '../transactions/kind.ts'
import { advance, isNeverSent, isToBeSent } from './advance.ts'
import { judge } from './outcome.ts'
import { readCharge } from './record.ts'
import { askAt, freshForMs } from './schedule.ts'
import { trackedOf } from './tracked.ts'

export function createChargeKind(client: GatewayClient): Kind {
  return {
    isUnsent: (transaction) => isNeverSent(readCharge(transaction)),
    send: async (transaction) => observed(await post(readCharge(transaction))),
    ask: async (transaction) => observed(await ask(readCharge(transaction))),
    isToBeSentAgain: (transaction, now) => isToBeSent(readCharge(transaction), now),
    freshForMs: (transaction, now) => freshForMs(readCharge(transaction), now),
    secondHalf: {
      of(transaction) {
        const { record } = readCharge(transaction)
        return record.phase === 'posted' ? record.fulfilment : { stage: 'open' }
      },
      decide: (said) => observed({ kind: 'fulfilment', news: { kind: 'decided', said } }),
      confirm(transaction) {
        const { record } = readCharge(transaction)
        const decision = record.phase === 'posted' ? toConfirm(record.fulfilment) : null
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

  async function say(decision: Decision): Promise<Observed> {
    return observed({ kind: 'fulfilment', news: await confirm(client, decision) })
  }

  async function ask({ reference }: Charge): Promise<Observation> {
    const payload = await client.getChargeStatus(reference)
    return payload ? { kind: 'status', payload } : { kind: 'unknown' }
  }
}

const observed = createObserved<Charge, Observation, ChargeEvent>({
  read: readCharge,
  advance(charge, observation, askedAt) {
    const { record, event, what } = advance(charge, observation, askedAt)
    return { record, events: event ? [event] : [], what }
  },
  outcomeOf: (charge) => judge(charge).outcome,
  askAt,
  tell: (event, charge) => ({ type: `charge.${event}`, data: trackedOf(charge) }),
})
