/**
 * Checks the number of fraction digits of amounts. The spec does not limit this number. [assumed] An amount may have as
 * many fraction digits as ISO 4217 defines for its currency.
 */

import type { Decimal } from '../contract/decimal.ts'
import type { FieldError } from '../api/refusal.ts'

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
 * Returns whether the amount has at most the fraction digits of the currency. In KES, "5.10" is exact, and "25.000" is
 * not: in many countries, it means 25,000. [assumed] Two zeros are taken where a currency has no fraction.
 */
export function isExactIn(currency: string, amount: Decimal): boolean {
  const [, fraction = ''] = amount.split('.')
  return fraction.length <= fractionDigitsOf(currency) || fraction === '00'
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
