/** The splits of a checkout or charge: the shares that go to accounts of other businesses. Pure. */

import { accountKey } from '../contract/comparison-keys.ts'
import { findInexact } from '../contract/currency.ts'
import { compare, sum } from '../contract/decimal.ts'

import type { FieldError } from '../api/refusal.ts'
import type { SplitSettlement } from '../contract/charge.ts'
import type { Decimal } from '../contract/decimal.ts'

/**
 * Returns the splits in the merchant's request (`given`), followed by the splits in the setting
 * PARTNER_ACCOUNTS_DYNAMIC (`dynamic`). The spec says that the partner accounts in `dynamic` "must be included in every
 * request".
 *
 * [assumed] If `given` already contains a split for an account in `dynamic`, the split in `dynamic` is omitted.
 */
export function completeSplits(
  given: readonly SplitSettlement[],
  dynamic: readonly SplitSettlement[],
): SplitSettlement[] {
  const accounts = new Set(given.map(({ account }) => accountKey(account)))
  const isMissing = ({ account }: SplitSettlement) => !accounts.has(accountKey(account))
  return [...given, ...dynamic.filter(isMissing)]
}

/**
 * Returns an error for each amount with too many fraction digits, for each repeated account, and if the sum of the
 * splits is larger than `amount`. The path of an error is relative to `splits`, such as `[0].amount`. The path is empty
 * if the sum is too large.
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
    const first = splits.findIndex((other) => accountKey(other.account) === accountKey(account))
    return first === index
      ? []
      : [{ path: `[${index}].account`, message: `is the same as that of [${first}]` }]
  })
  const total = sum(splits.map((split) => String(split.amount)))
  const tooMuch = { path: '', message: `come to ${total}, which is more than the amount of ${amount}` }
  return [...inexact, ...repeated, ...(compare(total, amount) > 0 ? [tooMuch] : [])]
}
