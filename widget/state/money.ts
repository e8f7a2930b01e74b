/** Formats amounts of money in a language. Pure. */

import type { CheckoutView } from '../../server/api/view.ts'

/** Matches decimal text with at most 18 integer digits and 12 fraction digits. */
export const AMOUNT = /^\d{1,18}(\.\d{1,12})?$/

/** Returns whether the text is a BCP 47 language tag. `Intl` throws on other texts, such as "en_US" or "en-aa-bb". */
export function isLanguageTag(text: string): boolean {
  try {
    return Intl.getCanonicalLocales(text).length > 0
  } catch {
    return false
  }
}

/**
 * Returns an amount as text in a language, such as "KES 1,500" for "en" and "Ksh 1,500.50" for "en-KE".
 *
 * @param amount Decimal text in major units of the currency. Decimals that the currency does not have are rounded.
 * @param currency The ISO 4217 code of the currency.
 * @param lang The BCP 47 tag of the language; an invalid tag counts as English.
 */
export function formatMoney(amount: string, currency: string, lang: string): string {
  return formatMoneyIn(isLanguageTag(lang) ? lang : 'en', amount, currency)
}

/** Like {@link formatMoney}, but throws an error if `lang` is not a BCP 47 tag. */
export function formatMoneyIn(lang: string, amount: string, currency: string): string {
  const format = new Intl.NumberFormat(lang, {
    style: 'currency',
    currency,
    trailingZeroDisplay: 'stripIfInteger',
  })
  // The text is numeric: `AMOUNT` checks a view's amounts, and `fillAmounts` computes `{rest}`.
  return format.format(amount as `${number}`)
}

/**
 * Replaces placeholders in `text` with formatted amounts of a view: `{asked}` is the amount to pay, `{paid}` is the
 * paid amount, and `{rest}` is the missing or excess amount.
 */
export function fillAmounts(text: string, view: CheckoutView, lang: string): string {
  const { amount, amount_paid, currency } = view
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

/** Returns an amount as a whole number of trillionths (10⁻¹²) of the currency's major unit. */
function trillionths(amount: string): bigint {
  const [units = '', fraction = ''] = amount.split('.')
  return BigInt(units + fraction.padEnd(12, '0'))
}
