/**
 * Defines the zod schema of a checkout's view. `view.ts` declares the type without zod, because the widget's bundle
 * includes `view.ts` and must not include zod.
 */

import type { CheckoutView } from './view.ts'
import { z } from 'zod'
import { CHECKOUT_STATUS, PAYMENT_STATUS } from '../contract/status.ts'
import { describeFields, text, textOrNull } from './field.ts'
import {
  amountPaid,
  currencyField,
  discrepancy,
  environmentField,
  moment,
  standing,
  version,
} from './tracked.ts'
import { OUTCOMES, PAYMENT_OUTCOMES } from './view.ts'

const Payment = describeFields(
  {
    status: z.literal(Object.values(PAYMENT_STATUS)),
    outcome: z.enum(PAYMENT_OUTCOMES),
    amount: text,
    currency: currencyField,
    method: textOrNull,
    paid_at: z.iso.datetime().nullable(),
  },
  {
    status: ["The gateway's status of the payment."],
    outcome: ['Meaning of the status.'],
    amount: ['Amount, as decimal text in major units of currency.', '1500.00'],
    method: ['Payment method. Null when not reported.', 'MOMO_KEN'],
    paid_at: [
      'When the payment was made. ISO 8601, UTC. Null when not reported.',
      '2026-11-21T09:05:00.000Z',
    ],
  },
)

const Prompt = describeFields(
  {
    method: textOrNull,
    methods: z.array(
      describeFields(
        { code: text, name: text },
        {
          code: ['payment_method_code of the operator.', 'MOMO_KEN'],
          name: ['Name of the operator.', 'MoMo'],
        },
      ),
    ),
  },
  {
    method: [
      'Operator that asks the payer on the phone. Null when the payer was not asked: GATEWAY_CHARGE_METHODS has no operator for the currency, or the order has a checkout that can be paid on the hosted page.',
      'MOMO_KEN',
    ],
    methods: [
      'Operators that the shopper can choose for another prompt. Empty when no phone can be asked for this order.',
    ],
  },
)

export const CheckoutViewSchema: z.ZodType<CheckoutView> = describeFields(
  {
    order: text,
    checkout_id: text,
    merchant_transaction_id: text,
    attempt: z.int(),
    status: z.literal(Object.values(CHECKOUT_STATUS)).nullable(),
    outcome: z.enum(OUTCOMES),
    settled: standing.settled,
    discrepancy,
    amount: text,
    amount_paid: amountPaid,
    currency: currencyField,
    expires_at: moment('When the session of the hosted page ends.'),
    updated_at: moment('When the checkout last changed.'),
    server_time: moment(
      'Time of this answer. Count down by the difference to it, not by the clock of the device.',
    ),
    version,
    payments: z.array(Payment),
    environment: environmentField,
    prompt: Prompt.exactOptional(),
    redirect_url: z.url().exactOptional(),
  },
  {
    order: ['Your reference of the order.', 'A-1001'],
    checkout_id: [
      'Id of the checkout: opaque, with at least 128 random bits. Whoever knows it may read the view.',
      'pZ0R4uXbTn2vM8kQwY6sLg',
    ],
    merchant_transaction_id: ["The gateway's reference of the checkout.", 'A-1001.1.k3Jd92'],
    attempt: ['Number of this checkout of the order, from 1.', 1],
    status: ["The gateway's status. Null before the gateway reports one."],
    outcome: ['Meaning of the status. Branch on this field.'],
    amount: ['Requested amount, as decimal text in major units of currency.', '1500'],
    payments: ['Attempts to pay, oldest first.'],
    prompt: ['Present when the phone of the payer was asked, and in the answer to a request for that.'],
    redirect_url: [
      'The hosted page. Present while it can be paid there.',
      'https://pay.gateway.example/pay/8815201',
    ],
  },
).meta({ ref: 'CheckoutView', description: 'What a shopper may see of a checkout.' })
