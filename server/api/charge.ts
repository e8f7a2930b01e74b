/** What the merchant may see of a charge: the spec's words with the tracked state. */

import { z } from 'zod'
import { CONFIRMATIONS } from '../contract/charge.ts'
import { CheckoutError } from '../contract/errors.ts'
import { CHECKOUT_STATUS } from '../contract/status.ts'
import { attention, commonFields, standing, version } from './tracked.ts'
import { DISCREPANCIES } from './view.ts'

/** How far the service processing confirmation is. */
export const FULFILMENT_STAGES = ['open', 'decided', 'confirmed', 'refused'] as const

/** Of a charge, or of a checkout whose order has splits. */
export const TrackedFulfilment = z.object({
  stage: z
    .enum(FULFILMENT_STAGES)
    .describe('open: nobody has said; decided: on its way; confirmed or refused by the gateway.'),
  status: z.enum(CONFIRMATIONS).nullable().describe('What was said; null while nobody has.'),
  narration: z.string().nullable(),
  payment_id: z.string().nullable(),
  message: z.string().nullable().describe("The gateway's words."),
})
export type TrackedFulfilment = z.output<typeof TrackedFulfilment>

/** The answer of `/api/charges`, and the data of the merchant's events. */
export const TrackedCharge = z.object({
  external_reference: z.string(),
  charge_request_id: z.string().nullable().describe('Null while the gateway has not answered.'),
  ...standing,
  status: z
    .literal(Object.values(CHECKOUT_STATUS))
    .nullable()
    .describe("The gateway's status; null before it told one."),
  discrepancy: z
    .enum(DISCREPANCIES)
    .nullable()
    .describe('How money that the gateway calls complete differs from what was asked.'),
  amount: z.string().describe('What the payer is asked for, as decimal text.'),
  amount_paid: z.string().describe('What the gateway says was received: decimal text.'),
  currency: z.string(),
  split_settlements: z.array(
    z.object({
      account: z.string(),
      amount: z.string().describe('Decimal text.'),
      reason: z.string(),
    }),
  ),
  fulfilment: TrackedFulfilment,
  refusal: CheckoutError.nullable().describe("The gateway's words where it refused the charge."),
  attention,
  redirect_url: z.string().nullable().describe('The hosted page, where the payer pays there.'),
  expires_at: z.iso.datetime().nullable(),
  ...commonFields,
  version,
})
export type TrackedCharge = z.output<typeof TrackedCharge>
