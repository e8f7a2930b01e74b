// The session of a checkout or a charge: what was requested, what the payer has paid so far, and how the gateway
// reports it.

import { compare, sum } from '../../../server/contract/decimal.ts'
import { CHECKOUT_STATUS } from '../../../server/contract/status.ts'
import { notPossible } from '../errors/failure.ts'
import { methodFor, methodsOf } from '../merchants/merchant.ts'
import { shortfall, withFraction, withoutZeros } from '../money/amounts.ts'
import { eventOf, paymentStatusOf, receiptOf, resultOf } from './payment.ts'

import type { ChargeRequest, Confirmation, SplitSettlement } from '../../../server/contract/charge.ts'
import type { InitiateRequest } from '../../../server/contract/checkout.ts'
import type { Decimal } from '../../../server/contract/decimal.ts'
import type { CheckoutStatus } from '../../../server/contract/status.ts'
import type { Failure } from '../errors/failure.ts'
import type { Merchant, Method, Service } from '../merchants/merchant.ts'
import type { Payment, PaymentState } from './payment.ts'

export type Instruction =
  | { kind: 'checkout'; request: InitiateRequest }
  | { kind: 'charge'; request: ChargeRequest }

/** How charges are served: as the specification shows them, or with one flat payment record, as seen in practice. */
export type ChargeDialect = 'spec' | 'flat'

export interface Terms {
  readonly instruction: Instruction
  /**
   * The `merchant_transaction_id` of a checkout or the `external_reference` of a charge. [assumed] A checkout and a
   * charge cannot have equal ids.
   */
  readonly id: string
  /** The amount to pay, including the fee. */
  readonly amount: Decimal
  readonly fee: Decimal
  readonly msisdn: string
  readonly methodCode: string
  /**
   * The requested `account_number`. Whichever account it is, the money of a checkout goes to the account of its service.
   */
  readonly accountNumber: string
  readonly service: Service
  readonly narration: string
  readonly extraData: object | string
  readonly splits: readonly SplitSettlement[]
  /** The URL for callbacks; `null` if callbacks go to the URL that is set in the merchant portal. */
  readonly callbackUrl: string | null
  /** Where the customer returns after a full payment, and after anything else; `null` if the page has no link. */
  readonly redirectUrl: string | null
  readonly failedRedirectUrl: string | null
  // [assumed] A charge of the flat dialect takes one payment, which is its whole state.
  readonly dialect: ChargeDialect
  /** The expiry of the session, in milliseconds since the Unix epoch. */
  readonly expiresAt: number
}

// The money of a charge is `held` until the service confirmation. [spec: Split settlement flow]
export type Custody = 'merchant' | 'held' | Confirmation['status']

/** One line of a session's log. `at` is in milliseconds since the Unix epoch. */
export type SessionEntry =
  | { at: number; kind: 'created' }
  | { at: number; kind: 'payment'; payment: Payment; amount: Decimal; state: PaymentState }
  | { at: number; kind: 'confirmed'; as: Confirmation['status'] }

export interface CheckoutSession extends Terms {
  readonly merchant: Merchant
  readonly reference: string
  readonly pageUrl: string
  readonly chargeRequestId: string
  readonly createdAt: number
  readonly payments: Payment[]
  readonly history: SessionEntry[]
  custody: Custody
  changedAt: number
  /** The language that the customer chose on the hosted page; `null` before. */
  language: string | null
}

export function addPayment(session: CheckoutSession, payment: Payment): void {
  const { changedAt: at, amount, state } = payment
  session.payments.push(payment)
  session.history.push({ at, kind: 'payment', payment, amount, state })
  session.changedAt = at
}

export function setPaymentState(session: CheckoutSession, payment: Payment, state: PaymentState, at: number) {
  const { amount } = payment
  // A prompt whose answer a scenario has decided is still the same prompt.
  if (state.kind !== payment.state.kind) {
    session.history.push({ at, kind: 'payment', payment, amount, state })
  }

  Object.assign(payment, { state, changedAt: at })
  session.changedAt = at
}

export function receivedBy(session: CheckoutSession): Decimal {
  const paid = session.payments.filter(({ state }) => state.kind === 'paid')
  return sum(paid.map(({ amount }) => amount))
}

export function remainingOf(session: CheckoutSession): Decimal {
  return shortfall(session.amount, receivedBy(session))
}

export function returnUrlOf(session: CheckoutSession): string | null {
  const isPaid = compare(receivedBy(session), session.amount) >= 0
  return isPaid ? session.redirectUrl : session.failedRedirectUrl
}

/** Returns the methods that the hosted page offers. */
export function offeredMethodsOf({ dialect, methodCode, service }: CheckoutSession): readonly Method[] {
  return dialect === 'flat' ? [methodFor(service, methodCode)] : methodsOf(service)
}

export function openPaymentOf(session: CheckoutSession): Payment | undefined {
  return session.payments.find(({ state }) => ['prompted', 'processing', 'jammed'].includes(state.kind))
}

// [spec: Checkout overall status] [assumed] If several conditions are met, the first in this order determines the
// status.
export function statusOf(session: CheckoutSession, now: number): CheckoutStatus {
  const received = receivedBy(session)
  const isAny = (kind: PaymentState['kind']) => session.payments.some(({ state }) => state.kind === kind)
  if (compare(received, session.amount) >= 0) {
    return CHECKOUT_STATUS.paid
  }
  if (isAny('jammed')) {
    return CHECKOUT_STATUS.jammed
  }
  if (isAny('processing')) {
    return CHECKOUT_STATUS.pending
  }
  if (compare(received, '0') > 0) {
    return CHECKOUT_STATUS.partial
  }
  if (isAny('reversed')) {
    return CHECKOUT_STATUS.reversed
  }
  if (isAny('refunded')) {
    return CHECKOUT_STATUS.refunded
  }
  if (session.payments.length === 0 && now >= session.expiresAt) {
    return CHECKOUT_STATUS.expired
  }
  return CHECKOUT_STATUS.unpaid
}

// [assumed] Maximum for each session.
const MAX_PAYMENTS = 100

/** By status: why nothing can be paid. */
const NOT_PAYABLE: Readonly<Partial<Record<CheckoutStatus, string>>> = {
  [CHECKOUT_STATUS.paid]: 'The checkout is paid in full.',
  [CHECKOUT_STATUS.reversed]: 'The checkout has ended: its money was given back.',
  [CHECKOUT_STATUS.refunded]: 'The checkout has ended: its money was given back.',
  [CHECKOUT_STATUS.jammed]: 'A payment is stuck at the operator.',
  [CHECKOUT_STATUS.pending]: 'A payment is being processed.',
}

/** Returns why no prompt can be opened; `null` if one can. */
export function promptProblem(session: CheckoutSession, now: number): Failure | null {
  if (session.payments.length >= MAX_PAYMENTS) {
    return notPossible('The checkout has seen too many attempts.')
  }
  if (session.custody === 'SUCCESSFUL' || session.custody === 'FAILED') {
    return notPossible('The charge was confirmed.')
  }

  const isPaid = compare(receivedBy(session), '0') > 0
  if (session.dialect === 'flat' && isPaid) {
    return notPossible('A charge takes one payment.')
  }

  const reason = NOT_PAYABLE[statusOf(session, now)]
  if (reason !== undefined) {
    return notPossible(reason)
  }
  if (openPaymentOf(session)) {
    return notPossible('A prompt is open on the phone of the customer.')
  }
  return now >= session.expiresAt ? notPossible('The checkout session has expired.') : null
}

/** Returns what the gateway reports of a session in callbacks and in responses to status queries. */
export function reportOf(session: CheckoutSession, now: number): object {
  return session.dialect === 'flat' ? flatReportOf(session, now) : payloadOf(session, now)
}

// [assumed] The fields of a payment record, as seen in practice. The last payment counts. Before the payer has
// authorized a payment, the record has no transaction_id; it is pending, and has failed once the page has expired.
function flatReportOf(session: CheckoutSession, now: number): object {
  const { methodCode, msisdn, amount, expiresAt } = session
  const payment = session.payments.at(-1)
  if (payment) {
    return { ...recordOf(session, payment), amount: withoutZeros(payment.amount) }
  }

  const isOver = now >= expiresAt
  const state: PaymentState = isOver
    ? { kind: 'failed', result: 'The page has expired.' }
    : { kind: 'prompted', closesAt: expiresAt, decidedUntil: null }
  const changedAt = isOver ? expiresAt : session.changedAt
  const unbegun = { transactionId: '', methodCode, msisdn, receipt: '', amount, state, changedAt }
  return { ...recordOf(session, unbegun), transaction_id: undefined, amount: withoutZeros(amount) }
}

// [spec: Checkout callback and status payload]
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

// [spec: Checkout callback and status payload, Payment record]
function recordOf(session: CheckoutSession, payment: Payment) {
  const { merchant, service, narration } = session
  const receipt = receiptOf(payment)
  return {
    event: eventOf(payment),
    amount: withFraction(payment.amount),
    extra_data: session.extraData,
    client_code: merchant.clientCode,
    country_code: service.country,
    payer_msisdn: payment.msisdn,
    payment_date: new Date(payment.changedAt).toISOString(),
    service_code: service.code,
    currency_code: service.currency,
    account_number: session.accountNumber,
    payment_status: paymentStatusOf(payment),
    transaction_id: payment.transactionId,
    payer_narration: narration,
    charge_request_id: session.chargeRequestId,
    external_reference: session.id,
    // [assumed] The gateway's result; null while the payment is pending, as seen in practice.
    receiver_narration: resultOf(payment),
    payment_method_code: payment.methodCode,
    // [assumed] The operator's receipt in both fields, and "N/A" before there is a receipt, as seen in practice. The
    // flat dialect has the operator's id from the prompt on.
    payer_transaction_id: session.dialect === 'flat' ? payment.receipt : (receipt ?? 'N/A'),
    payment_account_reference: receipt ?? 'N/A',
  }
}
