/**
 * What a shopper may see of a checkout: the body of the BFF's initiate and status answers, of the widget's
 * events and of the merchant's. Plain data and types, so that the widget can take them without taking zod.
 *
 * It only ever grows: a widget from a CDN meets older and newer servers, and shows an outcome that it does
 * not know as "still checking". Never the payer's name, e-mail or number.
 */

import type { CheckoutStatus, PaymentStatus } from './status.ts'

/** What a status means to the shopper and the merchant. */
export type Outcome =
  | 'waiting'
  | 'paid'
  | 'partial'
  | 'unpaid'
  | 'expired'
  | 'reversed'
  | 'refunded'
  | 'jammed'
  | 'pending'
  | 'review'

/** How money that the gateway calls complete differs from what was asked. Only `excess` is still paid. */
export const DISCREPANCIES = ['excess', 'short', 'amount', 'currency', 'account', 'reference'] as const
export type Discrepancy = (typeof DISCREPANCIES)[number]

/** What one attempt to pay came to. */
export type PaymentOutcome = 'successful' | 'failed' | 'reversed' | 'refunded' | 'waiting' | 'jammed'

export interface PaymentView {
  status: PaymentStatus
  outcome: PaymentOutcome
  /** Decimal text in whole units of the currency. */
  amount: string
  currency: string
  method: string | null
  /** ISO 8601, UTC. */
  paid_at: string | null
}

export interface CheckoutView {
  /** The merchant's reference of the order. */
  order: string
  /** Opaque. Knowing it is the right to watch the checkout. */
  checkout_id: string
  merchant_transaction_id: string
  /** Counts the checkouts of one order, from 1. */
  attempt: number
  /** `null` before the gateway has confirmed anything. */
  status: CheckoutStatus | null
  outcome: Outcome
  /** Whether this is the end, as far as anybody can know today. */
  settled: boolean
  discrepancy: Discrepancy | null
  /** What was asked: decimal text in whole units of the currency. */
  amount: string
  /** What the gateway says was received: decimal text. */
  amount_paid: string
  currency: string
  /** ISO 8601, UTC. Count down by the difference to `server_time`: a device's clock may be hours wrong. */
  expires_at: string
  updated_at: string
  server_time: string
  /** Grows with every change. */
  version: number
  payments: PaymentView[]
  environment: 'sandbox' | 'production'
  /** The hosted page, only while money can still be paid there. */
  redirect_url?: string
}
