/**
 * Defines the view of a checkout: the fields that a shopper may see. The view is the body of the initiate and status
 * responses, the data of the widget's events and, with what only the merchant may see, of the `checkout.*` events for
 * the merchant's backend.
 *
 * The widget's bundle includes this file. The file therefore has only plain data and types, and does not import zod.
 *
 * Fields and outcomes are added, never removed or renamed: a widget from a CDN may be older or newer than the server.
 * The widget shows an unknown outcome as `waiting`. The view never contains the payer's name, e-mail or phone number.
 */

import type { FailureReason } from '../contract/failure-reason.ts'
import type { CheckoutStatus, PaymentStatus } from '../contract/status.ts'

export { CHECKOUT_STATUS, PAYMENT_STATUS } from '../contract/status.ts'
export type { CheckoutStatus, FailureReason, PaymentStatus }

/** The possible outcomes of a checkout, computed from the gateway's status and the payments. */
export const OUTCOMES = [
  'waiting',
  'paid',
  'partial',
  'unpaid',
  'expired',
  'reversed',
  'refunded',
  'jammed',
  'pending',
  'review',
] as const
export type Outcome = (typeof OUTCOMES)[number]

/**
 * The possible differences between what was requested and what the gateway reports for a checkout with money. A
 * checkout with the difference `excess` (more was paid than requested) has the outcome `paid`. A checkout with any
 * other difference has the outcome `review`.
 */
export const DISCREPANCIES = [
  'excess',
  'short',
  'amount',
  'currency',
  'account',
  'service',
  'reference',
] as const
export type Discrepancy = (typeof DISCREPANCIES)[number]

/** The possible outcomes of one payment inside a checkout. */
export const PAYMENT_OUTCOMES = ['successful', 'failed', 'reversed', 'refunded', 'waiting', 'jammed'] as const
export type PaymentOutcome = (typeof PAYMENT_OUTCOMES)[number]

export interface PaymentView {
  /** The gateway's status code of the payment. */
  status: PaymentStatus
  /** What the status means. */
  outcome: PaymentOutcome
  /** The amount of the payment: decimal text in major units of `currency`. */
  amount: string
  /** ISO 4217 code of the currency of `amount`. */
  currency: string
  /** The gateway's code of the payment method; `null` if it did not report one. */
  method: string | null
  /** When the payment was made: ISO 8601, UTC. `null` if the gateway did not report a time. */
  paid_at: string | null
  /** Why the payment failed, as far as the gateway says it: otherwise `unknown`. Absent if the payment did not fail. */
  reason?: FailureReason
  /** The operator's receipt number, as in the SMS to the payer. Absent if the gateway did not report one. */
  receipt?: string
}

/** An operator that can ask the payer. `dial` is what a payer dials who has received no prompt. */
export interface PromptMethod {
  code: string
  name: string
  dial?: string
}

export interface PromptView {
  /**
   * The operator that asks the payer on the phone; `null` if the payer was not asked: this server cannot ask, or the
   * order has a checkout that can be paid on the hosted page.
   */
  method: string | null
  /** The operators among which the shopper can choose; empty if this server cannot ask on the phone. */
  methods: PromptMethod[]
}

/** An operator as `GET /checkout/methods` describes it to any page. */
export interface OperatorView {
  name: string
  /** The beginnings of its phone numbers, with the calling code: digits only. */
  prefixes: string[]
  /** Whether the operator cannot ask anybody at present. */
  away: boolean
}

export interface CheckoutMethods {
  /** The calling code that completes a national number; `null` if every number needs its own. */
  calling_code: string | null
  methods: OperatorView[]
}

export interface CheckoutView {
  /** The merchant's reference of the order. */
  order: string
  /** The opaque identifier of the checkout. Anyone who knows the identifier may read the view. */
  checkout_id: string
  /** The identifier of the checkout at the gateway. */
  merchant_transaction_id: string
  /** The number of this checkout among the checkouts of its order, from 1. */
  attempt: number
  /** The gateway's status code; `null` until the gateway has reported a status. */
  status: CheckoutStatus | null
  /** What the status and the payments mean. */
  outcome: Outcome
  /**
   * Whether the outcome is final: no further change is expected. A reversal, a refund or a late payment can still
   * change the outcome.
   */
  settled: boolean
  /** How the reported payment differs from the order; `null` if it agrees. */
  discrepancy: Discrepancy | null
  /** The requested amount: decimal text in major units of `currency`. */
  amount: string
  /** The amount that the gateway reports as received: decimal text in major units of `currency`. */
  amount_paid: string
  /** ISO 4217 code of the currency. */
  currency: string
  /**
   * When the session of the hosted page expires: ISO 8601, UTC. Compare this time with `server_time`, not with the
   * device's clock, which may be wrong by hours.
   */
  expires_at: string
  /** When the checkout last changed: ISO 8601, UTC. */
  updated_at: string
  /** The time of the server when it sent the view: ISO 8601, UTC. */
  server_time: string
  /** The version of the checkout: a number that increases with every change. */
  version: number
  /** Every attempt to pay, oldest first. */
  payments: PaymentView[]
  /** The gateway's environment. In `sandbox`, no real money moves. */
  environment: 'sandbox' | 'production'
  /**
   * Present if the payer was asked on the phone instead of on the hosted page, and in the response to a request for
   * that.
   */
  prompt?: PromptView
  /** The URL of the hosted page. The field is present only while the checkout can be paid there. */
  redirect_url?: string
}
