/**
 * Defines service confirmations, and the functions with which the synchronizer sends them. The merchant decides whether
 * the paid service was provided. The server sends this decision to the gateway before the next status query.
 * [spec: Service processing confirmation]
 */

import type { Transaction } from '../store.ts'
import type { BoundTransition } from './transition.ts'
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

/**
 * The functions for service confirmations. Each kind whose transactions need a service confirmation implements these
 * functions.
 */
export interface ServiceConfirmations {
  /** Returns the service confirmation of a transaction; `null` if the transaction needs no confirmation. Pure. */
  of(transaction: Transaction): ServiceConfirmation | null
  /** Returns the transition result that stores the merchant's decision. */
  decide(decision: MerchantDecision): BoundTransition
  /**
   * Returns the transition result after the merchant's backend accepted the event about the payment. The result stores
   * the decision SUCCESSFUL, if the transaction still counts as paid as requested and has no decision.
   */
  accept(): BoundTransition
  /**
   * Sends the stored decision to the gateway, and resolves with the transition result for the gateway's response.
   * Returns `null` if no stored decision has to be sent.
   *
   * @throws {GatewayError} if there is no usable response. The decision is then sent again later.
   */
  confirm(transaction: Transaction): Promise<BoundTransition> | null
}
