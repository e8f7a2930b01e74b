/** Implements the transaction kind `charge`. */

import type { GatewayClient } from '../gateway/client.ts'
import type { Kind } from '../transactions/kind.ts'
import type { Progress } from '../transactions/schedule.ts'
import type { Charge } from './record.ts'
import type { ChargeEvent, Observation } from './transition.ts'
import { GatewayRefusal } from '../gateway/errors.ts'
import { createServiceConfirmations, isConfirming, isRefundDue } from '../payins/service-confirmation.ts'
import { bindTransition } from '../transactions/transition.ts'
import { determineOutcome } from './outcome.ts'
import { readCharge } from './record.ts'
import { trackedOf } from './tracked.ts'
import { transition } from './transition.ts'

export function createChargeKind(client: GatewayClient): Kind {
  return {
    submissionOf(transaction) {
      const { record } = readCharge(transaction)
      return record.phase === 'intended' ? record : null
    },
    progressOf: (transaction) => progressOf(readCharge(transaction)),
    send: async (transaction) => observe(await post(readCharge(transaction))),

    async queryStatus({ reference }) {
      const payload = await client.getChargeStatus(reference)
      return observe(payload ? { kind: 'status', payload } : { kind: 'unknown' })
    },

    serviceConfirmations: createServiceConfirmations(
      client,
      (transaction) => {
        const { record } = readCharge(transaction)
        return record.phase === 'posted' ? record.confirmation : { stage: 'open' }
      },
      observe,
    ),
  }

  async function post({ record }: Charge): Promise<Observation> {
    try {
      return { kind: 'posted', answer: await client.postCharge(record.request) }
    } catch (error) {
      if (!(error instanceof GatewayRefusal)) throw error
      return { kind: 'refused', why: error.message, refusal: error.refusal }
    }
  }
}

const observe = bindTransition<Charge, Observation, ChargeEvent>({
  read: readCharge,
  transition,
  outcomeOf: (charge) => determineOutcome(charge).outcome,
  progressOf,
  describeEvent: (event, charge) => ({ type: `charge.${event}`, data: trackedOf(charge) }),
})

function progressOf({ record, created_at, updated_at }: Charge): Progress {
  switch (record.phase) {
    case 'intended':
      return record.stuck === null ? { stage: 'unacknowledged' } : { stage: 'open', since: created_at }
    case 'refused':
      return { stage: 'ended' }
    case 'posted': {
      const { settled_at, confirmation, reported } = record
      if (isConfirming(confirmation)) return { stage: 'confirming' }
      if (settled_at === null) return { stage: 'open', since: created_at }
      if (isRefundDue(confirmation, reported)) return { stage: 'open', since: updated_at }
      return { stage: 'settled', at: settled_at }
    }
  }
}
