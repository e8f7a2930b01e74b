/**
 * Decides whether a request to start a checkout creates a new checkout of the order, resumes an existing checkout, or
 * is refused. Pure.
 *
 * An order has at most one live checkout, which can still be paid. Double clicks, reloads, second tabs and retries resume
 * this checkout. A new checkout is created only if no checkout of the order holds or moves money, or if the new checkout
 * requests exactly the unpaid remainder of a partial payment. If two concurrent requests create a checkout with the
 * same attempt number, only one of them succeeds: the pair (group, attempt) is unique in the store.
 */

import { refuse, refuseWithReason } from '../api/refusal.ts'
import { add, canonical, compare, subtract, sum } from '../contract/decimal.ts'
import { isReturnListed } from '../payins/held-payments.ts'
import { hasMoney } from '../payins/reported-money.ts'
import { isServiceRefused } from '../payins/service-confirmation.ts'
import { determineOutcome, isPayable, isUnsent, moneyOfCheckout } from './record.ts'

import type { Refusal } from '../api/refusal.ts'
import type { Tombstone } from '../store/retention.ts'
import type { Checkout, RequestedTerms } from './record.ts'

export type Plan =
  /** Create `attempt`, or start it again if it was given up and never sent. */
  | { kind: 'create'; attempt: number }
  /** Resume `checkout`. If this checkout is settled, the shopper sees the outcome. */
  | { kind: 'resume'; checkout: Checkout }
  /**
   * Refuse the request: the order's terms differ from the terms of `checkout`, and `checkout` holds money or can still
   * be paid.
   */
  | { kind: 'changed'; checkout: Checkout }
  /** Refuse the request: the money of `checkout` was returned, which ends its order. */
  | { kind: 'returned'; checkout: Checkout }
  /** Refuse the request: a checkout that held money for this order has been pruned. */
  | { kind: 'deleted' }

/**
 * Returns the plan for a request to start a checkout of an order.
 *
 * @param attempts All stored checkouts of the order, by ascending attempt number.
 * @param requested The current terms of the order; `null` if they are unknown, and any count.
 * @param pruned The tombstones of the order's pruned checkouts.
 */
export function planAttempt(
  attempts: readonly Checkout[],
  requested: RequestedTerms | null,
  pruned: readonly Pick<Tombstone, 'attempt' | 'outcome'>[] = [],
): Plan {
  // A checkout with money never ended as `expired` or `unpaid`.
  if (!pruned.every(({ outcome }) => outcome === 'expired' || outcome === 'unpaid')) {
    return { kind: 'deleted' }
  }

  const unsent = attempts.at(-1)
  const last = Math.max(0, ...[...pruned, ...attempts].map(({ attempt }) => attempt))
  const next = unsent && isUnsent(unsent) && unsent.attempt === last ? last : last + 1
  const active = attempts.filter(isActive)
  const returned = attempts.findLast((attempt) => !active.includes(attempt) && isReturned(attempt))
  const create: Plan = returned ? { kind: 'returned', checkout: returned } : { kind: 'create', attempt: next }
  // A part that was paid leaves the order to the checkout of the remainder.
  const others = active.filter(
    (attempt) => !active.some(({ record }) => isForRemainder(attempt, record.requested)),
  )
  // If one checkout of the order holds money and another is live, the one with the money is current. A payment of the
  // live checkout would charge the shopper twice.
  const current =
    others.findLast((attempt) => determineOutcome(attempt).outcome === 'paid') ??
    others.find(holdsMoney) ??
    others.at(-1)
  if (!current) {
    return create
  }
  if (requested === null || isSameOrder(current.record.requested, requested)) {
    return { kind: 'resume', checkout: current }
  }
  if (others.length === 1 && isForRemainder(current, requested)) {
    return create
  }
  return { kind: 'changed', checkout: current }
}

/**
 * The maximum number of checkouts in a row that an order may have without the gateway knowing any of them: it refused
 * them, as with a mistyped phone number, or may not have received them. What certainly never reached it does not count:
 * the next start uses the same attempt. After a restore, the gateway is asked about as many attempts that the store may
 * have lost, and about the one after them. [assumed]
 */
export const MAX_UNKNOWN_IN_A_ROW = 5

/** Returns a refusal if the gateway has refused too many checkouts of the order; `null` if a new one may be created. */
export function refuseAfterRefusals(attempts: readonly Checkout[]): Refusal | null {
  const sent = attempts.filter((attempt) => !isUnsent(attempt))
  const lastKnown = sent.findLastIndex(
    ({ record }) => record.phase !== 'refused' && record.phase !== 'abandoned',
  )
  const unknownSince = sent.length - 1 - lastKnown
  if (unknownSince < MAX_UNKNOWN_IN_A_ROW) {
    return null
  }

  return refuse(
    'order_not_payable',
    `The gateway did not take ${MAX_UNKNOWN_IN_A_ROW} payments of this order, one after the other. Ask the shop for a new order.`,
  )
}

/**
 * Returns the refusal for an order whose terms differ from those of `checkout`. A live checkout can still be paid. The
 * money of a settled one is the merchant's to refund or to accept.
 */
export function refuseChanged(checkout: Checkout, requested: RequestedTerms): Refusal {
  if (!determineOutcome(checkout).settled) {
    return refuse(
      'order_changed',
      'A checkout with the earlier terms of this order can still be paid. Try again when it has ended.',
    )
  }

  const { reference, record } = checkout
  const terms = ({ amount, currency }: RequestedTerms) => `${amount} ${currency}`
  return refuseWithReason(
    'order_not_payable',
    'Money was received for earlier terms of this order, or may have been. Ask the shop before you pay again.',
    `The order ${JSON.stringify(requested.order)} now has the terms ${terms(requested)}, and is not started: money was received for the terms ${terms(record.requested)} (${reference}), or may have been. Fulfil or refund these, and give changed terms a new reference.`,
  )
}

/**
 * Returns whether the money of a checkout went back. [assumed] Its order is then over, because a backend has fulfilled
 * or cancelled it: a new sale gets a new reference.
 */
function isReturned(checkout: Checkout): boolean {
  const { outcome } = determineOutcome(checkout)
  return outcome === 'reversed' || outcome === 'refunded' || isAnyBack(checkout)
}

/** Returns whether a part of the money of a checkout is listed as gone back. A person who has resolved it decides that. */
function isAnyBack({ record }: Checkout): boolean {
  const reported = record.phase === 'open' && record.resolution === null ? record.reported : null
  return reported !== null && isReturnListed(reported)
}

/** The refusal of an order whose money was returned. */
export const MONEY_RETURNED = refuse(
  'order_not_payable',
  'The payment of this order was returned, which ended the order. A new sale needs a new reference.',
)

const isActive = (attempt: Checkout) => isPayable(attempt) || holdsMoney(attempt)

function holdsMoney(checkout: Checkout): boolean {
  return hasMoney(moneyOfCheckout(checkout))
}

/** Returns whether two orders state the same terms. What the settings complete is for the merchant to change. */
export function isSameOrder(a: RequestedTerms, b: RequestedTerms): boolean {
  return (
    compare(a.amount, b.amount) === 0 &&
    a.currency === b.currency &&
    JSON.stringify(a.stated) === JSON.stringify(b.stated)
  )
}

/**
 * Returns whether the requested amount is exactly the unpaid remainder of a checkout that ended partially paid.
 * [assumed] While a checkout holds money, only this remainder may be requested.
 */
function isForRemainder(checkout: Checkout, requested: RequestedTerms): boolean {
  const part = partOf(checkout)
  if (part === null) {
    return false
  }

  const { amount, currency } = checkout.record.requested
  return requested.currency === currency && compare(add(part, requested.amount), amount) === 0
}

/**
 * Returns what was received of a checkout that ended partially paid; `null` if it did not, if anything of it went back, or
 * if the merchant has refused the service: the part goes back to the payer.
 */
function partOf(checkout: Checkout): string | null {
  const { record } = checkout
  const { outcome, settled } = determineOutcome(checkout)
  const { received, unreadable } = moneyOfCheckout(checkout)
  const isRefused = record.phase === 'open' && isServiceRefused(record.confirmation)
  const isGoingBack = isRefused || isAnyBack(checkout)
  return outcome === 'partial' && settled && !unreadable && !isGoingBack ? received : null
}

/**
 * Returns what is left to pay of an amount: without the parts that the checkouts of its order have received when they
 * ended.
 */
export function restOf(attempts: readonly Checkout[], amount: string): string {
  const parts = attempts.flatMap((attempt) => partOf(attempt) ?? [])
  return parts.length === 0 ? amount : canonical(subtract(amount, sum(parts)))
}
