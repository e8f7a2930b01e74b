/**
 * What the synchronizer needs to know of a service confirmation: the merchant says whether a payment was served, and
 * the gateway is told before it is asked for the status. [spec: Service processing confirmation]
 */

import type { Transaction } from '../store.ts'
import type { BoundTransition } from './transition.ts'
import { z } from 'zod'
import { CONFIRMATIONS } from '../contract/charge.ts'

/** What the merchant says of a payment: `SUCCESSFUL` distributes the money, `FAILED` refunds the payer. */
const Decision = z.object({
  status: z.enum(CONFIRMATIONS),
  narration: z.string(),
  /** `null` where the gateway named none. */
  payment_id: z.string().nullable(),
})
export type Decision = z.output<typeof Decision>
export type MerchantDecision = Pick<Decision, 'status' | 'narration'>

/** How far a confirmation is. After `refused`, by the gateway, the merchant may decide anew. */
export const ServiceConfirmation = z.discriminatedUnion('stage', [
  z.object({ stage: z.literal('open') }),
  z.object({ stage: z.literal('decided'), decision: Decision }),
  z.object({ stage: z.literal('confirmed'), decision: Decision, message: z.string().nullable() }),
  z.object({ stage: z.literal('refused'), decision: Decision, why: z.string() }),
])
export type ServiceConfirmation = z.output<typeof ServiceConfirmation>

/** Implemented by kinds whose payments are confirmed. */
export interface ServiceConfirmations {
  /** Pure; `null` for a transaction that is not confirmed. */
  of(transaction: Transaction): ServiceConfirmation | null
  decide(decision: MerchantDecision): BoundTransition
  /**
   * Sends the stored decision to the gateway; `null` where there is none to send.
   * @throws {GatewayError} when there is no answer to use: the decision is then sent again.
   */
  confirm(transaction: Transaction): Promise<BoundTransition> | null
}
