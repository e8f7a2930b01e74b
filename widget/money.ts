/** Formats amounts of money for a language. Pure. */

import type { CheckoutView } from '../server/api/view.ts'

/** A decimal amount, short enough for exact sums below. */
export const AMOUNT = /^\d{1,18}(\.\d{1,12})?$/

/**
 * "KES 1,500" or "Ksh 1,500.50", as the language writes it.
 *
 * @param amount Decimal text in major units; stays exact, however long.
 * @param currency ISO 4217.
 * @param lang BCP 47 tag.
 */
export function formatMoney(amount: string, currency: string, lang: string): string {
  const format = new Intl.NumberFormat(lang, {
    style: 'currency',
    currency,
    trailingZeroDisplay: 'stripIfInteger',
  })
  // Numeric text: amounts of a view match `AMOUNT`, and `{rest}` below is made of digits.
  return format.format(amount as `${number}`)
}

/** Replaces `{asked}`, `{paid}` and `{rest}` (missing, or too much) by the amounts of a view. */
export function fillAmounts(
  text: string,
  { amount, amount_paid, currency }: CheckoutView,
  lang: string,
): string {
  const missing = trillionths(amount) - trillionths(amount_paid)
  const amounts: Record<string, string> = {
    '{asked}': amount,
    '{paid}': amount_paid,
    '{rest}': `${missing < 0n ? -missing : missing}e-12`,
  }
  return text.replace(/{\w+}/g, (placeholder) => {
    const value = amounts[placeholder]
    return value ? formatMoney(value, currency, lang) : placeholder
  })
}

/** The amount in trillionths of a major unit, which makes every allowed fraction an integer. */
function trillionths(amount: string): bigint {
  const [units = '', fraction = ''] = amount.split('.')
  return BigInt(units + fraction.padEnd(12, '0'))
}
