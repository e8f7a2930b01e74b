/**
 * Service confirmations, as the synchronizer uses them: the merchant decides whether it served a payment, and the
 * gateway receives the decision before it is queried for the status. [spec: Service processing confirmation]
 */

import type { Transaction } from '../store.ts'
import type { BoundTransition } from './transition.ts'
import { z } from 'zod'
import { CONFIRMATIONS } from '../contract/charge.ts'

/** The merchant's decision: `SUCCESSFUL` distributes the money, `FAILED` refunds the payer. */
const Decision = z.object({
  status: z.enum(CONFIRMATIONS),
  narration: z.string(),
  /** `null` if the gateway reported no payment ID. */
  payment_id: z.string().nullable(),
})
export type Decision = z.output<typeof Decision>
export type MerchantDecision = Pick<Decision, 'status' | 'narration'>

/** Progress of a confirmation. After `refused` (by the gateway), the merchant may send a new decision. */
export const ServiceConfirmation = z.discriminatedUnion('stage', [
  z.object({ stage: z.literal('open') }),
  z.object({ stage: z.literal('decided'), decision: Decision }),
  z.object({ stage: z.literal('confirmed'), decision: Decision, message: z.string().nullable() }),
  z.object({ stage: z.literal('refused'), decision: Decision, why: z.string() }),
])
export type ServiceConfirmation = z.output<typeof ServiceConfirmation>

/** Implemented by kinds whose payments need a service confirmation. */
export interface ServiceConfirmations {
  /** Pure. `null` for a transaction that needs no confirmation. */
  of(transaction: Transaction): ServiceConfirmation | null
  decide(decision: MerchantDecision): BoundTransition
  /**
   * Sends the stored decision to the gateway; returns `null` if no decision is waiting.
   * @throws {GatewayError} if there is no usable response; the decision is then sent again.
   */
  confirm(transaction: Transaction): Promise<BoundTransition> | null
}
