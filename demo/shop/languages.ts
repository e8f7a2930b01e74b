// Each language is named in the language itself, such as "Kiswahili".

import { LANGUAGES } from 'gateway-checkout/words'

export const LANGUAGE_NAMES: Readonly<Record<string, string>> = Object.fromEntries(
  LANGUAGES.map((language) => [language, nameOf(language)]),
)

function nameOf(language: string): string {
  const name = new Intl.DisplayNames(language, { type: 'language' }).of(language) ?? language
  return name.charAt(0).toLocaleUpperCase(language) + name.slice(1)
}
