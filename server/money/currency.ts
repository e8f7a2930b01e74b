/**
 * How fine an amount of a currency can be.
 *
 * [assumed] The spec does not say; a gateway cannot pay what there are no coins for.
 */

import type { Decimal } from '../contract/decimal.ts'
import { compare, round } from '../contract/decimal.ts'

/** Digits behind the point of the smallest unit, after ISO 4217: 2 for KES, 0 for UGX. Unknown codes have 2. */
export function fractionDigitsOf(currency: string): number {
  const { maximumFractionDigits = 2 } = new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
  }).resolvedOptions()
  return maximumFractionDigits
}

/** Whether the amount can be paid in that currency: "5.10" can in KES, "5.105" cannot. */
export function isExactIn(currency: string, amount: Decimal): boolean {
  return compare(round(amount, fractionDigitsOf(currency), 'down'), amount) === 0
}
