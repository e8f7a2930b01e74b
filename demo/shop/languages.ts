/** The languages of the tag, each by its own name: "Kiswahili". Only for the server: a browser would load all words. */

import { LANGUAGES } from 'gateway-checkout/words'

/** By ISO 639-1 code. */
export const LANGUAGE_NAMES: Readonly<Record<string, string>> = Object.fromEntries(
  LANGUAGES.map((language) => [language, nameOf(language)]),
)

function nameOf(language: string): string {
  const name = new Intl.DisplayNames(language, { type: 'language' }).of(language) ?? language
  return name.charAt(0).toLocaleUpperCase(language) + name.slice(1)
}
