/**
 * What the merchant's decisions about the service mean: whether held money waits for one, why it waits for a person, and
 * the field `fulfilment` of the API. Pure.
 */

import { compare } from '../contract/decimal.ts'
import { CHECKOUT_STATUS } from '../contract/status.ts'
import { pendingIn, sendableIn } from '../transactions/kind.ts'
import { hasEnded, hasSucceeded, LATE } from '../transactions/told.ts'
import { heldBeside, isAboutHeld, isHeld, paymentOf } from './held-payments.ts'
import { moneyOf } from './reported-money.ts'
import { isServiceRefused } from './service-confirmation.ts'

import type { TrackedFulfilment } from '../api/charge.ts'
import type { PaymentConfirmation, ServiceConfirmation } from '../transactions/kind.ts'
import type { Resolution } from '../transactions/resolution.ts'
import type { ReportedState } from './reported-state.ts'
import type { Reported } from './service-confirmation.ts'

/**
 * Returns whether held money waits for the merchant's decision about the service, or for the gateway to take it, also if
 * a person has resolved the pay-in as paid.
 */
export function awaitsService({
  confirmation,
  reported,
  resolution,
}: Reported & { resolution: Resolution | null }): boolean {
  const isUnserved = heldAmong(confirmation, reported).some(({ stage }) => stage !== 'confirmed')
  return isUnserved && (resolution === null || resolution.says === 'paid')
}

/** Returns the confirmations about money that is held, or went back because the merchant said FAILED. */
export function confirmationOfHeld({ confirmation, reported }: Reported): ServiceConfirmation | null {
  const isDone = (each: PaymentConfirmation) =>
    each.stage === 'confirmed' && each.decision.status === 'FAILED'
  const payments = confirmation?.payments.filter((each) => isAboutHeld(each, reported) || isDone(each)) ?? []
  return confirmation && { ...confirmation, payments }
}

/** Returns the confirmations about payments that the gateway holds. */
function heldAmong(
  confirmation: ServiceConfirmation | null,
  reported: ReportedState | null,
): PaymentConfirmation[] {
  return confirmation?.payments.filter((each) => isAboutHeld(each, reported)) ?? []
}

/** Why money waits for a person of which an event may not have told. */
const REPLACED =
  'A payment of which you were told went back or is listed no more, and another one is held, about which nobody has decided.'

/**
 * Returns whether a payment is held, about which nobody has decided, and one that was heard of before it no longer is, or
 * may be this one.
 */
function isReplaced({ payments }: ServiceConfirmation, reported: ReportedState): boolean {
  const firstGone = payments.findIndex((each) => !isAboutHeld(each, reported))
  return payments.some((each, place) => {
    if (each.stage !== 'open' || !isAboutHeld(each, reported)) {
      return false
    }

    const isAfterGone = firstGone !== -1 && place > firstGone
    return each.by === 'person' || (each.by === 'event' && isAfterGone)
  })
}

/** Why what is left of money waits for a person. */
const PART_LEFT = 'A part of the money of which you were told went back, and the rest is held.'

/** Why money that was paid after FAILED waits for a person. */
const UNWANTED = 'The merchant has refused the service, and it was paid in full all the same.'

/**
 * Returns why held money waits for a person, as a sentence: the decision about the service was refused or ended, the
 * payment may have replaced another one, or it came after the merchant was told of an end or has refused the service, and
 * may be of no use any more. `null` if it waits for nobody.
 *
 * @param isPaid Whether the pay-in counts as paid as requested.
 */
export function whyUnserved(
  { confirmation, reported, told }: Reported & { told: readonly string[] },
  isPaid: boolean,
): string | null {
  if (confirmation === null || !isHeld(reported)) {
    return null
  }

  const held = heldAmong(confirmation, reported)
  const refused = held.find((each) => each.stage === 'refused' && !each.is_resolved)
  if (refused?.stage === 'refused') {
    return refused.message
  }
  if (isReplaced(confirmation, reported)) {
    return REPLACED
  }

  const isServed = held.every((each) => each.stage !== 'open' && each.decision.status === 'SUCCESSFUL')
  if (held.length > 0 && isServed) {
    return null
  }
  if (reported.status === CHECKOUT_STATUS.partial && hasSucceeded(told)) {
    return PART_LEFT
  }
  if (!isPaid) {
    return null
  }
  if (hasEnded(told)) {
    return LATE.succeeded
  }
  return isServiceRefused(confirmation) && !hasSucceeded(told) ? UNWANTED : null
}

/** Returns whether the gateway accepted a decision FAILED but has not reported the refund of the payer yet. */
export function isRefundDue({ confirmation, reported }: Reported): boolean {
  const refused = heldAmong(confirmation, reported).filter(
    (each) => each.stage === 'confirmed' && each.decision.status === 'FAILED',
  )
  if (reported === null || refused.length === 0) {
    return false
  }

  // A refund under an id of its own leaves the payment listed, and less money than all payments together.
  const { received, unreadable } = moneyOf(reported)
  return unreadable || compare(received, heldBeside(reported, refused.map(paymentOf))) > 0
}

/**
 * Converts a service confirmation to the field `fulfilment` in the API's responses: the decision that is being sent, or
 * else one that was refused, of those about held money if there is any, or else the last one.
 */
export function trackedFulfilmentOf(
  confirmation: ServiceConfirmation,
  reported: ReportedState | null,
): TrackedFulfilment {
  const held = heldAmong(confirmation, reported)
  const refused = (held.length > 0 ? held : confirmation.payments).find((each) => each.stage === 'refused')
  const last = confirmation.payments.findLast((each) => each.stage !== 'open')
  const [first] = pendingIn(confirmation)
  const shown = sendableIn(confirmation) ?? first ?? refused ?? last
  if (shown === undefined) {
    return { stage: 'open', status: null, narration: null, payment_id: null, message: null }
  }

  const message = 'message' in shown ? shown.message : null
  const stage = 'stage' in shown ? shown.stage : 'decided'
  return { stage, ...shown.decision, message }
}
