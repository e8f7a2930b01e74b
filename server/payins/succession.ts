/** Which report may follow which, and what of the reports before one still holds. Pure. */

import { add, compare, larger, subtract } from '../contract/decimal.ts'
import { CHECKOUT_STATUS } from '../contract/status.ts'
import { isPaidInWords, isReturn, knownAfter, ledgerOf, listedBack, saysReturn } from './ledger.ts'
import { idOf, isStep, madeIn, madeOf, paymentsOf, sumOf } from './payment.ts'
import { isReceived, moneyOf } from './reported-money.ts'
import { asListed, isSameReport } from './reported-state.ts'

import type { CheckoutStatus } from '../contract/status.ts'
import type { Payment } from './payment.ts'
import type { ReportedState } from './reported-state.ts'

const { paid, partial, unpaid, expired, jammed, pending } = CHECKOUT_STATUS

/**
 * For each status, the statuses that contradict it, unless they list what went back since. The spec lists all statuses,
 * but does not define which status may follow which.
 *
 * [assumed] Every other status may follow.
 */
const CONTRADICTED_BY: Partial<Record<CheckoutStatus, readonly CheckoutStatus[]>> = {
  // Only a reversal or a refund may follow.
  [paid]: [partial, unpaid, expired, jammed, pending],
  // There is a payment, so the checkout does not expire without one.
  [jammed]: [expired],
}

/**
 * Returns whether a report can follow another. Otherwise it contradicts it, or is an answer from before it:
 *
 * - money that was held is neither held now nor returned since;
 * - money that went back is said to be there again.
 */
export function canFollow(before: ReportedState, heard: ReportedState): boolean {
  const after = continued(before, heard)
  const isContradicted = CONTRADICTED_BY[before.status]?.includes(after.status) ?? false
  if (isContradicted && compare(returnedSince(before, after), '0') <= 0) {
    return false
  }

  const isNothingNew = listsNothingNew(before, heard)
  if (isNothingNew && claimsBack(before, heard)) {
    return false
  }
  if (isSameReport(before, after)) {
    return true
  }
  if (isReturn(after.status)) {
    return !before.was_returned || !isNothingNew || !leavesHeldOut(before, heard)
  }

  // What is new may be all that is listed, unless a total is stated.
  const isWhole = isNothingNew || after.amount !== null
  const known = moneyOf(before).unreadable ? asListed(before) : before
  const isHeld = isWhole ? isAccountedFor(known, asListed(after)) : isAccountedFor(before, after)
  return isHeld && isPossibleAfterReturn(before, after)
}

/**
 * Returns whether a report lists payments that were made, and each of them as before: none that is new, and no more that
 * went back.
 */
function listsNothingNew(before: ReportedState, heard: ReportedState): boolean {
  const known = new Map(before.known.map((each) => [each.id, each]))
  return (
    madeOf(heard).length > 0 &&
    heard.known.every(({ id, back }) => {
      const of = known.get(id)
      return of !== undefined && compare(back, of.back) <= 0
    })
  )
}

/**
 * Returns whether a report lists less as gone back than the reports before it, and claims that this money is there, or
 * lists a return alone that may be another one, and no total.
 */
function claimsBack(before: ReportedState, heard: ReportedState): boolean {
  const known = new Map(before.known.map((each) => [each.id, each]))
  const isLess = heard.known.some(({ id, back }) => compare(back, known.get(id)?.back ?? '0') < 0)
  const { received: left } = moneyOf(before)
  const isLeft = heard.amount !== null && compare(heard.amount, left) === 0
  const isAlone = heard.amount === null && paymentsOf(heard, 'successful').length === 0
  return isLess && (isAlone || (!isLeft && compare(moneyOf(heard).received, left) > 0))
}

/** Returns whether a report leaves out a held payment that the one before it lists. */
function leavesHeldOut(before: ReportedState, heard: ReportedState): boolean {
  const ids = new Set(heard.payments.map(idOf))
  return ledgerOf(asListed(before)).payments.some(
    ({ payment, held }) => compare(held, '0') > 0 && !ids.has(idOf(payment)),
  )
}

/** Returns how much more a report lists as returned than the one before it. */
function returnedSince(before: ReportedState, after: ReportedState): string {
  return larger(subtract(listedBack(after), listedBack(before)), '0')
}

/** Returns whether the money that was held is held now, or was returned since. What cannot be read may be that money. */
function isAccountedFor(before: ReportedState, after: ReportedState): boolean {
  const heldBefore = moneyOf(before)
  const heldNow = moneyOf(after)
  const accountedFor = add(heldNow.received, returnedSince(before, after))

  const isUnreadableLost = heldBefore.unreadable && !heldNow.unreadable && compare(accountedFor, '0') <= 0
  return compare(accountedFor, heldBefore.received) >= 0 && !isUnreadableLost
}

/**
 * Returns whether a report can follow a return, if there was one: it claims no more money than was left, or shows a payment
 * that was made since, and no more than with it. [assumed] Such a payment has an id, and another one than those before it.
 */
function isPossibleAfterReturn(before: ReportedState, after: ReportedState): boolean {
  if (!before.was_returned || (hadMoney(before) && !claimsMore(before, after))) {
    return true
  }

  const knownIds = new Set(before.known.map(({ id }) => id))
  const isNew = (payment: Payment) => {
    const id = idOf(payment)
    return id !== null && !knownIds.has(id)
  }
  const isAnyNew = paymentsOf(after, 'successful', 'waiting', 'jammed').some(isNew)
  const made = ledgerOf(after).payments.filter(({ payment }) => isNew(payment))
  const possible = add(moneyOf(before).received, sumOf(made.map(({ held }) => ({ amount: held }))))
  return isAnyNew && compare(moneyOf(after).received, possible) <= 0
}

/** Returns whether there is money, or was before it went back. A gateway may also report a return of nothing. */
function hadMoney(reported: ReportedState): boolean {
  const hasGoneBack = saysReturn(reported) && compare(ledgerOf(reported).paid, '0') > 0
  return hasGoneBack || isReceived(moneyOf(reported))
}

/** Returns whether a report claims more money than the one before it, money that moves, or money that cannot be read. */
function claimsMore(before: ReportedState, after: ReportedState): boolean {
  const heldBefore = moneyOf(before)
  const claimed = moneyOf(after)
  const isNewlyUnreadable = claimed.unreadable && !heldBefore.unreadable
  const isAmountMissing = isPaidInWords(after.status) && compare(claimed.received, '0') <= 0
  const isMore = compare(claimed.received, heldBefore.received) > 0
  return claimed.in_flight || isNewlyUnreadable || isAmountMissing || isMore
}

/**
 * Returns a report with what is only known from the reports before it. [assumed]
 *
 * - A report that lists no payment leaves those of before out, unless it says that there is none (803, 820), or claims
 *   money after a return.
 * - One that otherwise says the same, or claims money without an amount, leaves out the amount, too.
 * - A payment in flight that is left out is over, unless a report is repeated that says that money was received.
 * - A report that claims just the money that a return has left, in whatever status, says nothing new.
 * - One of a payment that moves beside the paid amount leaves the pay-in paid: the payer pays a second time.
 */
export function continued(before: ReportedState | null, heard: ReportedState): ReportedState {
  if (before === null) {
    return heard
  }

  const { most, known } = before
  if (claimsWhatReturnLeft(before, { ...heard, most, known })) {
    return { ...before, at: heard.at }
  }

  const listed = leavesPaymentsOut(before, heard)
    ? paymentsLeftOut(before, heard)
    : withLeftOut(
        before,
        heard.payments.map((each) => withAmount(each, before)),
      )
  const amount = isRepetition(before, heard) ? before.amount : heard.amount
  const said = { ...heard, amount, ...listed, most, known }
  const status = staysPaid(before, said) ? before.status : heard.status
  const isRepeated = isSameReport(before, { ...before, status, amount, ...listed })
  const after = knownAfter({ ...said, status }, isRepeated)
  const was_returned = before.was_returned || heard.was_returned
  const reported = { ...said, status, ...after, was_returned }

  const isSameMoney = compare(moneyOf(before).received, moneyOf(reported).received) === 0
  const saysTheSame = before.status === status && isSameMoney
  return saysTheSame ? { ...reported, since: before.since } : reported
}

/** Returns whether a payment moves beside the money of a paid pay-in, which the report shows to be still there. */
function staysPaid(before: ReportedState, said: ReportedState): boolean {
  const isMovingInWords = said.status === jammed || said.status === pending
  if (before.status !== paid || !isMovingInWords || !said.payments.some(isStep)) {
    return false
  }

  const { received, unreadable } = moneyOf({ ...said, status: paid })
  return !unreadable && compare(received, moneyOf(before).received) >= 0
}

function listsNothing({ payments, unreadable }: ReportedState): boolean {
  return payments.length === 0 && unreadable === 0
}

/** Returns whether a report lists no payment, and otherwise says the same as the one before it. */
function isRepetition(before: ReportedState, heard: ReportedState): boolean {
  const isSameAmount = isAmountLeftOut(heard) || compare(totalIn(before), totalIn(heard)) === 0
  return listsNothing(heard) && before.status === heard.status && isSameAmount
}

/** Returns whether there still are the payments of before, which the report does not list. */
function leavesPaymentsOut(before: ReportedState, heard: ReportedState): boolean {
  const isNewAfterReturn = before.was_returned && !saysReturn(heard)
  const isSilent = listsNothing(heard) && !isNewAfterReturn && !saysNone(heard)
  return isSilent || isRepetition(before, heard)
}

function paymentsLeftOut(before: ReportedState, heard: ReportedState): Payments {
  const { payments, set_aside } = before
  const mayMoveOn = isRepetition(before, heard) && isReceived(moneyOf(before))
  const left = mayMoveOn ? payments : payments.filter((each) => !isStep(each))
  return { payments: left, ...(set_aside && { set_aside }) }
}

type Payments = Pick<ReportedState, 'payments' | 'set_aside'>

/**
 * Returns the payments that a report lists, after those that were made and that only reports before it list. [assumed] An
 * id names one payment, and a payment that was made stays, also if a later report leaves it out. What is listed without an
 * id may be any of them, in this report alone.
 */
function withLeftOut(before: ReportedState, listed: readonly Payment[]): Payments {
  if (listed.length === 0) {
    return { payments: [] }
  }

  const ids = new Set(listed.map(idOf))
  const leftOut = [...(before.set_aside ?? []), ...madeOf(before)].filter((payment) => {
    const id = idOf(payment)
    return id !== null && !ids.has(id)
  })
  if (madeOf({ payments: listed }).some((payment) => idOf(payment) === null)) {
    const set_aside = leftOut.map(withoutReferences)
    return { payments: [...listed], ...(set_aside.length > 0 && { set_aside }) }
  }

  const count = leftOut.length
  /** Returns the new place of the first payment with a reference: where it is listed, or kept. */
  const placeOf = (reference: number) => {
    const first = before.payments[reference]
    const id = first === undefined ? null : idOf(first)
    const place = id === null ? -1 : listed.findIndex((each) => idOf(each) === id)
    return place === -1 ? leftOut.findIndex((each) => each.same_reference_as === reference) : count + place
  }
  const kept = leftOut.map((payment): Payment => {
    const { same_reference_as: reference } = payment
    const same_reference_as = reference === null ? null : placeOf(reference)
    return { ...payment, same_reference_as, is_left_out: true }
  })
  const moved = listed.map((payment) => {
    const { same_reference_as: reference } = payment
    return { ...payment, same_reference_as: reference === null ? null : count + reference }
  })
  return { payments: [...kept, ...moved] }
}

/** Returns a payment without its place in a list, and without what tells who paid. */
function withoutReferences(payment: Payment): Payment {
  return { ...payment, same_reference_as: null, receipt: null, payer: null }
}

/** Returns whether a report claims the money that a return before it has left, and nothing else. */
function claimsWhatReturnLeft(before: ReportedState, heard: ReportedState): boolean {
  if (!saysReturn(before) || isReturn(heard.status) || !hadMoney(before)) {
    return false
  }

  const left = moneyOf(before)
  const isSameMoney = compare(moneyOf(heard).received, left.received) === 0
  const known = before.known.map(({ id }) => id)
  const isOther =
    madeIn(heard).some((id) => !known.includes(id)) || compare(returnedSince(before, heard), '0') > 0
  return isSameMoney && !isOther && !left.in_flight && !left.unreadable && !claimsMore(before, heard)
}

/** Returns whether a report says that there is no payment. [spec: Checkout overall status] */
function saysNone(reported: ReportedState): boolean {
  const { status } = reported
  const isEnd = status === unpaid || status === expired
  return isEnd && compare(totalIn(reported), '0') === 0
}

/** Returns whether a report says that there is or was money, and not how much. */
function isAmountLeftOut({ status, amount }: ReportedState): boolean {
  const isAboutMoney = isPaidInWords(status) || isReturn(status)
  return isAboutMoney && amount === null
}

/** Returns the total that a report states. One that states none says that nothing was received, unless its status does. */
function totalIn({ amount }: ReportedState): string {
  return amount ?? '0'
}

/** Returns a payment with the amount that the report before it states, if it states none. */
function withAmount(payment: Payment, before: ReportedState): Payment {
  const known = before.payments.find(
    (each) =>
      payment.payment_id !== null &&
      idOf(each) === idOf(payment) &&
      each.payment_status === payment.payment_status,
  )
  return known !== undefined && compare(payment.amount, '0') === 0
    ? { ...payment, amount: known.amount }
    : payment
}
