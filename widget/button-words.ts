/**
 * The words that the element shows before the second file has arrived. `pay` is here in every language and equals that
 * in `locales/`, so that the button's text does not change when the other words arrive.
 */

import type { CheckoutWords } from './custom-words.ts'
import type { Language } from './languages.ts'

export interface ButtonWords {
  language: Language
  dir: string
  pay: string
}

const PAY: Readonly<Record<Language, string>> = {
  en: 'Pay',
  ar: 'ادفع',
  fr: 'Payer',
  pt: 'Pagar',
  sw: 'Lipa',
}

/**
 * Returns the words in a language; English words if the language is not supported.
 *
 * @param lang A BCP 47 language tag.
 * @param custom Words that the page defines.
 */
export function buttonWords(lang: string, custom?: CheckoutWords | null): ButtonWords {
  const [tag = ''] = lang.toLowerCase().split('-')
  const language = isSupported(tag) ? tag : 'en'
  return {
    language,
    dir: language === 'ar' ? 'rtl' : 'ltr',
    pay: custom?.[language]?.pay ?? PAY[language],
  }
}

function isSupported(text: string): text is Language {
  return Object.hasOwn(PAY, text)
}
