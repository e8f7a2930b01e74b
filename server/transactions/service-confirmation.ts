/**
 * Defines service confirmations. The merchant decides whether
 * the paid service was provided. The server sends this decision to the gateway before the next status query.
 * [spec: Service processing confirmation]
 */

import { z } from 'zod'
import { CONFIRMATIONS } from '../contract/charge.ts'

/**
 * The merchant's decision about a paid service. `SUCCESSFUL` pays the partner accounts their shares; `FAILED` refunds
 * the payer. `narration` is the merchant's reason.
 */
const Decision = z.object({
  status: z.enum(CONFIRMATIONS),
  narration: z.string(),
  /** The id of the confirmed payment; `null` if the gateway reported no payment id. */
  payment_id: z.string().nullable(),
})
export type Decision = z.output<typeof Decision>
export type MerchantDecision = Pick<Decision, 'status' | 'narration'>

/**
 * A service confirmation. It is `open` until the merchant decides. Then it is `decided`, and the server sends the
 * decision until the gateway responds. Then it is `confirmed` if the gateway has accepted the decision, or `refused` if
 * the gateway has refused the decision. After a refusal, the merchant may decide again.
 */
export const ServiceConfirmation = z.discriminatedUnion('stage', [
  z.object({ stage: z.literal('open') }),
  z.object({ stage: z.literal('decided'), decision: Decision }),
  z.object({ stage: z.literal('confirmed'), decision: Decision, message: z.string().nullable() }),
  z.object({ stage: z.literal('refused'), decision: Decision, why: z.string() }),
])
export type ServiceConfirmation = z.output<typeof ServiceConfirmation>
