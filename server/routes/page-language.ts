/** Chooses the language of a page for a shopper. */

import type { Words } from 'gateway-checkout/words'
import { ENGLISH, isLanguageTag, LANGUAGES, loadWords } from 'gateway-checkout/words'

export interface PageLanguage {
  words: Words
  /** A BCP 47 language tag, for the `lang` attribute and for formatting amounts. */
  lang: string
}

/** The maximum number of languages that are read from an `Accept-Language` header. [assumed] No browser sends more. */
const MOST_LANGUAGES = 10

/**
 * Chooses the language of a page: `requested` if this language has translated texts, or else the first language in
 * `accepted` that has translated texts, or else English.
 *
 * @param requested BCP 47 tag; `null` if no language was requested.
 * @param accepted The `Accept-Language` header.
 */
export async function chooseLanguage(
  requested: string | null,
  accepted: string | undefined,
): Promise<PageLanguage> {
  const header = (accepted ?? '').split(',', MOST_LANGUAGES).map((item) => item.split(';')[0] ?? '')
  const lang = [requested ?? '', ...header].map((tag) => tag.trim()).find(hasWords) ?? 'en'
  return { words: (await loadWords(lang)) ?? ENGLISH, lang }
}

function hasWords(lang: string): boolean {
  return isLanguageTag(lang) && LANGUAGES.includes(lang.split('-')[0]?.toLowerCase() ?? '')
}
