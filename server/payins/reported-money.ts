/** What a report says about the payer's money. Pure. */

import { add, canonical, compare, larger, smaller, subtract } from '../contract/decimal.ts'
import { contradicts } from '../contract/fields.ts'
import { CHECKOUT_STATUS, PAYMENT_STATUS } from '../contract/status.ts'
import { isAllBack, isOnePayment, PAYMENT_OUTCOME, paymentsOf, sumOf } from './payment.ts'

import type { CheckoutStatus } from '../contract/status.ts'
import type { PaymentFacts } from '../transactions/kind.ts'
import type { Listing, Payment } from './payment.ts'
import type { ReportedState } from './reported-state.ts'

export interface Money {
  /** The amount that the gateway has received and holds: decimal text in major units of the reported currency. */
  received: string
  /** Whether a payment waits for the payer or the operator, or is stuck at the operator. */
  in_flight: boolean
  /** Whether the gateway says that the money was reversed or refunded, and not that it holds less than before. */
  returned: boolean
  /** Whether the gateway reports money that cannot be read. */
  unreadable: boolean
}

/**
 * Returns what a report says about money. The stated total counts as well as the payment records: what either of them
 * shows is money, whatever the status says. If the total is 0, the successful payments are what is held.
 *
 * [assumed] Where less is held than was ever received, only a part went back. If a report lists a successful payment
 * beside a returned one with another id, and nothing shows whether these are two payments or one with its return, a
 * person has to look.
 */
export function moneyOf(reported: ReportedState | null): Money {
  if (reported === null) {
    return { received: '0', in_flight: false, returned: false, unreadable: false }
  }

  const { status, most } = reported
  const { held: received, received: everReceived, isOneOrTwo } = sumsOf(reported)
  const isPart = compare(received, '0') > 0 && compare(received, most) < 0
  const isUnclear = isOneOrTwo && !isPart
  const isPaidInWords = status === CHECKOUT_STATUS.paid || status === CHECKOUT_STATUS.partial
  const isMovingInWords = status === CHECKOUT_STATUS.jammed || status === CHECKOUT_STATUS.pending
  const isClaimed = isPaidInWords || paymentsOf(reported, 'successful').length > 0
  const isReturned = (isReturn(status) || isAllBack(reported)) && !isPart && !isUnclear
  return {
    received: isReturned ? leftIn(reported, received) : received,
    in_flight: isMovingInWords || paymentsOf(reported, 'waiting', 'jammed').length > 0,
    returned: isReturned,
    unreadable: reported.unreadable > 0 || isUnclear || (isClaimed && compare(everReceived, '0') <= 0),
  }
}

/**
 * Returns what is left of money that was returned. What went back by the status alone is neither in the total nor in the
 * payments. [assumed] A total of more than what is listed as returned is what was received before.
 */
function leftIn(reported: ReportedState, held: string): string {
  const returned = paymentsOf(reported, 'reversed', 'refunded')
  if (returned.length === 0) {
    return '0'
  }

  const left = subtract(held, sumOf(returned))
  return compare(left, '0') > 0 ? left : held
}

/** Returns whether the gateway holds money, or reports money that cannot be read. */
export function isReceived({ received, unreadable }: Money): boolean {
  return unreadable || compare(received, '0') > 0
}

/** Returns whether the gateway holds or moves money, or reports money that cannot be read. */
export function hasMoney(money: Money): boolean {
  return money.in_flight || isReceived(money)
}

/** Returns whether the gateway neither holds, moves nor has returned money. */
export function isMoneyless(reported: ReportedState): boolean {
  const money = moneyOf(reported)
  return !hasMoney(money) && !money.returned
}

/** Returns whether a status says that money went back. */
export function isReturn(status: CheckoutStatus): boolean {
  return status === CHECKOUT_STATUS.reversed || status === CHECKOUT_STATUS.refunded
}

/** The money that has moved: what is left of it is what {@link moneyOf} reads. */
interface Moved {
  /** What was paid as a whole: decimal text in major units of the reported currency. */
  paid: string
  /** What went back as a whole, as `paid`. */
  back: string
  /** The payments that are listed as made, each once. */
  payments: PaymentMade[]
}

interface PaymentMade {
  payment: Payment
  /** What went back of it, and how; `null` if nothing did. */
  back: { moved: 'reversed' | 'refunded'; amount: string } | null
}

/**
 * Returns what was paid, and what of it went back.
 *
 * [assumed] What is only listed as returned is a payment of its own as long as so much was ever received. Otherwise, it is
 * what went back of a successful payment: which one is only known if there is one, as where the status alone says so.
 */
export function movedIn(reported: ReportedState): Moved {
  const { successful, ofThese, ofOthers } = listedIn(reported)
  const made = [...successful]
  const parts: Payment[] = []
  for (const each of ofOthers) {
    const wasReceived = compare(sumOf([...made, each]), reported.most) <= 0
    const list = wasReceived || successful.length === 0 ? made : parts
    list.push(each)
  }

  const paid = larger(reported.most, sumOf(made))
  const back = subtract(paid, moneyOf(reported).received)
  const paidBy = (returned: Payment) => successful.find((each) => isOnePayment(each, returned))
  let left = back
  const payments = made.map((payment) => {
    const own = ofOthers.includes(payment) ? [payment] : ofThese.filter((each) => paidBy(each) === payment)
    const isAll = made.length === 1 && compare(payment.amount, paid) === 0
    const returns = isAll ? [...own, ...parts] : own
    const amount = isAll ? back : smaller(smaller(sumOf(own), payment.amount), left)
    left = subtract(left, amount)
    const moved = returnOf(reported.status, returns)
    return { payment, back: compare(amount, '0') > 0 ? { moved, amount } : null }
  })
  return { paid, back, payments }
}

/** Returns how a payment went back that is listed so, or as a whole. */
export function returnOf(status: CheckoutStatus, returns: readonly Payment[] = []): 'reversed' | 'refunded' {
  const last = returns.at(-1)
  const isReversed = last
    ? last.payment_status === PAYMENT_STATUS.reversed
    : status === CHECKOUT_STATUS.reversed
  return isReversed ? 'reversed' : 'refunded'
}

/**
 * Returns what was paid: how much of it is held, with which receipts, and by whom, as far as the gateway says so.
 *
 * @param currency The requested currency.
 */
export function paidIn(
  reported: ReportedState | null,
  currency: string,
): Omit<PaymentFacts, 'reference' | 'narration' | 'asked' | 'currency'> {
  const moved = (reported?.payments ?? []).filter(({ payment_status }) =>
    ['successful', 'reversed', 'refunded'].includes(PAYMENT_OUTCOME[payment_status]),
  )
  return {
    received: canonical(moneyOf(reported).received),
    most: canonical(reported?.most ?? '0'),
    paid_currency: reported && contradicts(reported.currency, currency) ? reported.currency : currency,
    receipts: [...new Set(moved.flatMap(({ receipt }) => receipt ?? []))],
    ends: [...new Set(moved.flatMap(({ payer }) => payer?.ends ?? []))],
  }
}

interface Sums {
  /** What the gateway holds. */
  held: string
  /** What the gateway has received, with what went back. */
  received: string
  /** Whether a successful payment and a returned one may be one payment, which was returned. */
  isOneOrTwo: boolean
}

/**
 * Returns the sums of a report. A returned payment was received, too. What went back of a payment that is also listed as
 * successful is not held. [assumed] After a reversal or a refund, the total is what is left, or what was received before.
 */
export function sumsOf(report: Pick<ReportedState, 'status' | 'amount' | 'payments'>): Sums {
  const { status, amount } = report
  const { successful, ofThese, ofOthers } = listedIn(report)
  const paid = sumOf(successful)
  const total = add(paid, sumOf(ofOthers))
  const isStated = compare(amount, '0') > 0
  if (!isReturn(status)) {
    // The total may count what went back before another payment was made.
    const isAll = ofOthers.length > 0 && compare(amount, total) === 0
    return { held: isStated && !isAll ? amount : paid, received: larger(amount, total), isOneOrTwo: false }
  }

  const kept = larger(subtract(paid, sumOf(ofThese)), '0')
  if (compare(amount, total) === 0) {
    return { held: kept, received: total, isOneOrTwo: false }
  }

  const isWhatWentBack = compare(amount, sumOf([...ofThese, ...ofOthers])) === 0
  const held = isStated && !isWhatWentBack ? amount : kept
  const isOneOrTwo = compare(kept, '0') > 0 && ofOthers.length > 0
  const isListed = ofThese.length > 0 && !isOneOrTwo
  return { held, received: isListed ? larger(held, total) : held, isOneOrTwo }
}

interface Listed {
  successful: Payment[]
  /** Returned payments that are also listed as successful. */
  ofThese: Payment[]
  /** Each other returned payment, as it is listed last. */
  ofOthers: Payment[]
}

function listedIn(listing: Listing): Listed {
  const successful = paymentsOf(listing, 'successful')
  const returned = paymentsOf(listing, 'reversed', 'refunded')
  const isOfThese = (each: Payment) => successful.some((one) => isOnePayment(one, each))
  const others = returned.filter((each) => !isOfThese(each))
  const isLast = (each: Payment, index: number) =>
    !others.slice(index + 1).some((later) => isOnePayment(each, later))
  return { successful, ofThese: returned.filter(isOfThese), ofOthers: others.filter(isLast) }
}
