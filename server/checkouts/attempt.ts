/**
 * Decides whether a request to start a checkout creates a new checkout of the order or resumes an existing one. Pure.
 *
 * An order has at most one live (unsettled) checkout: double clicks, reloads, second tabs and retries resume it. A new
 * attempt starts only after the last attempt ended without money, or when the merchant requests exactly the remainder
 * of a partial payment. The store's unique key (group, attempt) lets only one of two concurrent requests create the
 * checkout.
 */

import type { Tombstone } from '../store.ts'
import type { RequestedTerms, Checkout } from './record.ts'
import { add, compare } from '../contract/decimal.ts'
import { holdsMoney, determineOutcome } from './outcome.ts'

type Plan =
  | { kind: 'create'; attempt: number }
  /** Resumes an existing checkout. It may be settled and hold money: the shopper then sees its outcome. */
  | { kind: 'resume'; checkout: Checkout }
  /** The order was changed, but this checkout can still be paid with the old terms, or holds money. */
  | { kind: 'changed'; checkout: Checkout }
  /** The order was paid, and its record was deleted since. */
  | { kind: 'deleted' }

/**
 * Decides what a request to start a checkout of an order does.
 *
 * @param attempts All checkouts of the order, the first attempt first.
 * @param requested The terms of the order as it is now.
 * @param pruned The tombstones of earlier checkouts of the order.
 * @returns The plan: create a new checkout, resume an existing one, or refuse because the order was changed or was paid
 * long ago.
 */
export function planAttempt(
  attempts: readonly Checkout[],
  requested: RequestedTerms,
  pruned: readonly Pick<Tombstone, 'attempt' | 'outcome'>[] = [],
): Plan {
  if (pruned.some(({ outcome }) => WITH_MONEY.includes(outcome))) return { kind: 'deleted' }
  const last = Math.max(0, ...[...pruned, ...attempts].map(({ attempt }) => attempt))
  const create: Plan = { kind: 'create', attempt: last + 1 }
  // A paid checkout has priority over a live one: if the shopper paid both, the order would be charged twice.
  const current = attempts.findLast(isPaid) ?? attempts.findLast(isLive) ?? attempts.findLast(holdsMoney)
  if (!current) return create
  if (isSameOrder(current.record.requested, requested)) return { kind: 'resume', checkout: current }
  if (!isLive(current) && isForRemainder(current, requested)) return create
  return { kind: 'changed', checkout: current }
}

/** Outcomes of settled checkouts that hold the shopper's money. */
const WITH_MONEY = ['paid', 'partial']

function isPaid(checkout: Checkout): boolean {
  return determineOutcome(checkout).outcome === 'paid'
}

/** Returns whether the checkout is unsettled, so that the shopper can pay it now or later. */
function isLive(checkout: Checkout): boolean {
  return !determineOutcome(checkout).settled
}

function isSameOrder(a: RequestedTerms, b: RequestedTerms): boolean {
  return (
    compare(a.amount, b.amount) === 0 &&
    a.currency === b.currency &&
    a.service_code === b.service_code &&
    a.account_number === b.account_number &&
    JSON.stringify(a.splits) === JSON.stringify(b.splits)
  )
}

/**
 * Returns whether the requested amount is exactly the unpaid remainder of a partially paid checkout. [assumed] While a
 * checkout holds money, a new attempt may only be for this remainder.
 */
function isForRemainder(checkout: Checkout, requested: RequestedTerms): boolean {
  const { record } = checkout
  if (record.phase !== 'open' || !record.reported || determineOutcome(checkout).outcome !== 'partial')
    return false
  const total = add(record.reported.amount, requested.amount)
  return requested.currency === record.requested.currency && compare(total, record.requested.amount) === 0
}
