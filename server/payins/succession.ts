/** Which report may follow which, and what of the reports before one still holds. Pure. */

import { add, compare, larger, subtract } from '../contract/decimal.ts'
import { idOf, isStep, madeIn, paymentsOf, sumOf } from './payment.ts'
import { isReceived, isReturn, moneyOf, movedIn, sumsOf } from './reported-money.ts'

import type { CheckoutStatus } from '../contract/status.ts'
import type { Payment } from './payment.ts'
import type { ReportedState } from './reported-state.ts'

/**
 * For each status, the statuses that contradict it, whatever they say of money. The spec lists all statuses, but does not
 * define which status may follow which.
 *
 * [assumed] Every other status may follow.
 */
const CONTRADICTED_BY: Partial<Record<CheckoutStatus, readonly CheckoutStatus[]>> = {
  801: [802, 803, 820, 850, 851], // paid: only a reversal or a refund may follow
  850: [820], // jammed: there is a payment, so it does not expire without one
}

/**
 * Returns whether a report can follow another: no money is gone without a return, and what went back is not said to be
 * there again. What cannot follow is an answer from before, or contradicts it.
 */
export function canFollow(before: ReportedState, after: ReportedState): boolean {
  if (CONTRADICTED_BY[before.status]?.includes(after.status)) {
    return false
  }
  return isReturn(after.status) || (isAccountedFor(before, after) && isNewSinceReturn(before, after))
}

/** Returns whether the money that was held is still held, or was returned since. Unreadable money is money. */
function isAccountedFor(before: ReportedState, after: ReportedState): boolean {
  const held = moneyOf(before)
  const still = moneyOf(after)
  const back = subtract(
    sumOf(paymentsOf(after, 'reversed', 'refunded')),
    sumOf(paymentsOf(before, 'reversed', 'refunded')),
  )
  const accounted = add(still.received, larger(back, '0'))
  const isUnread = held.unreadable && !still.unreadable && compare(accounted, '0') <= 0
  return compare(accounted, held.received) >= 0 && !isUnread
}

/**
 * Returns whether the report claims no more money than is left since money went back, or shows a payment that was made
 * since. [assumed] A new payment has an id, and another one than those before it.
 */
function isNewSinceReturn(before: ReportedState, after: ReportedState): boolean {
  const { before_return } = before
  if (before_return === null || (hasHeldMoney(before) && !claimsMore(before, after))) {
    return true
  }

  const shown = paymentsOf(after, 'successful', 'waiting', 'jammed').map(idOf)
  return shown.some((id) => id !== null && !before_return.includes(id))
}

/** Returns whether there is money, or was before it went back: a return of nothing is nothing that is known. */
function hasHeldMoney(reported: ReportedState): boolean {
  const hasMoved = isReturn(reported.status) && compare(movedIn(reported).paid, '0') > 0
  return hasMoved || isReceived(moneyOf(reported))
}

/** Returns whether a report claims more money than another, or money that moves or cannot be read. */
function claimsMore(before: ReportedState, after: ReportedState): boolean {
  const held = moneyOf(before)
  const claimed = moneyOf(after)
  const isUnread = claimed.unreadable && !held.unreadable
  // What is said to be paid is more than nothing.
  const isPaid = after.status === 801 || after.status === 802
  const isUnstated = isPaid && compare(claimed.received, '0') <= 0
  return claimed.in_flight || isUnread || isUnstated || compare(claimed.received, held.received) > 0
}

/**
 * Returns a report with what is only known from the reports before it. [assumed] A report that lists no payment has left
 * them out, unless it says that there is none (803, 820), or claims money after a return. One that otherwise says the same,
 * or claims money and states no amount, also has the amount of before. A payment that was in flight is over, unless money
 * was received. What a return has left is not told anew by a report that claims just that, in whatever status.
 */
export function continued(before: ReportedState | null, heard: ReportedState): ReportedState {
  if (before === null) {
    return heard
  }
  if (isAsReturned(before, heard)) {
    return { ...before, at: heard.at }
  }

  const isSilent = heard.payments.length + heard.unreadable === 0
  const isSameAmount = compare(before.amount, heard.amount) === 0 || isWithoutAmount(heard)
  const isRepeated = isSilent && before.status === heard.status && isSameAmount
  const isAnew = before.before_return !== null && !isReturn(heard.status)
  const isKept = isRepeated || (isSilent && !isAnew && !saysNone(heard))
  const isStill = isRepeated && isReceived(moneyOf(before))
  const left = isStill ? before.payments : before.payments.filter((each) => !isStep(each))
  const payments = isKept
    ? left
    : [...heard.payments.map((each) => withAmount(each, before)), ...madeBefore(before, heard)]
  const amount = isRepeated ? before.amount : heard.amount

  const most = larger(before.most, sumsOf({ status: heard.status, amount, payments }).received)
  const before_return = isReturn(heard.status)
    ? [...new Set([...(before.before_return ?? []), ...madeIn(before), ...madeIn(heard)])]
    : before.before_return
  const reported = { ...heard, amount, most, before_return, payments }
  const isSameMoney = compare(moneyOf(before).received, moneyOf(reported).received) === 0
  const since = before.status === heard.status && isSameMoney ? before.since : heard.since
  return { ...reported, since }
}

/**
 * Returns the payments of which a report lists only the part that went back. [assumed] It does if the total that it states
 * is, with all that it lists as returned, what was received before.
 */
function madeBefore(before: ReportedState, heard: ReportedState): Payment[] {
  const returned = paymentsOf(heard, 'reversed', 'refunded')
  const isRest = compare(add(heard.amount, sumOf(returned)), sumsOf(before).received) === 0
  if (!isRest) {
    return []
  }

  const made = paymentsOf(before, 'successful').filter((payment) => {
    const isOfIt = (each: Payment) => idOf(each) !== null && idOf(each) === idOf(payment)
    const isListed = paymentsOf(heard, 'successful').some(isOfIt)
    const back = sumOf(returned.filter(isOfIt))
    return !isListed && compare(back, '0') > 0 && compare(back, payment.amount) < 0
  })
  // The places of references are those of another list.
  return made.map((payment) => ({ ...payment, same_reference_as: null }))
}

/** Returns whether a report claims the money that a return before it has left, and nothing else. */
function isAsReturned(before: ReportedState, heard: ReportedState): boolean {
  const held = moneyOf(before)
  const isSameMoney = compare(moneyOf(heard).received, held.received) === 0
  const isClaimed = isSameMoney && !held.unreadable && !claimsMore(before, heard)
  return isReturn(before.status) && !isReturn(heard.status) && hasHeldMoney(before) && isClaimed
}

/** Returns whether a report says that there is no payment. [spec: Checkout overall status] */
function saysNone({ status, amount }: ReportedState): boolean {
  return (status === 803 || status === 820) && compare(amount, '0') === 0
}

/** Returns whether a report says that there is or was money, and not how much. */
function isWithoutAmount({ status, amount }: ReportedState): boolean {
  const isClaimed = status === 801 || status === 802 || isReturn(status)
  return isClaimed && compare(amount, '0') === 0
}

/** Returns a payment with the amount that the report before it states, if it states none. */
function withAmount(payment: Payment, before: ReportedState): Payment {
  const known = before.payments.find((each) => payment.payment_id !== null && idOf(each) === idOf(payment))
  return known !== undefined && compare(payment.amount, '0') === 0
    ? { ...payment, amount: known.amount }
    : payment
}
