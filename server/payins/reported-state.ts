/** The reported state of a pay-in: the last status payload of a checkout or a charge. */

import type { CheckoutPayload } from '../contract/checkout.ts'
import type { CheckoutStatus } from '../contract/status.ts'
import { z } from 'zod'
import { CHECKOUT_STATUS, PAYMENT_STATUS } from '../contract/status.ts'
import { canStatusFollow } from '../transactions/transition.ts'

export const Payment = z.object({
  status: z.literal(Object.values(PAYMENT_STATUS)),
  amount: z.string(),
  currency: z.string().nullable(),
  method: z.string().nullable(),
  paid_at: z.string().nullable(),
  account_number: z.string().nullable(),
  external_reference: z.string().nullable(),
  /** Its `transaction_id`: the `payment_id` of the service processing confirmation. [assumed] */
  payment_id: z.string().nullable().default(null),
})
export type Payment = z.output<typeof Payment>

/** `at` is when the gateway was asked, in milliseconds since the Unix epoch. */
export const ReportedState = z.object({
  at: z.number(),
  status: z.literal(Object.values(CHECKOUT_STATUS)),
  checkout_reference: z.string(),
  amount: z.string(),
  currency: z.string(),
  payments: z.array(Payment),
})
export type ReportedState = z.output<typeof ReportedState>

/** [assumed] The spec lists the codes and shows no transitions; this table is ours. */
const FOLLOWS: Record<CheckoutStatus, readonly CheckoutStatus[]> = {
  851: [801, 802, 803, 820, 840, 841, 850], // pending: anything may happen
  803: [801, 802, 820, 840, 841, 850, 851], // unpaid: the customer may try again until it expires
  802: [801, 803, 840, 841, 850, 851], // partly paid: the rest may come, or the part may leave again
  850: [801, 802, 803, 840, 841, 851], // jammed: an operator decides
  801: [840, 841], // paid: money may only leave again
  820: [801, 802, 803, 840, 841, 850, 851], // late money, or money on its way
  840: [],
  841: [],
}

/** @param before `null` when nothing was reported before. */
export function canFollow(before: ReportedState | null, after: ReportedState): boolean {
  return canStatusFollow(FOLLOWS, before?.status ?? null, after.status)
}

/** Whether two reports are equal, apart from their times. */
export function isSameReport(before: ReportedState | null, after: ReportedState): boolean {
  return before !== null && JSON.stringify({ ...before, at: 0 }) === JSON.stringify({ ...after, at: 0 })
}

/** Keeps only the fields that are shown or decided on. Never keeps the payer's number or an operator's remarks. */
export function toReportedState(payload: CheckoutPayload, at: number): ReportedState {
  return {
    at,
    status: payload.status,
    checkout_reference: payload.checkout_reference,
    amount: payload.amount,
    currency: payload.currency,
    payments: payload.payments.map((payment) => ({
      status: payment.payment_status,
      amount: payment.amount,
      currency: payment.currency_code,
      method: payment.payment_method_code,
      paid_at: payment.payment_date,
      account_number: payment.account_number,
      external_reference: payment.external_reference,
      payment_id: payment.transaction_id,
    })),
  }
}
