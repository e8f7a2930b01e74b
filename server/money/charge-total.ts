/**
 * Computes the total that the payer of a charge pays: the amount, plus the fee `transaction_charge` if
 * `add_transaction_charge` is set.
 *
 * [assumed] If `add_transaction_charge` is set without a `transaction_charge`, the gateway adds a fee of its own.
 */

import type { Decimal } from '../contract/decimal.ts'
import { add, compare } from '../contract/decimal.ts'

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
