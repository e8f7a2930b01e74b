/**
 * Writes what the page says before a checkout: how much is paid, and to whom. The payment server never gets these texts,
 * and they disappear once it has reported the terms. Pure.
 */

import { formatMoneyIn } from './money.ts'

/** Returns the attribute `amount` in a language if it is like "KES 1500.50", and unchanged otherwise. */
export function offeredAmount(amount: string, language: string): string {
  return amount.replace(/^([A-Z]{3}) (\d{1,18}(\.\d{1,12})?)$/, (_, currency: string, number: string) =>
    formatMoneyIn(language, number, currency),
  )
}

/**
 * Returns the terms as one text; `amount` is empty text if the button says it. A mark (U+200F) ends the run of Latin letters: in Arabic
 * text, a Latin payee would otherwise stand between the number and its currency.
 */
export function termsText(amount: string, payee: string): string {
  return [amount, payee].filter(Boolean).join(' · \u200f')
}
