/** What a report says about the payer's money. Pure. */

import { canonical, compare } from '../contract/decimal.ts'
import { CHECKOUT_STATUS, PAYMENT_STATUS } from '../contract/status.ts'
import { contradicts } from '../gateway/echo.ts'
import { isPaidInWords, ledgerOf, saysReturn } from './ledger.ts'
import { PAYMENT_OUTCOME, paymentsOf } from './payment.ts'

import type { CheckoutStatus } from '../contract/status.ts'
import type { PaymentFacts } from '../transactions/kind.ts'
import type { Payment } from './payment.ts'
import type { ReportedState } from './reported-state.ts'

export interface Money {
  /** The amount that the gateway has received and holds: decimal text in major units of the reported currency. */
  received: string
  /** Whether a payment waits for the payer or the operator, or is stuck at the operator. */
  in_flight: boolean
  /** Whether the gateway says that all money was reversed or refunded. */
  returned: boolean
  /** Whether the gateway reports money that cannot be read, or not clearly. */
  unreadable: boolean
}

/** Returns what a report says about money. What the ledger does not tell clearly is for a person to look at. */
export function moneyOf(reported: ReportedState | null): Money {
  if (reported === null) {
    return { received: '0', in_flight: false, returned: false, unreadable: false }
  }

  const { status } = reported
  const { held, paid, isUnclear } = ledgerOf(reported)
  const isMovingInWords = status === CHECKOUT_STATUS.jammed || status === CHECKOUT_STATUS.pending
  const isClaimed = isPaidInWords(status) || paymentsOf(reported, 'successful').length > 0
  return {
    received: held,
    in_flight: isMovingInWords || paymentsOf(reported, 'waiting', 'jammed').length > 0,
    returned: saysReturn(reported) && !isUnclear && compare(held, '0') === 0,
    unreadable: reported.unreadable > 0 || isUnclear || (isClaimed && compare(paid, '0') <= 0),
  }
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
    most: canonical(reported ? ledgerOf(reported).paid : '0'),
    paid_currency: reported && contradicts(reported.currency, currency) ? reported.currency : currency,
    receipts: [...new Set(moved.flatMap(({ receipt }) => receipt ?? []))],
    ends: [...new Set(moved.flatMap(({ payer }) => payer?.ends ?? []))],
  }
}
