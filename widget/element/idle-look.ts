/**
 * Describes what the element shows without a checkout, also before the second file has arrived: the button's word, and
 * how much the page says is paid, to whom. The payment server never gets these terms, and they disappear once it has
 * reported its own. Pure.
 */

import { isDisabled, langOf } from './checkout-settings.ts'
import { formatMoneyIn } from '../words/money.ts'

import type { Look } from './button.ts'
import type { ElementHost } from './element-host.ts'
import type { Language } from '../words/languages.ts'
import type { CheckoutState } from '../session/state.ts'

/**
 * Returns what the element shows without a checkout.
 */
export function idleLook(host: ElementHost, state: CheckoutState, isBusy: boolean): Look {
  const { element } = host
  const { words, amount, label, payee } = element
  const language = languageOf(host)
  const pay = words?.[language]?.pay ?? PAY[language]
  const offered = offeredAmount(amount, language)
  return {
    state,
    isBusy,
    isDisabled: isDisabled(element),
    language,
    dir: language === 'ar' ? 'rtl' : 'ltr',
    text: label || [pay, offered].filter(Boolean).join(' '),
    terms: termsText(label && offered, payee),
  }
}

/** `pay` in every language, as in `words/`: the button's text does not change when the other words arrive. */
const PAY: Readonly<Record<Language, string>> = {
  en: 'Pay',
  ar: 'ادفع',
  fr: 'Payer',
  pt: 'Pagar',
  sw: 'Lipa',
}

/** Returns the language in which the element speaks. */
export function languageOf({ element, environment }: ElementHost): Language {
  const [tag = ''] = langOf(element, environment).toLowerCase().split('-')
  return isSupported(tag) ? tag : 'en'
}

function isSupported(text: string): text is Language {
  return Object.hasOwn(PAY, text)
}

/** Returns the attribute `amount` in a language if it is like "KES 1500.50", and unchanged otherwise. */
export function offeredAmount(amount: string, language: string): string {
  return amount.replace(/^([A-Z]{3}) (\d{1,18}(\.\d{1,12})?)$/, (_, currency: string, number: string) =>
    formatMoneyIn(language, number, currency),
  )
}

/**
 * Returns the terms as one text; `amount` is empty text if the button says it. A mark (U+200F) ends the run of Latin
 * letters: in Arabic text, a Latin payee would otherwise stand between the number and its currency.
 */
export function termsText(amount: string, payee: string): string {
  return [amount, payee].filter(Boolean).join(' · \u200f')
}
