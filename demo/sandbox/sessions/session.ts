/**
 * A session in which a customer pays, opened by a checkout or by a charge: what was asked, what was tried, and what
 * the two amount to. Pure, but for `setPaymentState`.
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

/** What the merchant asked for, by the endpoint that it came through. */
export type Instruction =
  | { kind: 'checkout'; request: InitiateRequest }
  | { kind: 'charge'; request: ChargeRequest }

/** What a session begins with. */
export interface Terms {
  readonly instruction: Instruction
  /** `merchant_transaction_id` of a checkout, `external_reference` of a charge: one namespace. [assumed] */
  readonly id: string
  /** What the customer is asked to pay. */
  readonly amount: Decimal
  /** The part of it that the gateway keeps. */
  readonly fee: Decimal
  readonly msisdn: string
  /** How the customer pays when nobody says otherwise. */
  readonly methodCode: string
  readonly accountNumber: string
  readonly service: Service
  readonly narration: string
  /** What the merchant wants to find in each payment record. */
  readonly extraData: object
  /** What partners get of it, once the service is confirmed. */
  readonly splits: readonly SplitSettlement[]
  /** `null` where the merchant is told at the address that is set in the portal. */
  readonly callbackUrl: string | null
  /** Where the customer goes afterwards, if anywhere. */
  readonly redirectUrl: string | null
  /** Moments are milliseconds since the Unix epoch. */
  readonly expiresAt: number
}

/**
 * What becomes of received money: that of a checkout is the merchant's at once, that of a charge is held until the
 * merchant has said whether the service was given. [spec: Split settlement flow]
 */
export type Custody = 'merchant' | 'held' | Confirmation['status']

export interface CheckoutSession extends Terms {
  /** `checkout_reference` on the wire. */
  readonly reference: string
  /** The hosted page of this session. */
  readonly pageUrl: string
  /** `charge_request_id` on the wire, of all attempts to pay. */
  readonly chargeRequestId: string
  readonly payments: Payment[]
  custody: Custody
  changedAt: number
}

/** The only place where a payment moves on. */
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

/** Money that was received and has not left again. */
export function receivedBy(session: CheckoutSession): Decimal {
  const paid = session.payments.filter(({ state }) => state.kind === 'paid')
  return sum(paid.map(({ amount }) => amount))
}

export function remainingOf(session: CheckoutSession): Decimal {
  return shortfall(session.amount, receivedBy(session))
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
  if (compare(received, session.amount) >= 0) return CHECKOUT_STATUS.paid
  if (isAny('jammed')) return CHECKOUT_STATUS.jammed
  if (isAny('processing')) return CHECKOUT_STATUS.pending
  if (compare(received, '0') > 0) return CHECKOUT_STATUS.partial
  if (isAny('reversed')) return CHECKOUT_STATUS.reversed
  if (isAny('refunded')) return CHECKOUT_STATUS.refunded
  if (session.payments.length === 0 && now >= session.expiresAt) return CHECKOUT_STATUS.expired
  return CHECKOUT_STATUS.unpaid
}

/** Why the customer cannot begin another payment now; `null` when they can. */
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

/** The callback's body and the answer to the status query. [spec: Checkout callback and status payload] */
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
    // [assumed] When the checkout last changed, so that an unchanged checkout gives the same bytes.
    timestamp: new Date(changedAt).toISOString(),
  }
}
export type Payload = ReturnType<typeof payloadOf>

/** [spec: Checkout callback and status payload, Payment record] */
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
    // [assumed] Null and "N/A" where there is nothing to say yet, as seen in the field.
    receiver_narration: receipt === null ? null : narration,
    payment_method_code: payment.methodCode,
    payer_transaction_id: receipt ?? 'N/A',
    payment_account_reference: payment.msisdn,
  }
}
