/**
 * The second half of a charge: whether the merchant could serve what was paid for, and the gateway's knowing it.
 * [spec: Service processing confirmation, Split settlement flow]
 *
 * It is decided once and stored; then it is sent until it is answered. [assumed] Saying the same again moves nothing
 * twice. What the gateway refused was never said, so a person may decide it anew.
 */

import type { GatewayClient } from '../gateway/client.ts'
import type { Decision, MerchantDecision, ServiceConfirmation } from '../transactions/service-confirmation.ts'
import type { ReportedState } from './reported-state.ts'
import { GatewayRefusal } from '../gateway/errors.ts'

export type ConfirmationObservation =
  | { kind: 'decided'; said: MerchantDecision }
  /** By the gateway. */
  | { kind: 'confirmed'; message: string | null }
  | { kind: 'refused'; why: string }

/** What the merchant says by taking the event of a payment. */
export const SERVED: MerchantDecision = {
  status: 'SUCCESSFUL',
  narration: 'The merchant was told of the payment and took it.',
}

export interface ConfirmationTransition {
  fulfilment: ServiceConfirmation
  /** What happened, for the history; `null` when nothing did. */
  historyEntry: string | null
}

/** The first decision stands. Nothing is decided about money that is not, or is no longer, there. */
export function transitionConfirmation(
  fulfilment: ServiceConfirmation,
  news: ConfirmationObservation,
  reported: ReportedState | null,
): ConfirmationTransition {
  switch (news.kind) {
    case 'decided': {
      const { status, narration } = news.said
      const isOpen = fulfilment.stage === 'open' || fulfilment.stage === 'refused'
      if (!isOpen || !isHeld(reported)) return { fulfilment, historyEntry: null }
      const decision = { status, narration, payment_id: paymentOf(reported) }
      return {
        fulfilment: { stage: 'decided', decision },
        historyEntry: `The merchant says ${status}: ${narration}`,
      }
    }
    case 'confirmed':
    case 'refused':
      return fulfilment.stage === 'decided'
        ? answered(fulfilment.decision, news)
        : { fulfilment, historyEntry: null }
  }
}

/** What is to be sent when the gateway is next asked; `null` when there is nothing to say. */
export function pendingDecision(fulfilment: ServiceConfirmation): Decision | null {
  return fulfilment.stage === 'decided' ? fulfilment.decision : null
}

/** Whether the money is about to go back to the payer. */
export function isRefundDue(fulfilment: ServiceConfirmation, reported: ReportedState | null): boolean {
  return fulfilment.stage === 'confirmed' && fulfilment.decision.status === 'FAILED' && isHeld(reported)
}

/** @throws {GatewayError} when the answer is unknown; it is then sent again. */
export async function sendDecision(
  client: Pick<GatewayClient, 'confirmService'>,
  { payment_id, status, narration }: Decision,
): Promise<ConfirmationObservation> {
  if (payment_id === null) return { kind: 'refused', why: 'The gateway named no payment to confirm.' }
  try {
    const { message } = await client.confirmService({ payment_id, status, narration })
    return { kind: 'confirmed', message }
  } catch (error) {
    if (!(error instanceof GatewayRefusal)) throw error
    return { kind: 'refused', why: `${error.message} ${error.refusal.message}`.trim() }
  }
}

function answered(
  decision: Decision,
  news: Exclude<ConfirmationObservation, { kind: 'decided' }>,
): ConfirmationTransition {
  if (news.kind === 'refused') {
    const { why } = news
    return { fulfilment: { stage: 'refused', decision, why }, historyEntry: why }
  }
  return {
    fulfilment: { stage: 'confirmed', decision, message: news.message },
    historyEntry: `The gateway took ${decision.status}.`,
  }
}

/** Also a part: it goes back, or, where it covers the shares, is shared. [assumed] */
function isHeld(reported: ReportedState | null): reported is ReportedState {
  return reported?.status === 801 || reported?.status === 802
}

/** [assumed] Of several payments, the one that made the sum whole stands for all. */
function paymentOf({ payments }: ReportedState): string | null {
  return payments.findLast(({ status }) => status === 700)?.payment_id ?? null
}
