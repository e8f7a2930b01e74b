/** Formats amounts of money for a language. Pure. */

import type { CheckoutView } from '../server/api/view.ts'

/** A pattern for a valid amount: decimal text with at most 18 integer digits and 12 fraction digits. */
export const AMOUNT = /^\d{1,18}(\.\d{1,12})?$/

/** Returns whether the text is a BCP 47 language tag. `Intl` throws on any other text, such as "en_US" or "en-aa-bb". */
export function isLanguageTag(text: string): boolean {
  try {
    return Intl.getCanonicalLocales(text).length > 0
  } catch {
    return false
  }
}

/**
 * Formats an amount for a language, such as "KES 1,500" or "Ksh 1,500.50".
 *
 * @param amount Decimal text in major units of the currency. It stays exact, however long it is.
 * @param currency The ISO 4217 code of the currency.
 * @param lang The BCP 47 tag of the language; an invalid tag counts as English.
 */
export function formatMoney(amount: string, currency: string, lang: string): string {
  const format = new Intl.NumberFormat(isLanguageTag(lang) ? lang : 'en', {
    style: 'currency',
    currency,
    trailingZeroDisplay: 'stripIfInteger',
  })
  // The type requires numeric text: amounts of a view match `AMOUNT`, and `{rest}` below is computed from them.
  return format.format(amount as `${number}`)
}

/**
 * Returns the text with `{asked}`, `{paid}` and `{rest}` (the missing or excess amount) replaced by the formatted
 * amounts of a view.
 */
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

/** Returns the amount in trillionths of a major unit, so that every allowed fraction becomes an integer. */
function trillionths(amount: string): bigint {
  const [units = '', fraction = ''] = amount.split('.')
  return BigInt(units + fraction.padEnd(12, '0'))
}
