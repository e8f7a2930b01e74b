/**
 * Defines the schema of a charge's state. The spec shows no such schema. [assumed] The gateway reports the state either
 * like that of a checkout, or as one payment record. Both formats are converted to the same fields.
 */

import { z } from 'zod'
import type { CheckoutStatus, PaymentStatus } from './status.ts'
import { CheckoutPayload, PaymentRecord } from './checkout.ts'
import { nonEmpty } from './fields.ts'

/**
 * The status of a charge, by the status of its only payment. [assumed] A charge that the gateway reports as one payment
 * record has no other payments.
 */
const STATUS_OF = {
  700: 801,
  701: 803,
  702: 840,
  703: 851,
  704: 850,
  705: 841,
  706: 851,
  707: 851,
  708: 851,
} as const satisfies Record<PaymentStatus, CheckoutStatus>

/** A charge's state as one payment record. */
const SinglePayment = PaymentRecord.extend({ external_reference: nonEmpty })

const Report = CheckoutPayload.extend({
  checkout_reference: CheckoutPayload.shape.checkout_reference.nullable(),
  currency: CheckoutPayload.shape.currency.nullable(),
})
export type ChargeStatus = z.output<typeof Report>

/**
 * The state of a charge, as the gateway reports it in callbacks and in responses to status queries. A gateway reports
 * charges either like checkouts, or as a single payment record, which this schema converts. `merchant_transaction_id` is
 * the charge's `external_reference`. After a conversion, `checkout_reference` is `null`, and `currency` is `null` if the
 * payment record names no currency.
 */
export const ChargeStatus = z.preprocess((value, context): unknown => {
  if (!isSinglePayment(value)) return value
  const parsed = SinglePayment.safeParse(value)
  if (parsed.success) return fromSinglePayment(parsed.data)
  for (const { path, message } of parsed.error.issues)
    context.addIssue({ code: 'custom', path: [...path], message })
  return z.NEVER
}, Report)

function isSinglePayment(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'payment_status' in value && !('payments' in value)
}

function fromSinglePayment(payment: z.output<typeof SinglePayment>): ChargeStatus {
  return {
    amount: payment.payment_status === 700 ? payment.amount : '0',
    checkout_reference: null,
    currency: payment.currency_code,
    merchant_transaction_id: payment.external_reference,
    narration: payment.payer_narration,
    payments: [payment],
    status: STATUS_OF[payment.payment_status],
    timestamp: payment.payment_date,
  }
}
