/** Which payments of a report the gateway holds, for the service confirmations about them. Pure. */

import { compare, larger, subtract } from '../contract/decimal.ts'
import { identityOf } from './identity.ts'
import { isReturn, ledgerOf } from './ledger.ts'
import { idOf, isOwn, paymentsOf, sumOf } from './payment.ts'
import { moneyOf } from './reported-money.ts'

import type { PaymentConfirmation } from '../transactions/kind.ts'
import type { LedgerPayment } from './ledger.ts'
import type { ReportedState } from './reported-state.ts'

/**
 * Returns whether the gateway holds the payer's money. Only then can the merchant decide. [assumed] A partial payment
 * counts too: the gateway refunds the payment, or distributes the money if the amount covers the splits.
 */
export function isHeld(reported: ReportedState | null): reported is ReportedState {
  const { received, unreadable, returned } = moneyOf(reported)
  return compare(received, '0') > 0 || (unreadable && !returned)
}

/**
 * Returns the ids of the held payments that the gateway names, each once, in the order of the report. About what counts
 * for another transaction, that one's merchant decides.
 */
export function heldIn(reported: ReportedState): string[] {
  if (!isHeld(reported)) {
    return []
  }

  const own = heldPaymentsOf(reported).filter(({ payment }) => isOwn(payment))
  return own.flatMap(({ payment: { payment_id } }) => payment_id ?? [])
}

/** Returns the payments of which something is held by the list. */
function heldPaymentsOf(reported: ReportedState): LedgerPayment[] {
  return ledgerOf(reported).payments.filter(({ held }) => compare(held, '0') > 0)
}

/** Returns whether the gateway holds a payment that it does not name. */
export function holdsUnnamed(reported: ReportedState): boolean {
  const isUnnamed = heldPaymentsOf(reported).some(({ payment }) => idOf(payment) === null)
  const isUnlisted = heldIn(reported).length === 0 && reported.payments.every(isOwn)
  return isHeld(reported) && (isUnnamed || isUnlisted)
}

/** Returns the id of the payment that a service confirmation is about; `null` while the gateway has named none. */
export function paymentOf(confirmation: PaymentConfirmation): string | null {
  return confirmation.stage === 'open' ? confirmation.payment_id : confirmation.decision.payment_id
}

/** Returns a service confirmation about the payment with another id. */
export function withPayment(confirmation: PaymentConfirmation, payment_id: string): PaymentConfirmation {
  if (confirmation.stage === 'open') {
    return { ...confirmation, payment_id }
  }
  return { ...confirmation, decision: { ...confirmation.decision, payment_id } }
}

/** Returns whether the gateway holds the payment that a service confirmation is about. */
export function isAboutHeld(confirmation: PaymentConfirmation, reported: ReportedState | null): boolean {
  if (!isHeld(reported)) {
    return false
  }

  const id = nameIn(reported, paymentOf(confirmation))
  if (id === null) {
    return holdsUnnamed(reported)
  }

  const held = heldIn(reported)
  // Money without named payments is what all confirmations are about whose payment did not go back.
  return held.length === 0 ? !isBack(reported, id) : held.some((each) => isSameId(each, id))
}

/** Returns whether the payment with this id went back, and not only a part of it. */
export function isBack(reported: ReportedState, payment_id: string | null): boolean {
  const id = nameIn(reported, payment_id)
  const returned = paymentsOf(reported, 'reversed', 'refunded')
  const isListed = returned.some((each) => isSameId(each.payment_id, id))
  return isListed && !heldPaymentsOf(reported).some(({ payment }) => isSameId(payment.payment_id, id))
}

/** Returns whether a report lists a payment that went back, or a part of one, or says so of the pay-in. */
export function isReturnListed(reported: ReportedState): boolean {
  return isReturn(reported.status) || paymentsOf(reported, 'reversed', 'refunded').length > 0
}

/** Returns whether the last report leaves out a payment that was made. */
export function isAnyLeftOut({ payments }: ReportedState): boolean {
  return payments.some((each) => each.is_left_out === true)
}

/** Returns whether a report names the payment with this id, with whatever outcome. */
export function isNamed(reported: ReportedState, payment_id: string | null): boolean {
  const id = nameIn(reported, payment_id)
  return reported.payments.some((each) => isSameId(each.payment_id, id))
}

/**
 * Returns the id by which a payment is found now: one that was first known by the id of its charge may have got another
 * one, and what was decided about it until then names the charge.
 */
export function nameIn({ known }: Pick<ReportedState, 'known'>, id: string | null): string | null {
  const own = identityOf(id)
  const renamed = own === null ? undefined : known.find(({ charge }) => charge === own)
  return renamed?.id ?? own
}

/** Returns whether two texts are one id of a payment. */
export function isSameId(one: string | null, other: string | null): boolean {
  const id = identityOf(one)
  return id !== null && id === identityOf(other)
}

/**
 * Returns what was paid by the payment that a service confirmation is about, also if it went back: decimal text in major
 * units. What the gateway names no payment for is that of the one without a name.
 */
export function amountOf(confirmation: PaymentConfirmation, reported: ReportedState): string {
  const id = nameIn(reported, paymentOf(confirmation))
  const about = ledgerOf(reported).payments.find(({ payment }) => idOf(payment) === id)
  return id !== null && about ? about.worth : unnamedIn(reported)
}

/** Returns how much the gateway holds by the list beside the payments with these ids: decimal text in major units. */
export function heldBeside(reported: ReportedState, ids: readonly (string | null)[]): string {
  const others = heldPaymentsOf(reported).filter(
    ({ payment }) => !ids.some((id) => isSameId(nameIn(reported, id), payment.payment_id)),
  )
  return sumOf(others.map(({ held }) => ({ amount: held })))
}

/** Returns how much the gateway holds beside the payments that it names: decimal text in major units. */
export function unnamedIn(reported: ReportedState): string {
  const named = heldPaymentsOf(reported).filter(({ payment }) => idOf(payment) !== null)
  const held = sumOf(named.map((each) => ({ amount: each.held })))
  return larger(subtract(moneyOf(reported).received, held), '0')
}
