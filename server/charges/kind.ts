/**
 * Charges as a transaction kind: sent at most once, because the gateway does not refuse a second charge, and, once paid,
 * waiting for the merchant's decision about the service.
 */

import { currencyOf } from '../config/gateway.ts'
import { canonical } from '../contract/decimal.ts'
import { dated } from '../gateway/gateway-clock.ts'
import { isTotalOf } from '../money/charge-total.ts'
import { erasePayer } from '../payins/erase-payer.ts'
import { awaitsService, confirmationOfHeld } from '../payins/fulfilment.ts'
import { sendDecision } from '../payins/merchant-decision.ts'
import { movementsOfPayIn } from '../payins/movements.ts'
import { payInProgress } from '../payins/progress.ts'
import { paidIn } from '../payins/reported-money.ts'
import { observeSendError } from '../payins/send-error.ts'
import { decisionOf } from '../payins/service-confirmation.ts'
import { identifyPayers, queryCharge } from '../payins/status-query.ts'
import { CANNOT_OPEN } from '../privacy/personal.ts'
import { UNDECIDED } from '../transactions/kind.ts'
import { submissionProgress } from '../transactions/submission.ts'
import { determineOutcome, expiryOf, readCharge, totalAskedOf } from './record.ts'
import { announceCharge, transition } from './transition.ts'
import { chargeOf } from './view.ts'

import type { ServiceCodes } from '../config/gateway.ts'
import type { ChargeStatus } from '../contract/charge.ts'
import type { Kind } from '../transactions/kind.ts'
import type { Charge, KeptRequest } from './record.ts'
import type { ChargeEvent, Observation } from './transition.ts'

export const chargeKind: Kind<Charge, Observation, ChargeEvent> = {
  read: readCharge,
  transition,
  announce: announceCharge,
  outcomeOf: (charge) => determineOutcome(charge).outcome,
  progressOf({ record, ...row }) {
    if (record.resolution && record.phase !== 'open') {
      return { stage: 'settled', at: record.resolution.at }
    }

    switch (record.phase) {
      case 'intended':
        return submissionProgress(record, row)
      case 'refused':
      case 'abandoned':
        // The gateway may have the charge all the same: its status is queried as that of a settled one.
        return row.sent_at === null ? { stage: 'ended' } : { stage: 'settled', at: row.sent_at }
      case 'open':
        return payInProgress(record, row, expiryOf(record))
    }
  },
  requestOf: ({ request, given_digest }) => ({
    amount: `${request.amount} ${request.currency_code}`,
    fingerprint: given_digest,
  }),
  describeEvent: (event, charge) => ({
    type: `charge.${event}`,
    // Events are kept for long. The page of a card payment may contain details of the card or its owner.
    data: { ...chargeOf(charge), auth_url: null, html: null },
  }),
  movementsOf({ created_at, record }) {
    const reported = record.phase === 'open' ? record.reported : null
    return movementsOfPayIn({ created_at, ...record, reported, service_code: record.request.service_code })
  },
  factsOf({ reference, record }) {
    const { narration, request } = record
    const reported = record.phase === 'open' ? record.reported : null
    const asked = canonical(totalAskedOf(record))
    const currency = request.currency_code
    return { reference, narration, asked, currency, ...paidIn(reported, currency) }
  },
  familyOf: () => 'charge',
  sendRule: () => 'once',

  async send({ record, trace_id: traceId, sent_at: sentAt }, { client }) {
    if (record.phase !== 'intended') {
      return { kind: 'unknown', at: null }
    }

    const { request } = record.call
    if (!request) {
      return { kind: 'refused', why: CANNOT_OPEN, refusal: null }
    }

    try {
      const posted = await dated((options) => client.postCharge(request, { ...options, traceId, sentAt }))
      return { kind: 'acknowledged', ...posted }
    } catch (error) {
      return observeSendError(error, request)
    }
  },

  async queryStatus(charge, { client, config, fingerprints }) {
    const { record, reference, trace_id } = charge
    const open = record.phase === 'open' ? record : null
    const answer = await queryCharge(client, {
      reference,
      trace_id,
      charge_request_id: open?.answer?.charge_request_id ?? open?.found_id ?? null,
      named_id: record.named_id,
      isTotal: (amount) => isTotalOf(record.request, amount),
    })
    const status = identifyPayers(answer, fingerprints)
    if (status.kind !== 'status') {
      return status
    }

    const { serviceCodes } = config.gateway
    return { ...status, payload: withCurrency(status.payload, charge.record.request, serviceCodes) }
  },

  isAwaited: ({ record }) => record.phase === 'open' && awaitsService(record),

  erase: ({ record }, concerns) => erasePayer({ record: { ...record, narration: null } }, concerns),

  confirmationOf: ({ record }) => (record.phase === 'open' ? record.confirmation : UNDECIDED),
  confirmationOfHeld: ({ record }) => (record.phase === 'open' ? confirmationOfHeld(record) : null),
  decisionOf: ({ record }) => (record.phase === 'open' ? decisionOf(record) : null),
  sendDecision,
}

/**
 * Adds the currency of the charge's service to a report that names no currency. [assumed] The gateway reports amounts
 * in this currency. The currency stays `null` if the currency of the service is unknown.
 */
function withCurrency(payload: ChargeStatus, request: KeptRequest, serviceCodes: ServiceCodes): ChargeStatus {
  const named = payload.payments.find((payment) => payment?.service_code)
  const code = named?.service_code ?? request.service_code
  return { ...payload, currency: payload.currency ?? currencyOf(serviceCodes, code) ?? null }
}
