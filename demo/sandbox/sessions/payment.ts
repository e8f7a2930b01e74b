import { PAYMENT_STATUS } from '../../../server/contract/status.ts'
import { needsSecondPerson } from '../merchant.ts'
import type { Decimal } from '../../../server/contract/decimal.ts'
import type { PaymentStatus } from '../../../server/contract/status.ts'

/** The state of a payment. All times are in milliseconds since the Unix epoch. */
export type PaymentState =
  /**
   * The prompt on the customer's phone is open. If a scenario decides the result, the prompt ends with this result at
   * `decidedUntil`. Otherwise `decidedUntil` is `null`, and the prompt waits for the customer's answer until
   * `closesAt`.
   */
  | { kind: 'prompted'; closesAt: number; decidedUntil: number | null }
  /**
   * The customer has approved the payment, and the money arrives at `until`. `isAgain` is true if the payment was
   * `jammed` before.
   */
  | { kind: 'processing'; until: number; isAgain: boolean }
  | { kind: 'paid' }
  | { kind: 'failed'; result: string }
  | { kind: 'jammed' }
  | { kind: 'reversed' }
  | { kind: 'refunded' }

export interface Payment {
  readonly transactionId: string
  readonly methodCode: string
  readonly msisdn: string
  /** The operator's id of the payment, which the customer sees once money has moved. */
  readonly receipt: string
  /** The requested amount; once the payment is paid, the paid amount. */
  amount: Decimal
  state: PaymentState
  changedAt: number
}

// [spec: Payment status inside checkout payment records] [assumed] The spec does not say when each code of an open
// payment applies.
export function paymentStatusOf(payment: Payment): PaymentStatus {
  switch (payment.state.kind) {
    case 'prompted':
      return needsSecondPerson(payment.methodCode) ? PAYMENT_STATUS.pendingApproval : PAYMENT_STATUS.pending
    case 'processing':
      return payment.state.isAgain ? PAYMENT_STATUS.reprocessing : PAYMENT_STATUS.accepted
    case 'paid':
      return PAYMENT_STATUS.successful
    case 'failed':
      return PAYMENT_STATUS.failed
    case 'jammed':
      return PAYMENT_STATUS.jammed
    case 'reversed':
      return PAYMENT_STATUS.reversed
    case 'refunded':
      return PAYMENT_STATUS.refunded
  }
}

// [assumed] The spec defines only `successful_payment`; the other values were seen in practice.
export function eventOf(payment: Payment): string {
  switch (payment.state.kind) {
    case 'prompted':
    case 'processing':
      return 'pending_payment'
    case 'paid':
      return 'successful_payment'
    case 'failed':
      return 'failed_payment'
    case 'jammed':
    case 'reversed':
    case 'refunded':
      return 'payment_status'
  }
}

/** Returns the gateway's result of a payment; `null` while the payment is pending. */
export function resultOf(payment: Payment): string | null {
  switch (payment.state.kind) {
    case 'prompted':
    case 'processing':
      return null
    case 'paid':
      return 'The payment was received.'
    case 'failed':
      return payment.state.result
    case 'jammed':
      return 'The payment is stuck at the operator and needs a person.'
    case 'reversed':
      return 'The payment was reversed.'
    case 'refunded':
      return 'The payment was refunded.'
  }
}

export function receiptOf(payment: Payment): string | null {
  switch (payment.state.kind) {
    case 'paid':
    case 'reversed':
    case 'refunded':
      return payment.receipt
    case 'prompted':
    case 'processing':
    case 'failed':
    case 'jammed':
      return null
  }
}
