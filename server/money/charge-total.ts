/**
 * Computes the total that the payer of a charge pays: the amount, plus the transaction charge if
 * `add_transaction_charge` is set. [assumed] If the merchant gives no `transaction_charge`, the gateway adds a
 * transaction charge of its own.
 */

import type { ChargeRequest } from '../contract/charge.ts'
import type { Decimal } from '../contract/decimal.ts'
import { add, compare } from '../contract/decimal.ts'

/**
 * Returns the total that the payer pays, as decimal text in major units of the currency. If the gateway adds its own
 * transaction charge, this is the lowest possible total.
 */
export function totalOf({ amount, add_transaction_charge, transaction_charge = 0 }: ChargeRequest): Decimal {
  return add_transaction_charge ? add(String(amount), String(transaction_charge)) : String(amount)
}

/**
 * Returns whether the total that the gateway reports agrees with the request. If the gateway adds its own transaction
 * charge, every total of at least the amount agrees.
 */
export function isTotalOf(request: ChargeRequest, total: Decimal): boolean {
  const isOpen = request.add_transaction_charge === true && request.transaction_charge === undefined
  const order = compare(total, totalOf(request))
  return isOpen ? order >= 0 : order === 0
}
