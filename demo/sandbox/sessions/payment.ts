// A payment into a session: one attempt of the customer.

import { failureReasonOf } from '../../../server/contract/failure-reason.ts'
import { PAYMENT_STATUS } from '../../../server/contract/status.ts'
import { needsSecondPerson } from '../merchants/merchant.ts'

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
  | { kind: 'failed'; result: string | null }
  | { kind: 'paid' | 'jammed' | 'reversed' | 'refunded' }

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

interface Shown {
  status: PaymentStatus
  event: string
  /** `null` while the payment is pending. */
  result: string | null
}

const PENDING = { event: 'pending_payment', result: null }
const STUCK = 'The payment is stuck at the operator until a person resolves it.'
// [spec: Payment status inside checkout payment records; Events, rule 5] [assumed] The spec does not say when each code
// of an open payment applies, and defines only the event `successful_payment`; the others were seen in practice.
const STATES: Readonly<Record<PaymentState['kind'], Shown>> = {
  prompted: { status: PAYMENT_STATUS.pending, ...PENDING },
  processing: { status: PAYMENT_STATUS.accepted, ...PENDING },
  paid: {
    status: PAYMENT_STATUS.successful,
    event: 'successful_payment',
    result: 'The payment was received.',
  },
  failed: { status: PAYMENT_STATUS.failed, event: 'failed_payment', result: 'The payment failed.' },
  jammed: { status: PAYMENT_STATUS.jammed, event: 'payment_status', result: STUCK },
  reversed: { status: PAYMENT_STATUS.reversed, event: 'payment_status', result: 'The payment was reversed.' },
  refunded: { status: PAYMENT_STATUS.refunded, event: 'payment_status', result: 'The payment was refunded.' },
}

export function paymentStatusOf({ state, methodCode }: Payment): PaymentStatus {
  if (state.kind === 'prompted' && needsSecondPerson(methodCode)) {
    return PAYMENT_STATUS.pendingApproval
  }
  if (state.kind === 'processing' && state.isAgain) {
    return PAYMENT_STATUS.reprocessing
  }
  return STATES[state.kind].status
}

export const eventOf = ({ state }: Payment): string => STATES[state.kind].event

/**
 * Returns the gateway's result of a payment; `null` while it is pending, or if it failed and the operator says nothing.
 */
export function resultOf({ state }: Payment): string | null {
  return state.kind === 'failed' ? state.result : STATES[state.kind].result
}

/** Returns why a payment failed, as the server reads it. [assumed] */
export function failureOf(payment: Payment) {
  return failureReasonOf({ status_code: null, status_description: null, message: resultOf(payment) })
}

export function receiptOf({ state, receipt }: Payment): string | null {
  return ['paid', 'reversed', 'refunded'].includes(state.kind) ? receipt : null
}
