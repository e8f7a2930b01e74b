/**
 * What a report about the money means for the merchant's decisions: each payment that is heard of for the first time can
 * be decided about, a decision about money that went back is no longer sent, and one about a payment whose id the gateway
 * had not reported waits for the id. Pure.
 */

import { add, compare, sum } from '../contract/decimal.ts'
import { hasSucceeded } from '../transactions/told.ts'
import {
  amountOf,
  heldIn,
  holdsUnnamed,
  isAnyLeftOut,
  isBack,
  isHeld,
  isNamed,
  isReturnListed,
  isSameId,
  nameIn,
  paymentOf,
  unnamedIn,
  withPayment,
} from './held-payments.ts'
import { moneyOf } from './reported-money.ts'
import { ended, newlyDecided, refusalIn } from './service-confirmation.ts'

import type { PaymentConfirmation, ServiceConfirmation } from '../transactions/kind.ts'
import type { Resolution } from '../transactions/resolution.ts'
import type { ReportedState } from './reported-state.ts'
import type { Reported } from './service-confirmation.ts'

/** Why a decision is no longer sent. It may have been sent, and its answer lost. */
const MONEY_GONE =
  'The money went back before an answer to the decision arrived. The decision is no longer sent.'

/** Why a decision about a payment without an id is no longer sent. */
const UNCLEAR =
  'The gateway reports other money since, and not which of it the decision is about. The decision is no longer sent.'

/**
 * Returns the service confirmation after a report. A payment that is heard of for the first time is open, or FAILED if the
 * merchant has refused the service and no person has resolved the pay-in. A decision is about held money: once its
 * payment went back, it is no longer sent.
 */
export function confirmationAfter(
  {
    confirmation,
    reported: before,
    resolution,
    told,
  }: Reported & { resolution: Resolution | null; told: readonly string[] },
  reported: ReportedState,
  now: number,
): ServiceConfirmation | null {
  if (confirmation === null) {
    return null
  }

  const kept = confirmation.payments.flatMap((each) => {
    const isGone = !isHeld(reported) || isBack(reported, paymentOf(each))
    if (each.stage === 'open' && isGone && !hasSucceeded(told)) {
      // Nobody was told of it, so that no event can be about it.
      return []
    }
    return each.stage === 'decided' && isGone ? [ended(each, MONEY_GONE)] : [each]
  })
  const isClear = !isHeld(reported) || isNamelessKept(kept, before, reported)
  const known = isClear ? named(kept, reported) : kept.flatMap((each) => withoutNameless(each))

  const wasReturned = moneyOf(before).returned
  const refusal = resolution === null ? refusalIn(confirmation) : null
  // No event tells of what takes the place of money of which one has told.
  const isReplacing = !isClear || isReturnListed(reported) || isAnyLeftOut(reported)
  const byReport = isReplacing && hasSucceeded(told) ? 'person' : 'event'
  const by = resolution !== null ? 'api' : byReport
  const added = newIn(reported, known, wasReturned).map((payment_id): PaymentConfirmation =>
    refusal ? newlyDecided({ ...refusal, payment_id }, now) : { stage: 'open', payment_id, by },
  )
  return { ...confirmation, payments: [...known, ...added] }
}

/** Returns whether a service confirmation is about money without an id, and was not ended. */
function isNameless(confirmation: PaymentConfirmation): boolean {
  const { stage } = confirmation
  return paymentOf(confirmation) === null && (stage === 'open' || stage === 'decided')
}

/**
 * Returns whether what had no id still is the same money: what has a new id now, and what still has none, are together
 * as much. [assumed] If anything went back, or more was paid, new ids may be of other payments.
 */
function isNamelessKept(
  payments: readonly PaymentConfirmation[],
  before: ReportedState | null,
  reported: ReportedState,
): boolean {
  if (before === null || !payments.some(isNameless)) {
    return true
  }

  const names = unknownIn(reported, payments)
  const paid = names.map((payment_id) => amountOf({ stage: 'open', payment_id, by: 'event' }, reported))
  const isSame = compare(unnamedIn(before), add(sum(paid), unnamedIn(reported))) === 0
  return isSame && (names.length === 0 || !isReturnListed(reported))
}

/** Returns the confirmations of the same money under the ids that it has now. */
function named(payments: readonly PaymentConfirmation[], reported: ReportedState): PaymentConfirmation[] {
  const names = unknownIn(reported, payments)
  const isAllNamed = names.length > 0 && compare(unnamedIn(reported), '0') === 0
  return payments.flatMap((each) => {
    if (!isNameless(each)) {
      return [each]
    }

    const withNames = names.map((name) => withPayment(each, name))
    return isAllNamed ? withNames : [...withNames, each]
  })
}

/** Returns a confirmation once the report does not show what it was about, if it was about money without an id. */
function withoutNameless(confirmation: PaymentConfirmation): PaymentConfirmation[] {
  if (!isNameless(confirmation)) {
    return [confirmation]
  }
  return confirmation.stage === 'decided' ? [ended(confirmation, UNCLEAR)] : []
}

/** Returns the ids of the held payments that are not known yet. */
function unknownIn(reported: ReportedState, known: readonly PaymentConfirmation[]): string[] {
  return heldIn(reported).filter(
    (id) => !known.some((each) => isSameId(nameIn(reported, paymentOf(each)), id)),
  )
}

/** Returns the ids of the held payments that are not known yet; `null` is one that the gateway does not name. */
function newIn(
  reported: ReportedState,
  known: readonly PaymentConfirmation[],
  wasReturned: boolean,
): (string | null)[] {
  const unknown = unknownIn(reported, known)
  if (!holdsUnnamed(reported)) {
    return unknown
  }

  // A payment whose name the report leaves out is no other one, unless all money went back since.
  const isExplained = known.some((each) => {
    const id = paymentOf(each)
    return id === null || (!wasReturned && !isNamed(reported, id))
  })
  return isExplained ? unknown : [...unknown, null]
}
