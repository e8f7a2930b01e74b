/**
 * The total that the payer of a charge is asked for: the amount, plus the transaction charge if it is added on top.
 * [assumed] If the merchant gives no `transaction_charge`, the gateway sets its own.
 */

import type { ChargeRequest } from '../contract/charge.ts'
import type { Decimal } from '../contract/decimal.ts'
import { add, compare } from '../contract/decimal.ts'

/** Returns the lowest possible total. */
export function totalOf({ amount, add_transaction_charge, transaction_charge = 0 }: ChargeRequest): Decimal {
  return add_transaction_charge ? add(String(amount), String(transaction_charge)) : String(amount)
}

export function isTotalOf(request: ChargeRequest, total: Decimal): boolean {
  const isOpen = request.add_transaction_charge === true && request.transaction_charge === undefined
  const order = compare(total, totalOf(request))
  return isOpen ? order >= 0 : order === 0
}
