/** How a language writes amounts. Pure. */

import type { CheckoutView } from '../server/api/view.ts'

/** Decimal text, no longer than the exact sums below can hold. */
export const AMOUNT = /^\d{1,18}(\.\d{1,12})?$/

/** A text with its holes filled by the amounts of a view. */
export function withAmounts(
  text: string,
  { amount, amount_paid, currency }: CheckoutView,
  lang: string,
): string {
  const missing = trillionths(amount) - trillionths(amount_paid)
  const sums: Record<string, string> = {
    '{asked}': amount,
    '{paid}': amount_paid,
    '{rest}': `${missing < 0n ? -missing : missing}e-12`,
  }
  return text.replace(/{\w+}/g, (hole) => (sums[hole] ? money(sums[hole], currency, lang) : hole))
}

/** "KES 1,500" or "Ksh 1,500.50", as the language writes it. `amount` is decimal text, and stays exact. */
export function money(amount: string, currency: string, lang: string): string {
  const format = new Intl.NumberFormat(lang, {
    style: 'currency',
    currency,
    trailingZeroDisplay: 'stripIfInteger',
  })
  // Numeric text: every amount of a view was read as `AMOUNT`, and the rest is made of digits above.
  return format.format(amount as `${number}`)
}

/** Trillionths of the currency's unit: every fraction that an amount may have is whole in them. */
function trillionths(amount: string): bigint {
  const [units = '', fraction = ''] = amount.split('.')
  return BigInt(units + fraction.padEnd(12, '0'))
}
