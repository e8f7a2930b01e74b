/**
 * Implements the transaction kind `charge`: sends charges to the gateway, queries their status, sends service
 * confirmations and computes when the next status query is due.
 */

import type { GatewayClient } from '../gateway/client.ts'
import type { Transaction } from '../store.ts'
import type { Kind } from '../transactions/kind.ts'
import type { Progress } from '../transactions/schedule.ts'
import type { ServiceConfirmation } from '../transactions/service-confirmation.ts'
import type { Rules, TrackedEvent } from '../transactions/transition.ts'
import type { Sealer } from '../payins/sealer.ts'
import type { Charge } from './record.ts'
import type { Observation } from './transition.ts'
import { ChargeRequest } from '../contract/charge.ts'
import { GatewayRefusal } from '../gateway/errors.ts'
import { redactRefusal } from '../payins/payer.ts'
import { CANNOT_OPEN } from '../payins/sealer.ts'
import { createServiceConfirmations, payInProgress } from '../payins/service-confirmation.ts'
import { createKind } from '../transactions/kind.ts'
import { submissionProgress } from '../transactions/submission.ts'
import { bindTransition } from '../transactions/transition.ts'
import { determineOutcome } from './outcome.ts'
import { readCharge, requestOf } from './record.ts'
import { trackedOf } from './tracked.ts'
import { transition } from './transition.ts'

export function createChargeKind(client: GatewayClient, sealer: Sealer): Kind {
  return {
    ...createKind(rules, { send, queryStatus }),
    serviceConfirmations: createServiceConfirmations(client, confirmationOf, bindTransition(rules)),
  }

  async function send({ record, trace_id: traceId }: Charge): Promise<Observation> {
    if (record.phase !== 'intended') return { kind: 'unknown' }
    const { submission, request: complete } = record
    const { data: request } = ChargeRequest.safeParse(
      submission === null ? complete : sealer.open(submission),
    )
    if (!request) return { kind: 'refused', why: CANNOT_OPEN, refusal: null }
    try {
      return { kind: 'posted', answer: await client.postCharge(request, { traceId }) }
    } catch (error) {
      if (!(error instanceof GatewayRefusal)) throw error
      return { kind: 'refused', ...redactRefusal(error, request) }
    }
  }

  async function queryStatus({ reference, trace_id: traceId }: Charge): Promise<Observation> {
    const payload = await client.getChargeStatus(reference, { traceId })
    return payload ? { kind: 'status', payload } : { kind: 'unknown' }
  }
}

function confirmationOf(transaction: Transaction): ServiceConfirmation {
  const { record } = readCharge(transaction)
  return record.phase === 'posted' ? record.confirmation : { stage: 'open' }
}

const rules: Rules<Charge, Observation, TrackedEvent> = {
  read: readCharge,
  transition,
  outcomeOf: (charge) => determineOutcome(charge).outcome,
  progressOf,
  requestOf,
  describeEvent: (event, charge) => ({ type: `charge.${event}`, data: trackedOf(charge) }),
}

function progressOf({ record, ...row }: Charge): Progress {
  switch (record.phase) {
    case 'intended':
      return submissionProgress(record, row)
    case 'refused':
      return { stage: 'ended' }
    case 'posted':
      return payInProgress(record, row)
  }
}
