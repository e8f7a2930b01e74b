/** The total of a charge: the amount, and the fee that is added to it. Pure. */

import { add, compare } from '../contract/decimal.ts'

import type { Decimal } from '../contract/decimal.ts'

/** The fields of a charge that determine its total. */
interface Priced {
  amount: number | Decimal
  add_transaction_charge?: boolean | undefined
  transaction_charge?: number | undefined
}

/**
 * Returns the total that the payer pays, as decimal text in major units of the currency: the amount, and with
 * `add_transaction_charge` also the fee `transaction_charge`. [spec: Charge request]
 *
 * [assumed] Without `transaction_charge`, the gateway adds a fee of its own. The result is then the lowest possible
 * total.
 */
export function totalOf({ amount, add_transaction_charge, transaction_charge = 0 }: Priced): Decimal {
  return add_transaction_charge ? add(String(amount), String(transaction_charge)) : String(amount)
}

/**
 * Returns whether the gateway's reported `total` matches the request. If the gateway adds a fee of its own, every total
 * of at least the requested amount matches.
 */
export function isTotalOf(request: Priced, total: Decimal): boolean {
  const isFeeUnknown = request.add_transaction_charge === true && request.transaction_charge === undefined
  const difference = compare(total, totalOf(request))
  return isFeeUnknown ? difference >= 0 : difference === 0
}
