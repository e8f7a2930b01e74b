/**
 * Implements the transaction kind `charge`: sends charges to the gateway, queries their status, sends service
 * confirmations and computes when the next status query is due.
 */

import type { ServiceCodes } from '../config.ts'
import type { ChargeStatus } from '../contract/charge-status.ts'
import type { GatewayClient } from '../gateway/client.ts'
import type { Transaction } from '../store.ts'
import type { Kind } from '../transactions/kind.ts'
import type { Progress } from '../transactions/schedule.ts'
import type { ServiceConfirmation } from '../transactions/service-confirmation.ts'
import type { Rules, TrackedEvent } from '../transactions/transition.ts'
import type { Sealer } from '../payins/sealer.ts'
import type { Charge, KeptRequest } from './record.ts'
import type { Observation } from './transition.ts'
import { currencyOf } from '../config/gateway.ts'
import { ChargeRequest } from '../contract/charge.ts'
import { GatewayRefusal } from '../gateway/errors.ts'
import { redactRefusal } from '../payins/payer.ts'
import { CANNOT_OPEN } from '../payins/sealer.ts'
import { createServiceConfirmations, payInProgress } from '../payins/service-confirmation.ts'
import { createKind } from '../transactions/kind.ts'
import { submissionProgress } from '../transactions/submission.ts'
import { bindTransition } from '../transactions/transition.ts'
import { determineOutcome } from './outcome.ts'
import { gatewayIdOf, readCharge, requestOf } from './record.ts'
import { trackedOf } from './tracked.ts'
import { transition } from './transition.ts'

export function createChargeKind(client: GatewayClient, sealer: Sealer, serviceCodes: ServiceCodes): Kind {
  return {
    ...createKind(rules, { send, queryStatus }),
    serviceConfirmations: createServiceConfirmations(client, confirmationOf, observeCharge),
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

  async function queryStatus(charge: Charge): Promise<Observation> {
    const { record, reference, trace_id: traceId } = charge
    const chargeRequestId = gatewayIdOf(record)
    if (client.chargeStatusKey === 'charge_request_id' && chargeRequestId === null) return { kind: 'unfound' }
    const payload = await client.getChargeStatus(reference, { traceId, chargeRequestId })
    return payload ? { kind: 'status', payload: withCurrency(payload, record.request) } : { kind: 'unknown' }
  }

  /**
   * Adds the currency of the charge's service to a report that names no currency. [assumed] The gateway reports amounts
   * in this currency. The currency stays `null` if the currency of the service is unknown.
   */
  function withCurrency(payload: ChargeStatus, request: KeptRequest): ChargeStatus {
    const named = payload.payments.find(({ service_code }) => service_code !== null)
    const code = named?.service_code ?? request.service_code
    return { ...payload, currency: payload.currency ?? currencyOf(serviceCodes, code) ?? null }
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
  describeEvent: (event, charge) => ({
    type: `charge.${event}`,
    // Events are kept for long. The page of a card payment may contain details of the card or its owner.
    data: { ...trackedOf(charge), auth_url: null, html: null },
  }),
}

export const observeCharge = bindTransition(rules)

function progressOf({ record, ...row }: Charge): Progress {
  switch (record.phase) {
    case 'intended':
      return submissionProgress(record, row)
    case 'refused':
      // The gateway may have the charge all the same, and then the payer must not be charged again.
      return row.sent_at === null ? { stage: 'ended' } : { stage: 'settled', at: row.sent_at }
    case 'posted':
      return payInProgress(record, row)
  }
}
