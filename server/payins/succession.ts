/** Which report may follow which, and what of the reports before one still holds. Pure. */

import { add, compare, larger, subtract } from '../contract/decimal.ts'
import { idOf, isStep, madeIn, paymentsOf, sumOf } from './payment.ts'
import { isReceived, isReturn, moneyOf, sumsOf } from './reported-money.ts'

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
 * Returns whether the report shows a payment that was made since money went back. [assumed] A new payment has an id, and
 * another one than those before it.
 */
function isNewSinceReturn({ before_return }: ReportedState, after: ReportedState): boolean {
  const shown = paymentsOf(after, 'successful', 'waiting', 'jammed').map(idOf)
  return before_return === null || shown.some((id) => id !== null && !before_return.includes(id))
}

/**
 * Returns a report with what is only known from the reports before it. [assumed] A report that lists no payment, and
 * otherwise says the same, has left them out, and so has one that claims money and states no amount. A payment that was in
 * flight is over, unless money was received.
 */
export function continued(before: ReportedState | null, heard: ReportedState): ReportedState {
  if (before === null) {
    return heard
  }

  const isSilent = heard.payments.length + heard.unreadable === 0
  const isSameAmount = compare(before.amount, heard.amount) === 0 || isWithoutAmount(heard)
  const isRepeated = isSilent && before.status === heard.status && isSameAmount
  const left = isReceived(moneyOf(before)) ? before.payments : before.payments.filter((each) => !isStep(each))
  const payments = isRepeated ? left : heard.payments.map((each) => withAmount(each, before))
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
