/**
 * Checks the number of fraction digits of amounts. The spec does not limit this number. [assumed] An amount may have as
 * many fraction digits as ISO 4217 defines for its currency.
 */

import type { FieldError } from '../api/problem.ts'
import type { Decimal } from '../contract/decimal.ts'
import { compare, round } from '../contract/decimal.ts'

/** A cache of the fraction digits by currency code, because creating an `Intl.NumberFormat` takes 30 µs. */
const known = new Map<string, number>()

/**
 * Returns the number of fraction digits of a currency according to `Intl.NumberFormat`: 2 for KES, 0 for UGX, and 2 for
 * an unknown currency code.
 */
export function fractionDigitsOf(currency: string): number {
  const digits = known.get(currency) ?? readFractionDigits(currency)
  known.set(currency, digits)
  return digits
}

function readFractionDigits(currency: string): number {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency })
  return format.resolvedOptions().maximumFractionDigits ?? 2
}

/**
 * Returns whether rounding to the fraction digits of the currency leaves the amount unchanged. In KES, "5.10" is exact
 * and "5.105" is not.
 */
export function isExactIn(currency: string, amount: Decimal): boolean {
  return compare(round(amount, fractionDigitsOf(currency), 'down'), amount) === 0
}

/** Returns an error for each amount with more fraction digits than its currency has. */
export function findInexact(
  amounts: readonly { path: string; amount: string | number; currency: string }[],
): FieldError[] {
  return amounts
    .filter(({ amount, currency }) => !isExactIn(currency, String(amount)))
    .map(({ path, currency }) => ({ path, message: exactnessRuleOf(currency) }))
}

/** Returns the rule that an inexact amount breaks, such as "must have no fraction in UGX". */
export function exactnessRuleOf(currency: string): string {
  const digits = fractionDigitsOf(currency)
  return `must have ${digits === 0 ? 'no fraction' : `at most ${digits} fraction digits`} in ${currency}`
}
