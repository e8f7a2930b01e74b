/** The view as a schema, for filters and for the description of this server. The type is the contract's. */

import type { Outcome, CheckoutView } from '../api/view.ts'
import { z } from 'zod'
import { CHECKOUT_STATUS, PAYMENT_STATUS } from '../contract/status.ts'
import { DISCREPANCIES } from '../api/view.ts'

/** Names each outcome once, and each outcome is named. */
const OUTCOMES = {
  waiting: 'waiting',
  paid: 'paid',
  partial: 'partial',
  unpaid: 'unpaid',
  expired: 'expired',
  reversed: 'reversed',
  refunded: 'refunded',
  jammed: 'jammed',
  pending: 'pending',
  review: 'review',
} as const satisfies { [Name in Outcome]: Name }

export const CHECKOUT_OUTCOMES = Object.values(OUTCOMES)

const Payment = z.object({
  status: z.literal(Object.values(PAYMENT_STATUS)),
  outcome: z.enum(['successful', 'failed', 'reversed', 'refunded', 'waiting', 'jammed']),
  amount: z.string().describe('Decimal text.'),
  currency: z.string(),
  method: z.string().nullable(),
  paid_at: z.iso.datetime().nullable(),
})

export const ViewSchema: z.ZodType<CheckoutView> = z.object({
  order: z.string().describe("The merchant's reference of the order."),
  checkout_id: z.string().describe('Opaque. Knowing it is the right to watch the checkout.'),
  merchant_transaction_id: z.string().describe('What the gateway knows the checkout by.'),
  attempt: z.int().describe('Counts the checkouts of one order, from 1.'),
  status: z
    .literal(Object.values(CHECKOUT_STATUS))
    .nullable()
    .describe("The gateway's status; null before it has confirmed anything."),
  outcome: z.enum(OUTCOMES).describe('What it came to. Branch on this.'),
  settled: z.boolean().describe('Whether this is the end, as far as anybody can know today.'),
  discrepancy: z
    .enum(DISCREPANCIES)
    .nullable()
    .describe('How money that the gateway calls complete differs from what was asked.'),
  amount: z.string().describe('What was asked: decimal text in whole units of the currency.'),
  amount_paid: z.string().describe('What the gateway says was received: decimal text.'),
  currency: z.string(),
  expires_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
  server_time: z.iso.datetime().describe("Count down by the difference to this, not to a device's clock."),
  version: z.int().describe('Grows with every change.'),
  payments: z.array(Payment),
  environment: z.enum(['sandbox', 'production']),
  redirect_url: z.url().describe('The hosted page, while money can still be paid there.').exactOptional(),
})
