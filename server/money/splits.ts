/**
 * Completes and checks splits (split settlements): shares of a charge for partner accounts. Pure. [spec: Charge
 * request, split_settlements]
 */

import type { SplitSettlement } from '../contract/charge.ts'
import type { Decimal } from '../contract/decimal.ts'
import type { FieldError } from '../api/problem.ts'
import { compare, sum } from '../contract/decimal.ts'
import { findInexact } from './currency.ts'

/**
 * Returns the merchant's shares (`given`), followed by the shares that PARTNER_ACCOUNTS_DYNAMIC configures (`dynamic`).
 * The spec says that the dynamic accounts "must be included in every request". [assumed] If the merchant's shares
 * already contain a dynamic account, only the merchant's share is kept.
 */
export function completeSplits(
  given: readonly SplitSettlement[],
  dynamic: readonly SplitSettlement[],
): SplitSettlement[] {
  const isMissing = ({ account }: SplitSettlement) => given.every((split) => split.account !== account)
  return [...given, ...dynamic.filter(isMissing)]
}

/**
 * Returns the errors in splits that the schema of one split cannot detect: too many fraction digits, a repeated
 * account, or a sum above the amount. The path of an error starts at the list, such as `[0].amount`. The path is empty
 * if the sum is wrong.
 */
export function findSplitErrors(
  splits: readonly SplitSettlement[],
  amount: Decimal,
  currency: string,
): FieldError[] {
  const inexact = findInexact(
    splits.map((split, index) => ({ path: `[${index}].amount`, amount: split.amount, currency })),
  )
  const repeated = splits.flatMap(({ account }, index) => {
    const first = splits.findIndex((other) => other.account.trim() === account.trim())
    return first === index
      ? []
      : [{ path: `[${index}].account`, message: `is the same as that of [${first}]` }]
  })
  const total = sum(splits.map((split) => String(split.amount)))
  const excess = compare(total, amount) > 0
  const tooMuch = { path: '', message: `come to ${total}, which is more than the amount of ${amount}` }
  return [...inexact, ...repeated, ...(excess ? [tooMuch] : [])]
}
