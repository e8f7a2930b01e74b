/**
 * Implements the transaction kind `charge`: sends charges to the gateway, queries their status, sends service
 * confirmations, computes when the next status query is due, and converts charges to responses and event data.
 */

import type { ServiceCodes } from '../config/config.ts'
import type { ChargeStatus } from '../contract/charge.ts'
import type { Kind } from '../transactions/kind.ts'
import type { TrackedEvent } from '../transactions/transition.ts'
import type { Charge, KeptRequest } from './record.ts'
import type { Observation } from './transition.ts'
import type { TrackedCharge } from '../api/charge.ts'
import { currencyOf } from '../config/gateway.ts'
import { splitSettlementsIn } from '../contract/charge.ts'
import { canonical } from '../contract/decimal.ts'
import { failureReasonOf } from '../contract/failure-reason.ts'
import { GatewayRefusal } from '../gateway/errors.ts'
import { erasePayer, queryCharge, redactRefusal } from '../payins/requests.ts'
import { CANNOT_OPEN } from '../privacy/personal.ts'
import { payInProgress, sendDecision, trackedFulfilmentOf } from '../payins/service-confirmation.ts'
import { moneyOf } from '../payins/reported-state.ts'
import { submissionProgress } from '../transactions/submission.ts'
import { announce } from '../transactions/transition.ts'
import { determineOutcome, readCharge } from './record.ts'
import { postedOf, transition } from './transition.ts'
import { totalOf } from '../money/splits.ts'
import { commonFieldsOf, iso } from '../transactions/record.ts'

export const chargeKind: Kind<Charge, Observation, TrackedEvent> = {
  read: readCharge,
  transition,
  announce: (before, after) => announce(after.record, determineOutcome(before), determineOutcome(after)),
  outcomeOf: (charge) => determineOutcome(charge).outcome,
  progressOf({ record, ...row }) {
    switch (record.phase) {
      case 'intended':
        return submissionProgress(record, row)
      case 'refused':
        // The gateway may have the charge all the same, and then the payer must not be charged again.
        return row.sent_at === null ? { stage: 'ended' } : { stage: 'settled', at: row.sent_at }
      case 'posted':
        return payInProgress(record, row)
    }
  },
  requestOf: ({ request, given_digest }) => ({
    amount: `${request.amount} ${request.currency_code}`,
    fingerprint: given_digest,
  }),
  describeEvent: (event, charge) => ({
    type: `charge.${event}`,
    // Events are kept for long. The page of a card payment may contain details of the card or its owner.
    data: { ...trackedOf(charge), auth_url: null, html: null },
  }),
  familyOf: () => 'charge',

  async send({ record, trace_id: traceId, sent_at: sentAt }, { client }) {
    if (record.phase !== 'intended') return { kind: 'unknown' }
    const { request } = record.call
    if (!request) return { kind: 'refused', why: CANNOT_OPEN, refusal: null }
    try {
      return { kind: 'posted', answer: await client.postCharge(request, { traceId, sentAt }) }
    } catch (error) {
      if (!(error instanceof GatewayRefusal)) throw error
      return { kind: 'refused', ...redactRefusal(error, request) }
    }
  },

  async queryStatus(charge, { client, config }) {
    const payload = await queryCharge(
      client,
      charge,
      postedOf(charge.record).answer?.charge_request_id ?? null,
    )
    if (typeof payload === 'string') return { kind: payload }
    return {
      kind: 'status',
      payload: withCurrency(payload, charge.record.request, config.gateway.serviceCodes),
    }
  },

  erase: erasePayer,

  confirmation: {
    of: ({ record }) => (record.phase === 'posted' ? record.confirmation : { stage: 'open' }),
    send: sendDecision,
  },
}

/**
 * Adds the currency of the charge's service to a report that names no currency. [assumed] The gateway reports amounts in
 * this currency. The currency stays `null` if the currency of the service is unknown.
 */
function withCurrency(payload: ChargeStatus, request: KeptRequest, serviceCodes: ServiceCodes): ChargeStatus {
  const named = payload.payments.find((payment) => payment?.service_code)
  const code = named?.service_code ?? request.service_code
  return { ...payload, currency: payload.currency ?? currencyOf(serviceCodes, code) ?? null }
}

/** Returns a charge as `/api/charges` and the events `charge.*` contain it. */
export function trackedOf(charge: Charge): TrackedCharge {
  const { record, reference, version } = charge
  const { request } = record
  const splits = splitSettlementsIn(request.extra_data)
  const { answer, reported, confirmation } = postedOf(record)
  const standing = determineOutcome(charge)
  const pages = standing.settled ? null : answer
  const refusal = record.phase === 'refused' ? record.refusal : null
  const reason = refusal ? failureReasonOf(refusal) : (reported?.payments.at(-1)?.reason ?? 'unknown')
  return {
    external_reference: reference,
    charge_request_id: answer?.charge_request_id ?? null,
    ...standing,
    status: reported?.status ?? null,
    reason: standing.outcome === 'failed' ? reason : null,
    amount: canonical(answer?.total_amount ?? totalOf(request)),
    amount_paid: canonical(moneyOf(reported).received),
    currency: request.currency_code,
    split_settlements: splits.map((split) => ({ ...split, amount: String(split.amount) })),
    fulfilment: trackedFulfilmentOf(confirmation),
    refusal,
    redirect_url: pages?.redirect_url ?? null,
    auth_url: pages?.auth_url ?? null,
    html: pages?.html ?? null,
    expires_at: answer?.expires_at ? iso(answer.expires_at) : null,
    ...commonFieldsOf(charge),
    version,
  }
}
