/** A payment of a pay-in, as the record keeps it. Pure. */

import { z } from 'zod'

import { PaymentRecord } from '../contract/checkout.ts'
import { sum } from '../contract/decimal.ts'
import { FAILURE_REASONS } from '../contract/failure-reason.ts'
import { PAYMENT_STATUS } from '../contract/status.ts'
import { identityOf } from './identity.ts'
import { PayerPrints } from './payer-prints.ts'

import type { PaymentOutcome } from '../api/view.ts'
import type { PaymentStatus } from '../contract/status.ts'

/**
 * A stored payment record. `payment_id` is the id to which the service confirmation refers: the `transaction_id` of the
 * payment; `null` if the gateway did not report one. [assumed] If a charge is reported as one payment without a
 * `transaction_id`, the value is its `charge_request_id`.
 */
export const Payment = PaymentRecord.omit({
  transaction_id: true,
  charge_request_id: true,
  payer_msisdn: true,
  payer_transaction_id: true,
  payment_account_reference: true,
  receiver_narration: true,
  status_code: true,
  status_description: true,
  message: true,
}).extend({
  payment_id: z.string().nullable(),
  /** The gateway's id of the charge that it pays, where it has an id of its own; `null` otherwise. */
  charge_id: z.string().nullable(),
  /** Why the payment failed; `null` if it did not fail. */
  reason: z.enum(FAILURE_REASONS).nullable(),
  /** The operator's receipt number; `null` if the gateway did not report one. */
  receipt: z.string().nullable(),
  /**
   * The place in the report, from 0, of the first payment with the same `payer_transaction_id`, which is the operator's
   * reference of one payment; `null` if the payment has none. The reference itself may be a phone number, and is not
   * stored.
   */
  same_reference_as: z.number().nullable(),
  /**
   * The reference of another transaction, of any kind and order, for which the payment was counted before; absent if it
   * counts for this one.
   */
  counted_for: z.string().exactOptional(),
  /** Whether only an earlier report lists it; absent if the last one does. */
  is_left_out: z.literal(true).exactOptional(),
  /** Who paid, as keyed fingerprints; `null` if the gateway does not say so, and once the payer's data were erased. */
  payer: PayerPrints.nullable(),
})
export type Payment = z.output<typeof Payment>

/** The outcome of a payment for each payment status. [spec: Payment status inside checkout payment records] */
export const PAYMENT_OUTCOME = {
  [PAYMENT_STATUS.successful]: 'successful',
  [PAYMENT_STATUS.failed]: 'failed',
  [PAYMENT_STATUS.reversed]: 'reversed',
  [PAYMENT_STATUS.pending]: 'waiting',
  [PAYMENT_STATUS.jammed]: 'jammed',
  [PAYMENT_STATUS.refunded]: 'refunded',
  [PAYMENT_STATUS.accepted]: 'waiting',
  [PAYMENT_STATUS.reprocessing]: 'waiting',
  [PAYMENT_STATUS.pendingApproval]: 'waiting',
} as const satisfies Record<PaymentStatus, PaymentOutcome>

/** What a report lists. */
export interface Listing {
  payments: readonly Payment[]
}

/** Returns the payments with one of these outcomes, in the order of the report. */
export function paymentsOf({ payments }: Listing, ...outcomes: PaymentOutcome[]): Payment[] {
  return payments.filter(({ payment_status }) => outcomes.includes(PAYMENT_OUTCOME[payment_status]))
}

/** Returns the records of the payments that were made, also of those that went back. */
export function madeOf(listing: Listing): Payment[] {
  return paymentsOf(listing, 'successful', 'reversed', 'refunded')
}

/** Returns the ids of the payments that were made, also of those that went back, each once. */
export function madeIn(listing: Listing): string[] {
  return [...new Set(madeOf(listing).flatMap((each) => idOf(each) ?? []))]
}

/** Returns the amounts together: decimal text in major units of their currency. */
export function sumOf(payments: readonly { amount: string }[]): string {
  return sum(payments.map(({ amount }) => amount))
}

/** Returns the id by which a payment is told from others; `null` if the gateway did not report one. */
export function idOf({ payment_id }: Payment): string | null {
  return identityOf(payment_id)
}

/** Returns whether a payment counts for this transaction, and not for another one. */
export function isOwn({ counted_for }: Payment): boolean {
  return counted_for === undefined
}

/** Returns why a person has to look at a payment that counts for another transaction, as a sentence; `null` without one. */
export function whyElsewhere({ payments }: Listing): string | null {
  const other = payments.find((payment) => !isOwn(payment))
  return other
    ? `The gateway reports the payment ${other.payment_id}, which was counted for ${other.counted_for} before, and counts there.`
    : null
}

/** Returns whether a record lists a payment as made, and not as gone back. */
export function isSuccessful({ payment_status }: Payment): boolean {
  return PAYMENT_OUTCOME[payment_status] === 'successful'
}

/** Returns whether a record lists a payment, or a part of one, as gone back. */
export function isReturned({ payment_status }: Payment): boolean {
  return ['reversed', 'refunded'].includes(PAYMENT_OUTCOME[payment_status])
}

/** Returns whether a payment waits for the payer or the operator, or is stuck at the operator. */
export function isStep({ payment_status }: Payment): boolean {
  return ['waiting', 'jammed'].includes(PAYMENT_OUTCOME[payment_status])
}
