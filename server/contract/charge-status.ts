/**
 * Defines the schema of a charge's state. The spec shows no such schema. [assumed] The gateway reports the state either
 * like that of a checkout, or as one payment record. Both formats are converted to the same fields.
 */

import { z } from 'zod'
import type { CheckoutStatus, PaymentStatus } from './status.ts'
import { CheckoutPayload, PaymentRecord } from './checkout.ts'

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

/**
 * The state of a charge, as the gateway reports it in callbacks and in responses to status queries. A gateway reports
 * charges either like checkouts, or as a single payment record, which this schema converts. `merchant_transaction_id` is
 * the charge's `external_reference`. After a conversion, `checkout_reference` is `null`, and `currency` is `null` if the
 * payment record names no currency.
 */
export const ChargeStatus = z.preprocess(
  (value) => (isSinglePayment(value) ? toPayload(value) : value),
  CheckoutPayload,
)
export type ChargeStatus = z.output<typeof ChargeStatus>

function isSinglePayment(value: unknown): value is object {
  return typeof value === 'object' && value !== null && 'payment_status' in value && !('payments' in value)
}

function toPayload(value: object) {
  const { data: payment } = PaymentRecord.safeParse(value)
  return {
    merchant_transaction_id: 'external_reference' in value ? value.external_reference : undefined,
    // A payment that cannot be read is kept: there may be money in it.
    payments: [value],
    status: payment ? STATUS_OF[payment.payment_status] : 803,
    amount: payment?.payment_status === 700 ? payment.amount : '0',
    currency: payment?.currency_code,
  }
}
