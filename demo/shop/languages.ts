/** The element's languages with their own names, such as "Kiswahili". Only the server imports this module. */

import { LANGUAGES } from 'gateway-checkout/words'

/** Language names by ISO 639-1 code. */
export const LANGUAGE_NAMES: Readonly<Record<string, string>> = Object.fromEntries(
  LANGUAGES.map((language) => [language, nameOf(language)]),
)

function nameOf(language: string): string {
  const name = new Intl.DisplayNames(language, { type: 'language' }).of(language) ?? language
  return name.charAt(0).toLocaleUpperCase(language) + name.slice(1)
}
