/**
 * The session of a checkout or a charge: its terms, its payments, and the status that follows from them. All functions
 * are pure except `setPaymentState`.
 */

import { compare, sum } from '../../../server/contract/decimal.ts'
import { CHECKOUT_STATUS } from '../../../server/contract/status.ts'
import { shortfall, withFraction, withoutZeros } from '../money/amounts.ts'
import { MERCHANT } from '../merchant.ts'
import { eventOf, paymentStatusOf, receiptOf, descriptionOf } from './payment.ts'
import type { ChargeRequest, Confirmation, SplitSettlement } from '../../../server/contract/charge.ts'
import type { InitiateRequest } from '../../../server/contract/checkout.ts'
import type { Decimal } from '../../../server/contract/decimal.ts'
import type { CheckoutStatus } from '../../../server/contract/status.ts'
import type { Service } from '../merchant.ts'
import type { Payment, PaymentState } from './payment.ts'

/** The request of a session, by the endpoint that it was sent to. */
export type Instruction =
  | { kind: 'checkout'; request: InitiateRequest }
  | { kind: 'charge'; request: ChargeRequest }

/** The properties of a session that never change. */
export interface Terms {
  readonly instruction: Instruction
  /**
   * The `merchant_transaction_id` of a checkout or the `external_reference` of a charge. [assumed] No two sessions
   * have the same id, whatever their kind.
   */
  readonly id: string
  /** The amount that the customer is asked to pay. */
  readonly amount: Decimal
  /** The part of the amount that the gateway keeps. */
  readonly fee: Decimal
  readonly msisdn: string
  /** The code of the default payment method. */
  readonly methodCode: string
  readonly accountNumber: string
  readonly service: Service
  readonly narration: string
  /** The `extra_data` of each payment record. */
  readonly extraData: object
  /**
   * The requested shares of partners, which are paid out when the merchant confirms its service; empty without a
   * split.
   */
  readonly splits: readonly SplitSettlement[]
  /** The URL for callbacks; `null` if the portal's address is used. */
  readonly callbackUrl: string | null
  /** The URL to which the customer is redirected after the session; `null` for no redirect. */
  readonly redirectUrl: string | null
  /** The expiry of the session, in milliseconds since the Unix epoch. */
  readonly expiresAt: number
}

/**
 * The holder of the received money. The money of a checkout belongs to the merchant at once; the money of a charge is
 * held until the service confirmation. [spec: Split settlement flow]
 */
export type Custody = 'merchant' | 'held' | Confirmation['status']

export interface CheckoutSession extends Terms {
  /** The session's reference, `checkout_reference` on the wire. */
  readonly reference: string
  /** The URL of the session's hosted page. */
  readonly pageUrl: string
  /** The id of the charge request, `charge_request_id` on the wire. All payments of a session share it. */
  readonly chargeRequestId: string
  readonly payments: Payment[]
  custody: Custody
  changedAt: number
}

/** Changes the state of a payment. No other function changes it. */
export function setPaymentState(
  session: CheckoutSession,
  payment: Payment,
  state: PaymentState,
  now: number,
): void {
  payment.state = state
  payment.changedAt = now
  session.changedAt = now
}

/** Returns the money that was received and not given back. */
export function receivedBy(session: CheckoutSession): Decimal {
  const paid = session.payments.filter(({ state }) => state.kind === 'paid')
  return sum(paid.map(({ amount }) => amount))
}

export function remainingOf(session: CheckoutSession): Decimal {
  return shortfall(session.amount, receivedBy(session))
}

/** Returns the payment that has not ended; `undefined` if there is none. */
export function openPaymentOf(session: CheckoutSession): Payment | undefined {
  return session.payments.find(({ state }) => ['prompted', 'processing', 'jammed'].includes(state.kind))
}

/**
 * Returns the status code of a session. [spec: Checkout overall status]
 *
 * [assumed] The spec lists the codes without an order. Here the first that applies is the status: enough money (801),
 * a jammed payment (850), an approved payment that has not settled (851), some money (802), money given back (840,
 * 841). An unanswered prompt is 803, as seen in the field. A session that expires with attempts but without money
 * stays 803; 820 means that there was no attempt.
 */
export function statusOf(session: CheckoutSession, now: number): CheckoutStatus {
  const received = receivedBy(session)
  const isAny = (kind: PaymentState['kind']) => session.payments.some(({ state }) => state.kind === kind)
  if (compare(received, session.amount) >= 0) return CHECKOUT_STATUS.paid
  if (isAny('jammed')) return CHECKOUT_STATUS.jammed
  if (isAny('processing')) return CHECKOUT_STATUS.pending
  if (compare(received, '0') > 0) return CHECKOUT_STATUS.partial
  if (isAny('reversed')) return CHECKOUT_STATUS.reversed
  if (isAny('refunded')) return CHECKOUT_STATUS.refunded
  if (session.payments.length === 0 && now >= session.expiresAt) return CHECKOUT_STATUS.expired
  return CHECKOUT_STATUS.unpaid
}

/** Returns why no further payment is possible now; `null` if a payment is possible. */
export function notPayableReason(session: CheckoutSession, now: number): string | null {
  if (session.custody === 'SUCCESSFUL' || session.custody === 'FAILED') return 'The charge was confirmed.'
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

/** Returns the body of a session's callbacks and status responses. [spec: Checkout callback and status payload] */
export function payloadOf(session: CheckoutSession, now: number) {
  const status = statusOf(session, now)
  const changedAt = status === CHECKOUT_STATUS.expired ? session.expiresAt : session.changedAt
  return {
    amount: withoutZeros(receivedBy(session)),
    checkout_reference: session.reference,
    currency: session.service.currency,
    merchant_transaction_id: session.id,
    narration: session.narration,
    payments: session.payments.map((payment) => recordOf(session, payment)),
    status,
    // [assumed] The time of the last change, so that the payload of an unchanged checkout is identical.
    timestamp: new Date(changedAt).toISOString(),
  }
}
export type Payload = ReturnType<typeof payloadOf>

/** Returns the payment record of a payment. [spec: Checkout callback and status payload, Payment record] */
function recordOf(session: CheckoutSession, payment: Payment) {
  const { service, narration } = session
  const receipt = receiptOf(payment)
  return {
    event: eventOf(payment),
    amount: withFraction(payment.amount),
    extra_data: session.extraData,
    client_code: MERCHANT.clientCode,
    country_code: service.country,
    payer_msisdn: payment.msisdn,
    payment_date: new Date(payment.changedAt).toISOString(),
    service_code: service.code,
    currency_code: service.currency,
    account_number: session.accountNumber,
    payment_status: paymentStatusOf(payment),
    transaction_id: payment.transactionId,
    payer_narration: descriptionOf(payment),
    charge_request_id: session.chargeRequestId,
    external_reference: session.id,
    // [assumed] null and "N/A" before money has moved, as seen in the field.
    receiver_narration: receipt === null ? null : narration,
    payment_method_code: payment.methodCode,
    payer_transaction_id: receipt ?? 'N/A',
    payment_account_reference: payment.msisdn,
  }
}
