/**
 * Defines the zod schema of a checkout's view. `view.ts` declares the type without zod, because the widget's bundle
 * includes `view.ts` and must not include zod.
 */

import { z } from 'zod'

import { FAILURE_REASONS } from '../contract/failure-reason.ts'
import { field, text, textOrNull } from '../contract/openapi-field.ts'
import { CHECKOUT_STATUS, PAYMENT_STATUS } from '../contract/status.ts'
import { TrackedFulfilment } from './charge.ts'
import {
  amountPaid,
  attention,
  currencyField,
  discrepancy,
  environmentField,
  moment,
  standing,
  version,
} from './tracked.ts'
import { OUTCOMES, PAYMENT_OUTCOMES } from './view.ts'

import type { CheckoutMethods, CheckoutView } from './view.ts'

const Payment = z.object({
  status: field(z.literal(Object.values(PAYMENT_STATUS)), "The gateway's status of the payment."),
  outcome: field(z.enum(PAYMENT_OUTCOMES), 'Meaning of the status.'),
  amount: text('Amount, as decimal text in major units of currency.', '1500.00'),
  currency: currencyField,
  method: textOrNull('Payment method. Null when not reported.', 'MOMO_KEN'),
  paid_at: field(
    z.iso.datetime().nullable(),
    'When the payment was made. ISO 8601, UTC. Null when not reported.',
    '2026-11-21T09:05:00.000Z',
  ),
  reason: field(
    z.enum(FAILURE_REASONS).exactOptional(),
    'Why the payment failed, as far as the gateway says it; unknown otherwise. Present only when it failed.',
    'wrong_pin',
  ),
  receipt: field(
    z.string().exactOptional(),
    "The operator's receipt number, as in the SMS to the payer. Present only when the gateway reports one.",
    'SKL4XR7M2P',
  ),
})

const Prompt = z.object({
  method: textOrNull(
    'Operator that asks the payer on the phone. Null when the payer was not asked: GATEWAY_CHARGE_METHODS has no operator for the currency, or the order has a checkout that can be paid on the hosted page.',
    'MOMO_KEN',
  ),
  methods: field(
    z.array(
      z.object({
        code: text('payment_method_code of the operator.', 'MOMO_KEN'),
        name: text('Name of the operator.', 'MoMo'),
        dial: field(
          z.string().exactOptional(),
          'What a payer dials who has received no prompt. Present only where it is configured.',
          '*334#',
        ),
      }),
    ),
    'Operators that the shopper can choose for another prompt: those that are available, and take the amount. Empty when no phone can be asked for this order.',
  ),
})

const view = z.object({
  order: text('Your reference of the order.', 'A-1001'),
  checkout_id: text(
    'Id of the checkout: opaque, with at least 128 random bits. Whoever knows it may read the view.',
    'pZ0R4uXbTn2vM8kQwY6sLg',
  ),
  merchant_transaction_id: text(
    "The gateway's reference of the checkout.",
    '7f9c2ba4-e88f-427d-9161-9b2b4a5c1e07',
  ),
  attempt: field(z.int(), 'Number of this checkout of the order, from 1.', 1),
  status: field(
    z.literal(Object.values(CHECKOUT_STATUS)).nullable(),
    "The gateway's status. Null before the gateway reports one.",
  ),
  outcome: field(z.enum(OUTCOMES), 'Meaning of the status. Branch on this field.'),
  settled: standing.settled,
  discrepancy,
  amount: text('Requested amount, as decimal text in major units of currency.', '1500'),
  amount_paid: amountPaid,
  currency: currencyField,
  expires_at: moment('When the session of the hosted page ends.'),
  updated_at: moment('When the checkout last changed.'),
  server_time: moment('Time of this answer. Count down by it, not by the clock of the device.'),
  version,
  payments: field(z.array(Payment), 'Attempts to pay, oldest first.'),
  environment: environmentField,
  prompt: field(
    Prompt.exactOptional(),
    'Present when the phone of the payer was asked, and in the answer to a request for that.',
  ),
  redirect_url: field(
    z.url().exactOptional(),
    'The hosted page. Present while it can be paid there.',
    'https://pay.gateway.example/pay/8815201',
  ),
})

export const CheckoutViewSchema: z.ZodType<CheckoutView> = view.meta({
  id: 'CheckoutView',
  description: 'What a shopper may see of a checkout.',
})

export const CheckoutMethodsSchema: z.ZodType<CheckoutMethods> = z
  .object({
    calling_code: textOrNull(
      'Calling code that completes a national number: that of country, or else of DEFAULT_COUNTRY. Null when every number needs its own.',
      '254',
    ),
    methods: field(
      z.array(
        z.object({
          name: text('Name of the operator.', 'MoMo'),
          prefixes: field(
            z.array(text('Digits, with the calling code first.', '25470')),
            'Beginnings of its phone numbers, with the calling code. The longest that a number has decides.',
          ),
          away: field(
            z.boolean(),
            'Whether the operator cannot ask anybody at present: a prompt is refused (operator_unavailable).',
            false,
          ),
        }),
      ),
      'Operators of GATEWAY_CHARGE_METHODS, in that order. Empty when no phone can be asked.',
    ),
  })
  .meta({ id: 'CheckoutMethods', description: 'The operators that ask payers on the phone.' })

const LinkChoice = z.object({
  id: text('Id of the link.', 'pZ0R4uXbTn2vM8kQwY6sLg3f'),
  amount: text('Amount of one piece, as decimal text in major units of currency.', '1500'),
  quantity: field(z.int(), 'The number of pieces.', 1),
  answer: field(
    z.string().exactOptional(),
    'What the payer answered to the question of the link. Only in answers of /api/checkouts, until it is erased; never in an event.',
    'Asha',
  ),
})

/** A checkout in the responses of `/api/checkouts` and in the `data` of `checkout.*` events. */
export const TrackedCheckout = view
  .extend({
    link: field(
      LinkChoice.nullable(),
      'What the payer of a reusable link chose. Null for an order that is not one of a link.',
    ),
    attention,
    fulfilment: field(
      TrackedFulfilment.nullable(),
      'The service confirmation. Null for a checkout that needs none: without splits and prompt, or not known to the gateway.',
    ),
  })
  .meta({ id: 'TrackedCheckout', description: 'A checkout with its state, as its merchant sees it.' })
export type TrackedCheckout = z.output<typeof TrackedCheckout>
