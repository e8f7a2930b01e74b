/** The zod schema of a checkout's view. `view.ts` has the type without zod, for browsers. */

import type { CheckoutView, Outcome } from './view.ts'
import { z } from 'zod'
import { CHECKOUT_STATUS, PAYMENT_STATUS } from '../contract/status.ts'
import { field } from './field.ts'
import { currencyField, environmentField, moment, version } from './tracked.ts'
import { DISCREPANCIES } from './view.ts'

/** Every outcome. An object, so that the compiler reports a missing outcome. */
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
  status: field(z.literal(Object.values(PAYMENT_STATUS)), "The gateway's status of the payment."),
  outcome: field(
    z.enum(['successful', 'failed', 'reversed', 'refunded', 'waiting', 'jammed']),
    'Meaning of the status.',
  ),
  amount: field(z.string(), 'Amount, as decimal text in major units of currency.', '1500.00'),
  currency: currencyField,
  method: field(z.string().nullable(), 'Payment method. Null when not reported.', 'MOMO_KEN'),
  paid_at: field(
    z.iso.datetime().nullable(),
    'When the payment was made. ISO 8601, UTC. Null when not reported.',
    '2026-11-21T09:05:00.000Z',
  ),
})

export const CheckoutViewSchema: z.ZodType<CheckoutView> = z
  .object({
    order: field(z.string(), 'Your reference of the order.', 'A-1001'),
    checkout_id: field(
      z.string(),
      'Id of the checkout: opaque, with at least 128 random bits. Whoever knows it may read the view.',
      'pZ0R4uXbTn2vM8kQwY6sLg',
    ),
    merchant_transaction_id: field(z.string(), "The gateway's reference of the checkout.", 'A-1001.1.k3Jd92'),
    attempt: field(z.int(), 'Number of this checkout of the order, from 1.', 1),
    status: field(
      z.literal(Object.values(CHECKOUT_STATUS)).nullable(),
      "The gateway's status. Null before the gateway reports one.",
    ),
    outcome: field(z.enum(OUTCOMES), 'Meaning of the status. Branch on this field.'),
    settled: field(z.boolean(), 'Whether the outcome is final. Reversals and refunds may still follow.'),
    discrepancy: field(
      z.enum(DISCREPANCIES).nullable(),
      'How a payment that the gateway reports as complete differs from the requested terms. Null without a difference.',
    ),
    amount: field(z.string(), 'Requested amount, as decimal text in major units of currency.', '1500'),
    amount_paid: field(
      z.string(),
      'Amount that the gateway received, as decimal text in major units of currency.',
      '1500.00',
    ),
    currency: currencyField,
    expires_at: moment('When the session of the hosted page ends.'),
    updated_at: moment('When the checkout last changed.'),
    server_time: moment(
      'Time of this answer. Count down by the difference to it, not by the clock of the device.',
    ),
    version,
    payments: field(z.array(Payment), 'Attempts to pay, oldest first.'),
    environment: environmentField,
    redirect_url: field(
      z.url().exactOptional(),
      'The hosted page. Present while it can be paid there.',
      'https://pay.gateway.example/pay/8815201',
    ),
  })
  .meta({ ref: 'CheckoutView', description: 'What a shopper may see of a checkout.' })
