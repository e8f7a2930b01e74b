/**
 * Describes what the element shows without a view of a checkout, also before the second file has arrived: the button's
 * word, and how much the page says is paid, to whom. The payment server never gets these terms, and they disappear once
 * it has reported its own.
 */

import { formatMoneyIn } from '../state/money.ts'
import { FIRST_WORDS } from '../words/first-words.ts'
import { isDisabled, langOf } from './checkout-settings.ts'

import type { Language } from '../words/languages.ts'
import type { ElementHost } from './element-host.ts'
import type { Look } from './frame.ts'

/** Returns what the element shows without a checkout. */
export function idleLook(host: ElementHost): Look {
  const { element } = host
  const { words, amount, label, payee, methods } = element
  const language = languageOf(host)
  const pay = words?.[language]?.pay ?? FIRST_WORDS[language].pay
  const offered = offeredAmount(amount, language)
  return {
    state: 'idle',
    isBusy: false,
    isDisabled: isDisabled(element),
    language,
    dir: FIRST_WORDS[language].dir,
    text: label || [pay, offered].filter(Boolean).join(' '),
    terms: termsText(label && offered, payee, methods),
  }
}

/** Returns the language in which the element speaks. */
export function languageOf({ element, environment }: ElementHost): Language {
  const [language = ''] = langOf(element, environment).toLowerCase().split('-')
  return isSupported(language) ? language : 'en'
}

function isSupported(text: string): text is Language {
  return Object.hasOwn(FIRST_WORDS, text)
}

/** Returns the attribute `amount` in a language if it is like "KES 1500.50", and unchanged otherwise. */
export function offeredAmount(amount: string, language: string): string {
  return amount.replace(/^([A-Z]{3}) (\d{1,18}(\.\d{1,12})?)$/, (_, currency: string, number: string) =>
    formatMoneyIn(language, number, currency),
  )
}

/**
 * Returns the terms as one text; empty texts are left out. A mark (U+200F) ends the run of Latin
 * letters: in Arabic text, a Latin payee would otherwise stand between the number and its currency.
 */
export function termsText(...terms: readonly string[]): string {
  return terms.filter(Boolean).join(' · \u200f')
}
