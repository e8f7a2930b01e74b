/**
 * Checkouts as a transaction kind: sent as a standard checkout, as a charge with a hosted page, or as a prompt on the payer's
 * phone, by the order and the shopper's choice.
 */

import { canonical, compare } from '../contract/decimal.ts'
import { GatewayError } from '../gateway/errors.ts'
import { dated } from '../gateway/gateway-clock.ts'
import { erasePayer } from '../payins/erase-payer.ts'
import { awaitsService, confirmationOfHeld } from '../payins/fulfilment.ts'
import { sendDecision } from '../payins/merchant-decision.ts'
import { movementsOfPayIn } from '../payins/movements.ts'
import { payInProgress } from '../payins/progress.ts'
import { paidIn } from '../payins/reported-money.ts'
import { observeSendError } from '../payins/send-error.ts'
import { decisionOf } from '../payins/service-confirmation.ts'
import { identifyPayers, observeStatus, queryCharge } from '../payins/status-query.ts'
import { CANNOT_OPEN } from '../privacy/personal.ts'
import { needsPerson } from '../transactions/resolution.ts'
import { freshForMs } from '../transactions/schedule.ts'
import { submissionProgress } from '../transactions/submission.ts'
import { findAddressError } from './page-address.ts'
import { determineOutcome, isCharge, readCheckout } from './record.ts'
import { announce, attentionOf, sendRuleOf, transition } from './transition.ts'
import { trackedCheckoutOf } from './view.ts'

import type { GatewayClient } from '../gateway/client.ts'
import type { CallOptions } from '../gateway/transport.ts'
import type { StatusAnswer } from '../payins/status-answer.ts'
import type { GatewayDeps, Kind } from '../transactions/kind.ts'
import type { Call, Checkout, Opened } from './record.ts'
import type { CheckoutEvent, Observation } from './transition.ts'

export const checkoutKind: Kind<Checkout, Observation, CheckoutEvent> = {
  read: readCheckout,
  transition,
  announce,
  // The API lists a checkout that needs a person as `needs_attention`, as of other kinds. Its page may show another outcome.
  outcomeOf(checkout) {
    const { outcome } = determineOutcome(checkout)
    return attentionOf(checkout) === null || needsPerson(outcome) ? outcome : 'needs_attention'
  },
  progressOf({ record, ...row }) {
    if (record.resolution && record.phase !== 'open') {
      return { stage: 'settled', at: record.resolution.at }
    }

    switch (record.phase) {
      case 'refused':
        // The gateway may have prompted the payer all the same, and then a person has to return the money.
        return record.prompt && row.sent_at !== null
          ? { stage: 'settled', at: row.sent_at }
          : { stage: 'ended' }
      case 'abandoned':
        return { stage: 'ended' }
      case 'intended':
        return submissionProgress(record, row)
      case 'open':
        return payInProgress(record, row, record.session.expires_at)
    }
  },
  requestOf: ({ requested }) => ({
    amount: `${requested.amount} ${requested.currency}`,
    fingerprint: requested.order,
  }),
  describeEvent: (event, checkout, now) => ({
    type: `checkout.${event}`,
    data: trackedCheckoutOf(checkout, now),
  }),
  movementsOf({ created_at, record }) {
    const reported = record.phase === 'open' ? record.reported : null
    return movementsOfPayIn({ created_at, ...record, reported, service_code: record.requested.service_code })
  },
  factsOf({ record }) {
    const { order: reference, amount, currency, narration } = record.requested
    const reported = record.phase === 'open' ? record.reported : null
    return { reference, narration, asked: canonical(amount), currency, ...paidIn(reported, currency) }
  },
  familyOf: ({ record }) => (isCharge(record) ? 'charge' : 'checkout'),

  sendRule: ({ record }) => (record.phase === 'intended' ? sendRuleOf(record.call) : 'once'),

  send: sendCall,
  queryStatus: async (checkout, { client, fingerprints }) =>
    identifyPayers(await queryStatus(client, checkout), fingerprints),

  isAwaited(checkout) {
    const { record } = checkout
    return attentionOf(checkout) !== null || (record.phase === 'open' && awaitsService(record))
  },

  erase({ record }, concerns) {
    const narration = null
    return erasePayer({ record: { ...record, requested: { ...record.requested, narration } } }, concerns)
  },

  confirmationOf: ({ record }) => (record.phase === 'open' ? record.confirmation : null),
  confirmationOfHeld: ({ record }) => (record.phase === 'open' ? confirmationOfHeld(record) : null),
  decisionOf: ({ record }) => (record.phase === 'open' ? decisionOf(record) : null),
  sendDecision,
}

/** Queries the status of a checkout, stored or not. Resolves with the observation of the response. */
export async function queryStatus(
  client: GatewayClient,
  checkout: Pick<Checkout, 'record' | 'reference' | 'trace_id'>,
): Promise<StatusAnswer> {
  const { record, reference, trace_id: traceId } = checkout
  if (!isCharge(record)) {
    return observeStatus((options) => client.getCheckoutStatus(reference, { ...options, traceId }))
  }

  return queryCharge(client, {
    reference,
    trace_id: traceId,
    charge_request_id: record.phase === 'open' ? (record.session.charge_request_id ?? record.found_id) : null,
    named_id: record.named_id,
    isTotal: (amount) => compare(amount, record.requested.amount) === 0,
  })
}

/** Sends the stored call to the gateway. Resolves with the observation of the response. */
async function sendCall(
  { record, trace_id: traceId, sent_at: sentAt }: Checkout,
  { client, config }: GatewayDeps,
): Promise<Observation> {
  if (record.phase !== 'intended') {
    return { kind: 'unknown', at: null }
  }

  const { call, requested } = record
  if (call.request === null) {
    return { kind: 'refused', why: CANNOT_OPEN, refusal: null }
  }

  try {
    const { answer, at } = await dated((options) =>
      openSession(client, call, requested.currency, { ...options, traceId, sentAt }),
    )
    if (answer.redirect_url === null) {
      return { kind: 'acknowledged', answer, at }
    }

    const why = findAddressError(answer.redirect_url, config.gateway)
    if (why !== null) {
      return { kind: 'refused', why, refusal: null }
    }

    // In `href`, characters that a `Location` header must not contain are percent-encoded.
    const redirect_url = new URL(answer.redirect_url).href
    return { kind: 'acknowledged', answer: { ...answer, redirect_url }, at }
  } catch (error) {
    const isContradiction = error instanceof GatewayError && error.code === 'gateway_contradiction'
    // The payer of a prompt may have been charged: the status queries show the result.
    if (!isContradiction || call.variant === 'prompt') {
      return observeSendError(error, call.request)
    }
    return { kind: 'refused', why: error.message, refusal: null }
  }
}

/**
 * Sends the request to the gateway and resolves with the session. Rejects with a {@link GatewayError} if the gateway
 * creates no session.
 */
async function openSession(
  client: GatewayClient,
  { variant, request }: Call,
  currency: string,
  options: CallOptions,
): Promise<Opened> {
  if (variant === 'standard') {
    const opened = await client.initiateCheckout(request, { ...options, currency })
    const { checkout_reference, redirect_url, expires_at } = opened
    return { checkout_reference, charge_request_id: null, redirect_url, expires_at }
  }

  const { charge_request_id, redirect_url, expires_at } = await client.postCharge(request, options)
  const opened = { checkout_reference: null, charge_request_id, expires_at }
  if (variant === 'prompt') {
    return { ...opened, redirect_url: null }
  }
  if (redirect_url) {
    return { ...opened, redirect_url }
  }

  const message = "The gateway's answer to a charge without a payment method names no page to pay on."
  throw new GatewayError('gateway_contradiction', message)
}

/**
 * Returns how long a page waits before it polls the checkout again, in milliseconds. During this time, a poll returns
 * the stored state and does not query the gateway.
 */
export function pollPauseMs(checkout: Checkout, now: number): number {
  return freshForMs(checkoutKind.progressOf(checkout), checkout, now)
}
