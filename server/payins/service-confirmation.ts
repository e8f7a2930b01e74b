/**
 * Computes the state of service confirmations and sends the merchant's decisions, for charges and for checkouts with
 * splits. The merchant decides whether it provided the paid service, and the gateway then distributes the money or
 * refunds the payer. [spec: Service processing confirmation, Split settlement flow]
 *
 * A decision is stored once and then sent until the gateway responds. [assumed] Sending the same decision again has no
 * second effect. If the gateway refuses a decision, the merchant may make a new one.
 */

import type { TrackedFulfilment } from '../api/charge.ts'
import type { GatewayClient } from '../gateway/client.ts'
import type {
  Decision,
  MerchantDecision,
  ServiceConfirmation,
  ServiceConfirmations,
} from '../transactions/service-confirmation.ts'
import type { Progress } from '../transactions/schedule.ts'
import type { BoundTransition } from '../transactions/transition.ts'
import type { Transaction } from '../store.ts'
import type { ReportedState } from './reported-state.ts'
import { GatewayRefusal } from '../gateway/errors.ts'

export type ConfirmationObservation =
  | { kind: 'decided'; decision: MerchantDecision }
  /** The gateway accepted the decision. */
  | { kind: 'confirmed'; message: string | null }
  /** The gateway refused the decision, with `why` as its reason. */
  | { kind: 'refused'; why: string }

/** The decision that is stored when the merchant's backend accepts the event of a payment. */
export const SERVED: MerchantDecision = {
  status: 'SUCCESSFUL',
  narration: 'The merchant was told of the payment and took it.',
}

/**
 * Computes the next state of a service confirmation, and the history entry. The entry is `null` if nothing changed. A
 * decision stands unless the gateway refused it. The merchant cannot decide if no money was received or the money was
 * returned.
 */
export function transitionConfirmation(
  confirmation: ServiceConfirmation,
  observation: ConfirmationObservation,
  reported: ReportedState | null,
): { confirmation: ServiceConfirmation; historyEntry: string | null } {
  const { stage } = confirmation
  if (observation.kind === 'decided') {
    const isUndecided = stage === 'open' || stage === 'refused'
    if (!isUndecided || !isHeld(reported)) return { confirmation, historyEntry: null }
    const { status, narration } = observation.decision
    const decision = { status, narration, payment_id: paymentIdOf(reported) }
    return {
      confirmation: { stage: 'decided', decision },
      historyEntry: `The merchant says ${status}: ${narration}`,
    }
  }
  if (stage !== 'decided') return { confirmation, historyEntry: null }
  const { decision } = confirmation
  if (observation.kind === 'refused') {
    const { why } = observation
    return { confirmation: { stage: 'refused', decision, why }, historyEntry: why }
  }
  return {
    confirmation: { stage: 'confirmed', decision, message: observation.message },
    historyEntry: `The gateway took ${decision.status}.`,
  }
}

interface PayInState {
  confirmation: ServiceConfirmation | null
  reported: ReportedState | null
  settled_at: number | null
}

/**
 * Returns the progress of an acknowledged pay-in. The progress determines the time of the next query.
 *
 * @param deadlines Further times at which an unsettled pay-in is queried, in milliseconds since the Unix epoch.
 */
export function payInProgress(
  { confirmation, reported, settled_at }: PayInState,
  { created_at, updated_at }: Pick<Transaction, 'created_at' | 'updated_at'>,
  deadlines: readonly number[] = [],
): Progress {
  if (isConfirming(confirmation)) return { stage: 'confirming' }
  if (settled_at === null) return { stage: 'open', since: created_at, deadlines }
  if (isRefundDue(confirmation, reported)) return { stage: 'open', since: updated_at }
  return { stage: 'settled', at: settled_at }
}

/** Returns whether the gateway has yet to respond to the stored decision. */
export function isConfirming(confirmation: ServiceConfirmation | null): boolean {
  return confirmation?.stage === 'decided'
}

/** Returns whether the gateway confirmed FAILED but has not reported the refund of the payer yet. */
export function isRefundDue(
  confirmation: ServiceConfirmation | null,
  reported: ReportedState | null,
): boolean {
  return confirmation?.stage === 'confirmed' && confirmation.decision.status === 'FAILED' && isHeld(reported)
}

/**
 * Creates the {@link ServiceConfirmations} of a transaction kind.
 *
 * @param read Returns the service confirmation of a transaction; `null` if the transaction needs none.
 * @param observe Returns the transition of this kind for an observation about the service confirmation.
 */
export function createServiceConfirmations(
  client: Pick<GatewayClient, 'confirmService'>,
  read: (transaction: Transaction) => ServiceConfirmation | null,
  observe: (observation: { kind: 'confirmation'; observation: ConfirmationObservation }) => BoundTransition,
): ServiceConfirmations {
  return {
    of: read,
    decide: (decision) => observe({ kind: 'confirmation', observation: { kind: 'decided', decision } }),
    confirm(transaction) {
      const confirmation = read(transaction)
      return confirmation?.stage === 'decided' ? send(confirmation.decision, transaction.trace_id) : null
    },
  }

  async function send(
    { payment_id, status, narration }: Decision,
    traceId: string | null,
  ): Promise<BoundTransition> {
    if (payment_id === null) return refused('The gateway named no payment to confirm.')
    try {
      const { message } = await client.confirmService({ payment_id, status, narration }, { traceId })
      return observe({ kind: 'confirmation', observation: { kind: 'confirmed', message } })
    } catch (error) {
      if (!(error instanceof GatewayRefusal)) throw error
      return refused(`${error.message} ${error.refusal.message}`.trim())
    }
  }

  function refused(why: string): BoundTransition {
    return observe({ kind: 'confirmation', observation: { kind: 'refused', why } })
  }
}

/** Converts a service confirmation to the `fulfilment` of a charge in the API. */
export function trackedFulfilmentOf(confirmation: ServiceConfirmation): TrackedFulfilment {
  const { stage } = confirmation
  if (stage === 'open') return { stage, status: null, narration: null, payment_id: null, message: null }
  const message = stage === 'confirmed' ? confirmation.message : stage === 'refused' ? confirmation.why : null
  return { stage, ...confirmation.decision, message }
}

/**
 * Returns whether the gateway holds the payer's money, so that a decision is possible. [assumed] A partial payment
 * counts too: it is refunded, or distributed if it covers the splits.
 */
function isHeld(reported: ReportedState | null): reported is ReportedState {
  return reported?.status === 801 || reported?.status === 802
}

/**
 * Returns the id of the payment that the service confirmation refers to; `null` if the gateway did not report an id.
 * [assumed] If there are several successful payments, the last one represents them all.
 */
function paymentIdOf({ payments }: ReportedState): string | null {
  return payments.findLast(({ status }) => status === 700)?.payment_id ?? null
}
