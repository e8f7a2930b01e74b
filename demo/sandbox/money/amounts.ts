// Amounts as the gateway and people write them. [assumed] The gateway writes them as decimal text in major units of the
// currency, never in cents.

import { canonical, compare, isDecimal, round, subtract } from '../../../server/contract/decimal.ts'

import type { Decimal } from '../../../server/contract/decimal.ts'
import type { Currency } from './currencies.ts'

/** Writes an amount with two fraction digits: "500" as "500.00". [spec: Payment record] */
export const withFraction = (amount: Decimal) => round(amount, 2, 'down')

/** Writes an amount without a fraction of zeros: "500.00" as "500". */
export const withoutZeros = (amount: Decimal) => amount.replace(/\.0+$/, '')

/** Returns whether a text is an amount above 0 as requests have it, whatever the currency. */
export function isPayableAmount(text: string): text is Decimal {
  return /^\d{1,15}(\.\d{1,2})?$/.test(text) && isDecimal(text) && compare(text, '0') > 0
}

/** Reads an amount as people write it, such as "1 500" or "1,500.00"; `null` for other text. */
export function readAmount(typed: string): Decimal | null {
  const text = typed.replaceAll(/(?<=\d)[ ,](?=\d{3}(?!\d))/g, '').trim()
  return isPayableAmount(text) ? canonical(text) : null
}

/** Returns what is still missing of an amount; 0 if enough was received. */
export function shortfall(asked: Decimal, received: Decimal): Decimal {
  return compare(asked, received) > 0 ? subtract(asked, received) : '0'
}

/** Returns whether an amount has no more fraction digits than its currency. [assumed] Those of ISO 4217. */
export function fits(amount: Decimal, { fractionDigits }: Currency): boolean {
  return compare(round(amount, fractionDigits, 'down'), amount) === 0
}

/** Returns the rule that an amount breaks which does not fit its currency, such as "must have no fraction in UGX." */
export function fractionRuleOf({ code, fractionDigits }: Currency): string {
  const rule = fractionDigits === 0 ? 'no fraction' : `at most ${fractionDigits} fraction digits`
  return `must have ${rule} in ${code}.`
}

/** Writes an amount for people, such as "KES 1,500.50". */
export function display(amount: Decimal, currency: string): string {
  const [units = '0', fraction] = withoutZeros(amount).split('.')
  const grouped = units.replace(/\B(?=(\d{3})+$)/g, ',')
  return `${currency} ${grouped}${fraction === undefined ? '' : `.${fraction.padEnd(2, '0')}`}`
}
