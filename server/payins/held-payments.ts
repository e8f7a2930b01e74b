/** Which of the payments that the gateway holds a decision about the service is about. Pure. */

import { identityOf, idOf, paymentsOf } from './payment.ts'
import { isReceived, moneyOf } from './reported-money.ts'

import type { PaymentOutcome } from '../api/view.ts'
import type { Decision, ServiceConfirmation } from '../transactions/kind.ts'
import type { Payment } from './payment.ts'
import type { ReportedState } from './reported-state.ts'

/**
 * Returns whether the gateway holds the payer's money. Only then can the merchant decide. [assumed] A partial payment
 * counts too: the gateway refunds the payment, or distributes the money if the amount covers the splits.
 */
export function isHeld(reported: ReportedState | null): reported is ReportedState {
  const money = moneyOf(reported)
  return isReceived(money) && !money.returned
}

/** Returns the id of the first held payment of these; `null` if the gateway names none. */
export function heldFrom(payments: Payment[]): string | null {
  const held = paymentsOf({ payments }, 'successful').find(({ payment_id }) => payment_id !== null)
  return held?.payment_id ?? null
}

/**
 * Returns the id of the first held payment after the one about which the gateway has taken a decision; `null` if there is
 * none. [assumed] A payment that is no longer listed by this id has got another one.
 */
export function heldAfter(reported: ReportedState | null, decision: Decision): string | null {
  const [named, ...later] = reported === null ? [] : paymentsFrom(reported, decision)
  const isNamed = named !== undefined && named.payment_id === decision.payment_id
  return isNamed ? heldFrom(later.filter(({ payment_id }) => payment_id !== decision.payment_id)) : null
}

/**
 * Returns whether a report holds a new payment in place of one that the report before it held: this one went back between
 * both, and nothing else shows it.
 */
export function isReplacement(before: ReportedState | null, reported: ReportedState): boolean {
  const held = before === null ? [] : paymentsOf(before, 'successful').map(idOf)
  const isGone = held.some((id) => isBack(reported, id))
  const isNew = paymentsOf(reported, 'successful')
    .map(idOf)
    .some((id) => id !== null && !held.includes(id))
  return isGone && isNew
}

/** Returns whether the payment with this id went back. */
export function isBack(reported: ReportedState, payment_id: string | null): boolean {
  const idsOf = (...outcomes: PaymentOutcome[]) => paymentsOf(reported, ...outcomes).map(idOf)
  const id = identityOf(payment_id)
  return id !== null && idsOf('reversed', 'refunded').includes(id) && !idsOf('successful').includes(id)
}

/**
 * Returns whether a payment is held about which a decision was made: the one that it names, or a later one. Money without
 * payments is what the decision is about.
 */
export function holdsDecided(reported: ReportedState, decision: Decision): boolean {
  const concerned = paymentsFrom(reported, decision)
  const isListed = reported.payments.length > 0
  return isHeld(reported) && (!isListed || paymentsOf({ payments: concerned }, 'successful').length > 0)
}

/**
 * Returns the id of the first payment about which the merchant decides now; `null` if the gateway names none. The payments
 * before one that the gateway refused to confirm are confirmed.
 */
export function undecidedIn(confirmation: ServiceConfirmation, reported: ReportedState): string | null {
  switch (confirmation.stage) {
    case 'open':
      return heldFrom(reported.payments)
    case 'refused':
      return heldFrom(paymentsFrom(reported, confirmation.decision))
    case 'decided':
    case 'confirmed':
      return heldAfter(reported, confirmation.decision)
  }
}

/**
 * Returns whether the merchant may decide about held money: for the first time, after a refusal by the gateway, or about
 * what was paid after SUCCESSFUL.
 */
export function isUndecided(confirmation: ServiceConfirmation, reported: ReportedState): boolean {
  if (confirmation.stage !== 'confirmed') {
    return !isDecided(confirmation)
  }
  return confirmation.decision.status === 'SUCCESSFUL' && heldAfter(reported, confirmation.decision) !== null
}

export function isDecided(
  confirmation: ServiceConfirmation,
): confirmation is Extract<ServiceConfirmation, { stage: 'decided' | 'confirmed' }> {
  return confirmation.stage === 'decided' || confirmation.stage === 'confirmed'
}

/** Returns the payments of a report from the one that a decision names on; all of them if it is not in the report. */
function paymentsFrom({ payments }: ReportedState, { payment_id }: Decision): Payment[] {
  const place = payments.findIndex((each) => payment_id !== null && each.payment_id === payment_id)
  return payments.slice(Math.max(place, 0))
}
