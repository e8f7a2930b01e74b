/**
 * Adds the splits in the configuration to the splits of a charge, checks all splits, and computes the total that the
 * payer pays: the amount, plus the fee `transaction_charge` if `add_transaction_charge` is set. Pure. [spec: Charge
 * request, split_settlements]
 *
 * [assumed] If `add_transaction_charge` is set without a `transaction_charge`, the gateway adds a fee of its own.
 */

import type { SplitSettlement } from '../contract/charge.ts'
import type { Decimal } from '../contract/decimal.ts'
import type { FieldError } from '../api/refusal.ts'
import { compare, sum, add } from '../contract/decimal.ts'
import { findInexact } from './currency.ts'

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
  const isMissing = ({ account }: SplitSettlement) => given.every((split) => split.account !== account)
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

/** The fields of a charge that determine its total. */
interface Priced {
  amount: number | Decimal
  add_transaction_charge?: boolean | undefined
  transaction_charge?: number | undefined
}

/**
 * Returns the total that the payer pays, as decimal text in major units of the currency. If the gateway adds a fee of
 * its own, the result is the lowest possible total.
 */
export function totalOf({ amount, add_transaction_charge, transaction_charge = 0 }: Priced): Decimal {
  return add_transaction_charge ? add(String(amount), String(transaction_charge)) : String(amount)
}

/**
 * Returns whether the gateway's reported `total` matches the request. If the gateway adds a fee of its own, every total
 * of at least the requested amount matches.
 */
export function isTotalOf(request: Priced, total: Decimal): boolean {
  const isOpen = request.add_transaction_charge === true && request.transaction_charge === undefined
  const order = compare(total, totalOf(request))
  return isOpen ? order >= 0 : order === 0
}
