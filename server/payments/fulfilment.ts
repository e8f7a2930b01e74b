/**
 * The second half of a charge: whether the merchant could serve what was paid for, and the gateway's knowing it.
 * [spec: Service processing confirmation, Split settlement flow]
 *
 * It is decided once and stored; then it is sent until it is answered. [assumed] Saying the same again moves nothing
 * twice. What the gateway refused was never said, so a person may decide it anew.
 */

import type { GatewayClient } from '../gateway/client.ts'
import type { Seen } from './seen.ts'
import { z } from 'zod'
import { CONFIRMATIONS } from '../contract/charge.ts'
import { GatewayRefusal } from '../gateway/errors.ts'

const Decision = z.object({
  status: z.enum(CONFIRMATIONS),
  narration: z.string(),
  /** `null` where the gateway named none. */
  payment_id: z.string().nullable(),
})
export type Decision = z.output<typeof Decision>

export const Fulfilment = z.discriminatedUnion('stage', [
  z.object({ stage: z.literal('open') }),
  z.object({ stage: z.literal('decided'), decision: Decision }),
  z.object({ stage: z.literal('confirmed'), decision: Decision, message: z.string().nullable() }),
  z.object({ stage: z.literal('refused'), decision: Decision, why: z.string() }),
])
export type Fulfilment = z.output<typeof Fulfilment>

/** What the merchant says of what was paid. */
export type Said = Pick<Decision, 'status' | 'narration'>

export type FulfilmentNews =
  | { kind: 'decided'; said: Said }
  /** By the gateway. */
  | { kind: 'confirmed'; message: string | null }
  | { kind: 'refused'; why: string }

/** What the merchant says by taking the event of a payment. */
export const SERVED: Said = {
  status: 'SUCCESSFUL',
  narration: 'The merchant was told of the payment and took it.',
}

export interface AdvancedFulfilment {
  fulfilment: Fulfilment
  /** What happened, for the history; `null` when nothing did. */
  what: string | null
}

/** The first decision stands. Nothing is decided about money that is not, or is no longer, there. */
export function advanceFulfilment(
  fulfilment: Fulfilment,
  news: FulfilmentNews,
  seen: Seen | null,
): AdvancedFulfilment {
  switch (news.kind) {
    case 'decided': {
      const { status, narration } = news.said
      const isOpen = fulfilment.stage === 'open' || fulfilment.stage === 'refused'
      if (!isOpen || !isHeld(seen)) return { fulfilment, what: null }
      const decision = { status, narration, payment_id: paymentOf(seen) }
      return { fulfilment: { stage: 'decided', decision }, what: `The merchant says ${status}: ${narration}` }
    }
    case 'confirmed':
    case 'refused':
      return fulfilment.stage === 'decided' ? answered(fulfilment.decision, news) : { fulfilment, what: null }
  }
}

/** What is to be sent when the gateway is next asked; `null` when there is nothing to say. */
export function toConfirm(fulfilment: Fulfilment): Decision | null {
  return fulfilment.stage === 'decided' ? fulfilment.decision : null
}

/** Whether the money is about to go back to the payer. */
export function isRefundDue(fulfilment: Fulfilment, seen: Seen | null): boolean {
  return fulfilment.stage === 'confirmed' && fulfilment.decision.status === 'FAILED' && isHeld(seen)
}

/** @throws {GatewayError} when the answer is unknown; it is then sent again. */
export async function confirm(
  client: Pick<GatewayClient, 'confirmService'>,
  { payment_id, status, narration }: Decision,
): Promise<FulfilmentNews> {
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
  news: Exclude<FulfilmentNews, { kind: 'decided' }>,
): AdvancedFulfilment {
  if (news.kind === 'refused') {
    const { why } = news
    return { fulfilment: { stage: 'refused', decision, why }, what: why }
  }
  return {
    fulfilment: { stage: 'confirmed', decision, message: news.message },
    what: `The gateway took ${decision.status}.`,
  }
}

/** Also a part: it goes back, or, where it covers the shares, is shared. [assumed] */
function isHeld(seen: Seen | null): seen is Seen {
  return seen?.status === 801 || seen?.status === 802
}

/** [assumed] Of several payments, the one that made the sum whole stands for all. */
function paymentOf({ payments }: Seen): string | null {
  return payments.findLast(({ status }) => status === 700)?.payment_id ?? null
}
