/**
 * How many fraction digits an amount may have in its currency. Pure.
 *
 * The spec does not limit the number of fraction digits. [assumed] An amount may have as many as ISO 4217 defines for
 * its currency.
 */

import { isExact } from './decimal.ts'

import type { Decimal } from './decimal.ts'

/** Fraction digits by currency code, because creating an `Intl.NumberFormat` takes 30 µs. */
const fractionDigits = new Map<string, number>()

/**
 * Returns the number of fraction digits of a currency according to `Intl.NumberFormat`: 2 for KES, 0 for UGX, and 2 for
 * an unknown currency code.
 */
export function fractionDigitsOf(currency: string): number {
  const digits = fractionDigits.get(currency) ?? readFractionDigits(currency)
  fractionDigits.set(currency, digits)
  return digits
}

function readFractionDigits(currency: string): number {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency })
  // Only the type allows that the format has none.
  return format.resolvedOptions().maximumFractionDigits ?? 2
}

/** Returns the smallest amount of a currency: "0.01" in KES, and "1" in UGX. */
export function unitOf(currency: string): Decimal {
  return (10 ** -fractionDigitsOf(currency)).toFixed(fractionDigitsOf(currency))
}

/** Returns whether the amount has at most the fraction digits of the currency. */
export function isExactIn(currency: string, amount: Decimal): boolean {
  return isExact(amount, fractionDigitsOf(currency))
}

/** Returns an error for each amount with more fraction digits than its currency has. */
export function findInexact(
  amounts: readonly { path: string; amount: string | number; currency: string }[],
): { path: string; message: string }[] {
  return amounts
    .filter(({ amount, currency }) => !isExactIn(currency, String(amount)))
    .map(({ path, currency }) => ({ path, message: exactnessRuleOf(currency) }))
}

/** Returns the rule that an inexact amount breaks, such as "must have no fraction in UGX". */
export function exactnessRuleOf(currency: string): string {
  const digits = fractionDigitsOf(currency)
  return `must have ${digits === 0 ? 'no fraction' : `at most ${digits} fraction digits`} in ${currency}`
}
