/** A checkout session: what was asked, what was tried, and what the two amount to. Pure, but for `change`. */

import { compare, sum } from '../../server/contract/decimal.ts'
import { CHECKOUT_STATUS } from '../../server/contract/status.ts'
import { shortfall, withFraction, withoutZeros } from './money.ts'
import { MERCHANT } from './merchant.ts'
import { eventOf, paymentStatusOf, receiptOf, resultOf } from './payment.ts'
import type { InitiateRequest } from '../../server/contract/checkout.ts'
import type { Decimal } from '../../server/contract/decimal.ts'
import type { CheckoutStatus } from '../../server/contract/status.ts'
import type { Service } from './merchant.ts'
import type { Payment, PaymentState } from './payment.ts'

export interface CheckoutSession {
  readonly request: InitiateRequest
  /** `checkout_reference` on the wire. */
  readonly reference: string
  readonly service: Service
  /** The hosted page of this session. */
  readonly pageUrl: string
  /** Moments are milliseconds since the Unix epoch. */
  readonly expiresAt: number
  readonly payments: Payment[]
  changedAt: number
}

/** The only place where a payment moves on. */
export function change(session: CheckoutSession, payment: Payment, state: PaymentState, now: number): void {
  payment.state = state
  payment.changedAt = now
  session.changedAt = now
}

/** Money that was received and has not left again. */
export function receivedBy(session: CheckoutSession): Decimal {
  const paid = session.payments.filter(({ state }) => state.kind === 'paid')
  return sum(paid.map(({ amount }) => amount))
}

export function remainingOf(session: CheckoutSession): Decimal {
  return shortfall(String(session.request.amount), receivedBy(session))
}

/** The attempt whose end is still open, if there is one. */
export function openPaymentOf(session: CheckoutSession): Payment | undefined {
  return session.payments.find(({ state }) => ['prompted', 'processing', 'jammed'].includes(state.kind))
}

/**
 * [spec: Checkout overall status]
 *
 * [assumed] The spec lists the codes and shows no order among them. Enough money decides first; then what
 * needs a person (850) or time (851: approved, not yet settled); then what was received, or was and left
 * again. An unanswered prompt is 803, as seen in the field. A session that expires with attempts but
 * without money stays 803; 820 means that nobody tried.
 */
export function statusOf(session: CheckoutSession, now: number): CheckoutStatus {
  const received = receivedBy(session)
  const isAny = (kind: PaymentState['kind']) => session.payments.some(({ state }) => state.kind === kind)
  if (compare(received, String(session.request.amount)) >= 0) return CHECKOUT_STATUS.paid
  if (isAny('jammed')) return CHECKOUT_STATUS.jammed
  if (isAny('processing')) return CHECKOUT_STATUS.pending
  if (compare(received, '0') > 0) return CHECKOUT_STATUS.partial
  if (isAny('reversed')) return CHECKOUT_STATUS.reversed
  if (isAny('refunded')) return CHECKOUT_STATUS.refunded
  if (session.payments.length === 0 && now >= session.expiresAt) return CHECKOUT_STATUS.expired
  return CHECKOUT_STATUS.unpaid
}

/** Why the customer cannot begin another payment now; `null` when they can. */
export function whyNotPayable(session: CheckoutSession, now: number): string | null {
  switch (statusOf(session, now)) {
    case CHECKOUT_STATUS.paid:
      return 'The checkout is paid in full.'
    case CHECKOUT_STATUS.reversed:
    case CHECKOUT_STATUS.refunded:
      return 'The checkout has ended: its money was given back.'
    case CHECKOUT_STATUS.jammed:
      return 'A payment is stuck at the operator.'
    case CHECKOUT_STATUS.pending:
      return 'A payment is being processed.'
    case CHECKOUT_STATUS.expired:
    case CHECKOUT_STATUS.unpaid:
    case CHECKOUT_STATUS.partial:
      if (openPaymentOf(session)) return 'A prompt is open on the phone of the customer.'
      return now >= session.expiresAt ? 'The checkout session has expired.' : null
  }
}

/** The callback's body and the answer to the status query. [spec: Checkout callback and status payload] */
export function payloadOf(session: CheckoutSession, now: number) {
  const status = statusOf(session, now)
  const changedAt = status === CHECKOUT_STATUS.expired ? session.expiresAt : session.changedAt
  return {
    amount: withoutZeros(receivedBy(session)),
    checkout_reference: session.reference,
    currency: session.service.currency,
    merchant_transaction_id: session.request.merchant_transaction_id,
    narration: session.request.narration,
    payments: session.payments.map((payment) => recordOf(session, payment)),
    status,
    // [assumed] When the checkout last changed, so that an unchanged checkout gives the same bytes.
    timestamp: new Date(changedAt).toISOString(),
  }
}
export type Payload = ReturnType<typeof payloadOf>

/** [spec: Checkout callback and status payload, Payment record] */
function recordOf({ request, service }: CheckoutSession, payment: Payment) {
  const receipt = receiptOf(payment)
  return {
    event: eventOf(payment),
    amount: withFraction(payment.amount),
    extra_data: {},
    client_code: MERCHANT.clientCode,
    country_code: service.country,
    payer_msisdn: payment.msisdn,
    payment_date: new Date(payment.changedAt).toISOString(),
    service_code: service.code,
    currency_code: service.currency,
    account_number: request.account_number,
    payment_status: paymentStatusOf(payment),
    transaction_id: payment.transactionId,
    payer_narration: resultOf(payment),
    charge_request_id: payment.chargeRequestId,
    external_reference: request.merchant_transaction_id,
    // [assumed] Null and "N/A" where there is nothing to say yet, as seen in the field.
    receiver_narration: receipt === null ? null : request.narration,
    payment_method_code: payment.methodCode,
    payer_transaction_id: receipt ?? 'N/A',
    payment_account_reference: payment.msisdn,
  }
}
