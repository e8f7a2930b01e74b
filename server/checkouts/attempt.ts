/**
 * Which checkout of an order counts. Pure.
 *
 * One order has one live checkout: double clicks, reloads, second tabs and retries all come back to it. A new
 * attempt begins only when the last one ended without money, or when the merchant asks for exactly what remains.
 */

import type { RequestedTerms, Checkout } from './record.ts'
import { compare, subtract } from '../contract/decimal.ts'
import { holdsMoney, determineOutcome } from './outcome.ts'

type Plan =
  | { kind: 'begin'; attempt: number }
  /** Also a checkout that has ended: it holds money, and the shopper is shown its outcome. */
  | { kind: 'resume'; checkout: Checkout }
  /** The order was changed while an old hosted page, for the old terms, can still be paid. */
  | { kind: 'changed'; checkout: Checkout }

/** @param attempts All checkouts of the order, the first attempt first. */
export function planAttempt(attempts: readonly Checkout[], requested: RequestedTerms): Plan {
  const begin: Plan = { kind: 'begin', attempt: (attempts.at(-1)?.attempt ?? 0) + 1 }
  // Paid comes first: a live page beside it would take the money twice.
  const standing = attempts.findLast(isPaid) ?? attempts.findLast(isLive) ?? attempts.findLast(holdsMoney)
  if (!standing) return begin
  if (isSameOrder(standing.record.requested, requested)) return { kind: 'resume', checkout: standing }
  if (!isLive(standing) && isAskedForRest(standing, requested)) return begin
  return { kind: 'changed', checkout: standing }
}

function isPaid(checkout: Checkout): boolean {
  return determineOutcome(checkout).outcome === 'paid'
}

/** Whether the shopper may still pay it, or it may still turn out to be payable. */
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

/** Only the remainder of a part payment is asked for beside money that is held: any other sum is a mistake. [assumed] */
function isAskedForRest(checkout: Checkout, requested: RequestedTerms): boolean {
  const { record } = checkout
  if (record.phase !== 'open' || !record.reported || determineOutcome(checkout).outcome !== 'partial')
    return false
  const rest = subtract(record.requested.amount, record.reported.amount)
  return requested.currency === record.requested.currency && compare(rest, requested.amount) === 0
}
