/** The element's languages with their names in themselves, such as "Kiswahili". Only for the server. */

import { LANGUAGES } from 'gateway-checkout/words'

/** Language names by ISO 639-1 code. */
export const LANGUAGE_NAMES: Readonly<Record<string, string>> = Object.fromEntries(
  LANGUAGES.map((language) => [language, nameOf(language)]),
)

function nameOf(language: string): string {
  const name = new Intl.DisplayNames(language, { type: 'language' }).of(language) ?? language
  return name.charAt(0).toLocaleUpperCase(language) + name.slice(1)
}
