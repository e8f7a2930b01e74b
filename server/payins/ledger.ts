/**
 * The ledger of a pay-in: what each payment is worth, and what of it went back. It is read of what the gateway lists; the
 * total that the gateway states is only a check. Pure.
 */

import { add, compare, larger, smaller, subtract } from '../contract/decimal.ts'
import { CHECKOUT_STATUS } from '../contract/status.ts'
import { idOf, isReturned, isSuccessful, paymentsOf, sumOf } from './payment.ts'

import type { CheckoutStatus } from '../contract/status.ts'
import type { Payment } from './payment.ts'
import type { Known, ReportedState } from './reported-state.ts'

/** What is read of a report. */
type Report = Pick<ReportedState, 'status' | 'amount' | 'payments'> & Known

/** Amounts are decimal text in major units of the reported currency. */
export interface LedgerPayment {
  /** The record that lists it as successful or, if none does, the first one that lists it as returned. */
  payment: Payment
  /** The records of what went back of it. */
  returns: Payment[]
  /** The most that it was ever worth. */
  worth: string
  /** What is listed of it as gone back. */
  back: string
  /** What of it the gateway holds, by the list. */
  held: string
  /** Whether it is listed as gone back, and not how much of it. */
  isUnstated: boolean
  /** Whether it was only ever listed as gone back. It may be the return of another payment, under an id of its own. */
  isUnheard: boolean
}

export interface Ledger {
  /** What was paid as a whole, also what went back of it. */
  paid: string
  /** What the gateway holds. */
  held: string
  /** Whether the list can be read in several ways, and the total does not tell in which, or contradicts all of them. */
  isUnclear: boolean
  /** The payments, each once, in the order of the report. */
  payments: LedgerPayment[]
  /** The same, with those of which it is not clear whether they are payments of their own. */
  listed: LedgerPayment[]
}

/** Whether a list has all returns of a payment, or only those since the report before it. */
type Returns = 'all' | 'since'

/** Returns whether a status says that money went back. */
export function isReturn(status: CheckoutStatus): boolean {
  return status === CHECKOUT_STATUS.reversed || status === CHECKOUT_STATUS.refunded
}

/** Returns whether a report says that money went back. */
export function saysReturn(report: Report): boolean {
  return isReturn(report.status) || isAllBack(report)
}

/** Returns whether by its list all that was paid went back, whatever its status says of what was paid. */
function isAllBack(report: Report): boolean {
  const isMovingInWords =
    report.status === CHECKOUT_STATUS.pending || report.status === CHECKOUT_STATUS.jammed
  const isAnyMoving = isMovingInWords || paymentsOf(report, 'waiting', 'jammed').length > 0
  const isAnyBack = paymentsOf(report, 'reversed', 'refunded').length > 0
  if (isAnyMoving || !isAnyBack) {
    return false
  }

  const { held, isUnclear } = readReceipt(report, paymentsIn(report, 'all'))
  return !isUnclear && isEqual(held, '0')
}

/** Returns whether a status says that money was paid, whatever the amounts say. */
export function isPaidInWords(status: CheckoutStatus): boolean {
  return status === CHECKOUT_STATUS.paid || status === CHECKOUT_STATUS.partial
}

/** Returns whether a status says that nothing is paid, and not that anything moves or went back. */
function saysNothingPaid(status: CheckoutStatus): boolean {
  return status === CHECKOUT_STATUS.unpaid || status === CHECKOUT_STATUS.expired
}

/**
 * Returns the ledger of a report.
 *
 * [assumed] A payment is worth the most that it was ever listed with, and what is listed as gone back with less is a part
 * of it, which never becomes less. A list has each return once or, if only so the total fits, those since the report
 * before. The total is what is left, or what was received before anything went back; where nothing is left by the list, it
 * may be any amount that was received, as that before the last return.
 */
export function ledgerOf(report: Report): Ledger {
  const read = ledgers.get(report) ?? readAs('all', report)
  ledgers.set(report, read)
  return read
}

/** The ledgers of the reports that are in use: no report changes, and each is read many times. */
const ledgers = new WeakMap<Report, Ledger>()

/**
 * Returns the ledger of a report that has just been heard, by what is known from the reports before it. Once it is stored,
 * what is known has its returns, too.
 */
function ledgerOfNews(report: Report): Ledger {
  const whole = readAs('all', report)
  if (!whole.isUnclear || report.amount === null) {
    return whole
  }

  const since = readAs('since', report)
  const isFitting = !since.isUnclear && isEqual(since.held, report.amount)
  return isFitting ? since : whole
}

function readAs(returns: Returns, report: Report): Ledger {
  const listed = paymentsIn(report, returns)
  const reading = saysReturn(report) ? readReturn(report, listed) : readReceipt(report, listed)
  const { held, isOwn, isUnclear } = reading
  // What may be the return of another payment is no payment of its own before that is clear.
  const payments = listed.filter(({ isUnheard }) => isOwn || !isUnheard)
  const gone = backUnlisted(report)
  const paid = [
    reading.paid,
    add(sumOfWorth(payments), gone),
    add(held, add(sumOfGone(payments), gone)),
  ].reduce(larger, report.most)
  return { paid, held, isUnclear, payments, listed }
}

/** Returns what is listed as gone back, or was before, whatever it is a return of. */
export function listedBack(report: Report): string {
  const { listed } = ledgerOf(report)
  const unstated = sumOfWorth(listed.filter(({ isUnstated }) => isUnstated))
  return add(add(sumOfBack(listed), unstated), backUnlisted(report))
}

/**
 * Returns what was paid, if what is held is what a return has left of it; 0 if nothing went back, or something was paid
 * since. [assumed] A list is in order of time.
 */
export function paidBeforeLeft(report: Report): string {
  const { payments } = ledgerOf(report)
  const first = report.payments.findIndex(isReturned)
  const isBefore = ({ payment, returns }: LedgerPayment) =>
    returns.length > 0 || report.payments.indexOf(payment) < first
  return payments.every(isBefore) ? sumOfWorth(payments) : '0'
}

/** Returns what went back of the payments that a report does not list any more. */
function backUnlisted({ known, payments }: Report): string {
  const ids = new Set(payments.map(idOf))
  return sumOf(known.filter(({ id }) => !ids.has(id)).map(({ back }) => ({ amount: back })))
}

/**
 * Returns what is known of the payments after a report: also what a later report does not list counts for it.
 *
 * @param isRepeated Whether it lists and states what the report before it did.
 */
export function knownAfter(report: Report, isRepeated = false): Known {
  const { payments, listed, paid, isUnclear } = isRepeated ? ledgerOf(report) : ledgerOfNews(report)
  const known = new Map(report.known.map((each) => [each.id, each]))
  for (const { payment, worth, back, isUnheard } of listed) {
    const id = idOf(payment)
    if (id !== null) {
      const before = known.get(id)
      known.set(id, {
        id,
        worth: isUnheard ? null : worth,
        back: larger(back, before?.back ?? '0'),
        charge: before?.charge ?? null,
      })
    }
  }

  const heard = payments.filter(({ isUnheard, payment }) => !isUnheard || idOf(payment) !== null)
  const nameless = payments.filter((each) => !heard.includes(each))
  const most = isUnclear ? larger(report.most, sumOfWorth(heard)) : subtract(paid, sumOfWorth(nameless))
  return { most: larger(report.most, most), known: [...known.values()] }
}

/**
 * Returns the payments that were made by the list. A record of a return belongs to the payment with its id or, unless the
 * payment with its id is known, to the one with its reference.
 */
function paymentsIn(report: Report, returned: Returns): LedgerPayment[] {
  const { payments, known } = report
  const knownById = new Map(known.map((each) => [each.id, each]))
  const byId = new Map<string, Listed>()
  const byReference = new Map<number, Listed>()
  const made = new Map<Payment, Listed>()
  const begin = (payment: Payment) => {
    const listed = { payment, records: [], returns: [] }
    made.set(payment, listed)
    return listed
  }

  for (const payment of paymentsOf({ payments }, 'successful')) {
    const id = idOf(payment)
    const listed: Listed = (id === null ? undefined : byId.get(id)) ?? begin(payment)
    listed.records.push(payment)
    note(payment, listed)
  }
  for (const payment of paymentsOf({ payments }, 'reversed', 'refunded')) {
    const { same_reference_as: reference } = payment
    const id = idOf(payment)
    const isKnown = id !== null && (knownById.get(id)?.worth ?? null) !== null
    const withId = id === null ? undefined : byId.get(id)
    const withReference = reference === null || isKnown ? undefined : byReference.get(reference)
    const listed: Listed = withId ?? withReference ?? begin(payment)
    listed.returns.push(payment)
    note(payment, listed)
  }

  return payments.flatMap((payment) => {
    const listed = made.get(payment)
    return listed ? [weighed(listed, knownById.get(idOf(payment) ?? '') ?? null, returned)] : []
  })

  function note(payment: Payment, listed: Listed): void {
    const { same_reference_as: reference } = payment
    const id = idOf(payment)
    if (id !== null && !byId.has(id)) {
      byId.set(id, listed)
    }
    if (reference !== null && !byReference.has(reference)) {
      byReference.set(reference, listed)
    }
  }
}

/** What a report lists of one payment. */
interface Listed {
  payment: Payment
  /** The records that list it as successful. */
  records: Payment[]
  returns: Payment[]
}

/**
 * Returns what a payment is worth, and what of it went back, which never becomes less.
 *
 * @param before What is known of the payment from the reports before; `null` if none has listed it.
 */
function weighed(
  { payment, records, returns }: Listed,
  before: Known['known'][number] | null,
  returned: Returns,
): LedgerPayment {
  const now = largest(records)
  const worth = [now, largest(returns)].reduce(larger, before?.worth ?? '0')
  const backBefore = before?.back ?? '0'
  // What only an earlier report lists went back before.
  const listedNow = returns.filter((each) => each.is_left_out !== true)
  const listed = returned === 'since' ? add(sumOf(listedNow), backBefore) : larger(sumOf(returns), backBefore)
  const isUnstated = returns.length > 0 && isEqual(listed, '0')
  const back = smaller(listed, worth)
  const left = subtract(worth, back)
  // A gateway may also list a payment with what is left of it.
  const held = records.length > 0 ? smaller(now, left) : left
  const isUnheard = records.length === 0 && (before?.worth ?? null) === null
  return { payment, returns, worth, back, held, isUnstated, isUnheard }
}

/** How the whole of a report is read. */
interface Reading {
  held: string
  /** Whether what was only ever listed as returned is a payment of its own. */
  isOwn: boolean
  isUnclear: boolean
  /** What was paid, if the total says so. */
  paid: string
}

/** A way in which a list can be read: what was paid and what is left, and whether an unheard payment is one of its own. */
interface Way {
  paid: string
  left: string
  isOwn: boolean
}

/**
 * Returns the reading of a report whose status does not say that money went back. What the list or the total shows is
 * money. The total may count what went back before another payment was made.
 */
function readReceipt(report: Report, listed: readonly LedgerPayment[]): Reading {
  const { status, amount } = report
  const ways = waysOfReceipt(inOrderOfHearing(report, listed))
  const { fitting, most, isOneAmount } = chooseBy(amount, ways)
  if (fitting.length === 0 && amount !== null) {
    const held = sumOfHeld(listed)
    const isAnyGone = compare(sumOfGone(listed), '0') > 0
    const isUnclear = isAnyGone || isHeldLeftOut(listed) || compare(amount, held) < 0
    return { held: larger(held, amount), isOwn: !isUnclear, isUnclear, paid: '0' }
  }

  // A total of what went back is none of money that the status or a record says is there, unless the status says that
  // nothing is.
  const isAnySuccessful = listed.some(({ payment }) => isSuccessful(payment))
  const isClaimed = isPaidInWords(status) || (!saysNothingPaid(status) && isAnySuccessful)
  const isDenied = isClaimed && amount !== null && !isEqual(amount, '0') && isEqual(most.left, '0')
  const isUnclear = !isOneAmount || isDenied || isLeftOpen(report, listed)
  const held = isDenied ? amount : most.left
  return { held, isOwn: !isUnclear && fitting.some((each) => each.isOwn), isUnclear, paid: '0' }
}

/**
 * Returns the reading of a report whose status says that money went back. If the total fits no way, or several that leave
 * different amounts, the reading is unclear, unless all that was ever heard of is listed as gone back.
 */
function readReturn(report: Report, listed: readonly LedgerPayment[]): Reading {
  const { amount } = report
  const ways = waysOfReturn(report, listed)
  const { fitting, possible, most, isOneAmount } = chooseBy(amount, ways)
  const isReceived = amount === null || ways.some(({ paid }) => compare(amount, paid) <= 0)
  const isAllHeard = listed.every(({ isUnheard }) => !isUnheard)
  const isChecked =
    fitting.length > 0 || (isEqual(most.left, '0') && isReceived && isAllHeard && !isMoreBack(listed))
  const isUnclear = !isOneAmount || !isChecked || isLeftOpen(report, listed)
  // A total of more than was ever received shows money that is not listed.
  const unlisted = isReceived ? '0' : subtract(amount, sumOfBack(listed))
  return {
    held: larger(most.left, unlisted),
    isOwn: !isUnclear && possible.some((each) => each.isOwn),
    isUnclear,
    paid: isUnclear ? '0' : most.paid,
  }
}

/** Returns whether more is listed as gone back of a payment than it was ever worth. */
function isMoreBack(listed: readonly LedgerPayment[]): boolean {
  return listed.some(({ returns, worth }) => compare(sumOf(returns), worth) > 0)
}

/**
 * Returns whether a report lists payments that were made and leaves out held money, and does not say by its total that
 * this is still there: a gateway may list the last payment alone, or call a payment by another id.
 */
function isLeftOpen({ amount }: Report, listed: readonly LedgerPayment[]): boolean {
  const isAnyListed = listed.some(({ payment }) => payment.is_left_out !== true)
  return amount === null && isAnyListed && isHeldLeftOut(listed)
}

/** Returns whether a payment of which the gateway held something is left out. */
function isHeldLeftOut(listed: readonly LedgerPayment[]): boolean {
  return listed.some(({ payment, held }) => payment.is_left_out === true && compare(held, '0') > 0)
}

/**
 * Chooses among ways by the total, which is what is left, or what was received before anything went back. Without a total,
 * each way fits. `possible` are those that fit, or all if none does; `most` is the one of these that leaves most.
 */
function chooseBy(amount: string | null, ways: readonly Way[]) {
  const fitting = ways.filter(
    ({ paid, left }) => amount === null || isEqual(amount, left) || isEqual(amount, paid),
  )
  const possible = fitting.length > 0 ? fitting : ways
  const [most = NOTHING, ...others] = possible.toSorted((one, other) => compare(other.left, one.left))
  const isOneAmount = others.every(({ left }) => isEqual(left, most.left))
  return { fitting, possible, most, isOneAmount }
}

const NOTHING: Way = { paid: '0', left: '0', isOwn: true }

function inOrderOfHearing({ known }: Report, listed: readonly LedgerPayment[]): LedgerPayment[] {
  const places = new Map(known.map(({ id }, place) => [id, place]))
  const placeOf = ({ payment }: LedgerPayment) => places.get(idOf(payment) ?? '') ?? places.size
  return listed.toSorted((one, other) => placeOf(one) - placeOf(other))
}

/**
 * Returns the ways in which a receipt can be read: what is only ever listed as returned is a payment of its own, or a part
 * of the payments before it. [assumed] A list is in order of time.
 */
function waysOfReceipt(listed: readonly LedgerPayment[]): Way[] {
  const own: Way = { paid: sumOfWorth(listed), left: heldBesideUnstated(listed), isOwn: true }
  const firstHeard = listed.findIndex(({ isUnheard }) => !isUnheard)
  const parts = listed.filter(({ isUnheard }, place) => isUnheard && firstHeard !== -1 && firstHeard < place)
  const left = subtract(own.left, sumOfWorth(parts))
  if (parts.length === 0 || compare(left, '0') < 0) {
    return [own]
  }
  return [own, { paid: subtract(own.paid, sumOfWorth(parts)), left, isOwn: false }]
}

/** Returns what is held. [assumed] A return without an amount is that of the whole payment, unless more is known of it. */
function heldBesideUnstated(listed: readonly LedgerPayment[]): string {
  return sumOfHeld(listed.filter(({ isUnstated }) => !isUnstated))
}

/**
 * Returns the ways in which a return can be read:
 *
 * - What was received and is not listed any more is still there, or went back.
 * - What is only ever listed as returned is a payment of its own, or a part of the others.
 * - If nothing of the list went back by its amounts, the status alone says it: what is listed as returned, or else
 *   everything, unless the total says what is left.
 */
function waysOfReturn(report: Report, listed: readonly LedgerPayment[]): Way[] {
  const { amount, most } = report
  const held = sumOfHeld(listed)
  const heard = listed.filter(({ isUnheard }) => !isUnheard)
  const unlisted = backUnlisted(report)
  const gone = add(sumOfGone(listed), unlisted)
  const own = larger(most, add(sumOfWorth(listed), unlisted))
  const isListed = ({ payment }: LedgerPayment) => payment.is_left_out !== true
  const withoutLeftOut: Way = { paid: own, left: sumOfHeld(listed.filter(isListed)), isOwn: true }
  const ways: Way[] = [{ paid: own, left: held, isOwn: true }]
  if (isEqual(gone, '0')) {
    const paid = larger(own, amount ?? '0')
    const rest = listed.some(({ isUnstated }) => isUnstated) ? heldBesideUnstated(listed) : '0'
    const left = amount !== null && compare(amount, paid) < 0 ? amount : rest
    const alone: Way = { paid, left, isOwn: true }
    const others = compare(most, held) > 0 ? ways : []
    return isHeldLeftOut(listed) ? [...others, withoutLeftOut, alone] : [...others, alone]
  }

  ways.push({ paid: own, left: subtract(own, gone), isOwn: true })
  if (heard.length < listed.length) {
    const unheard = subtract(gone, sumOfGone(heard))
    const paid = larger(most, sumOfWorth(heard))
    const parts = [subtract(held, unheard), subtract(paid, gone)].filter((left) => compare(left, '0') >= 0)
    ways.push(...parts.map((left) => ({ paid, left, isOwn: false })))
  }
  return ways
}

const isEqual = (one: string, other: string) => compare(one, other) === 0
const largest = (payments: readonly Payment[]) => payments.map(({ amount }) => amount).reduce(larger, '0')
const sumOfWorth = (payments: readonly LedgerPayment[]) =>
  sumOf(payments.map(({ worth }) => ({ amount: worth })))
const sumOfHeld = (payments: readonly LedgerPayment[]) =>
  sumOf(payments.map(({ held }) => ({ amount: held })))
const sumOfBack = (payments: readonly LedgerPayment[]) =>
  sumOf(payments.map(({ back }) => ({ amount: back })))
/** Returns what went back, also what a gateway shows by a smaller amount. */
const sumOfGone = (payments: readonly LedgerPayment[]) => subtract(sumOfWorth(payments), sumOfHeld(payments))
