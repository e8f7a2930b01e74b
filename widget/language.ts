/** Which language the shopper reads, and its words where they are not built in. */

import { en } from './locales/en.ts'

import type { Words } from './locales/en.ts'

/** Each is a chunk of its own, fetched when a page first needs it. */
const OTHERS = new Map<string, () => Promise<Words>>([
  ['sw', () => import('./locales/sw.ts').then((module) => module.sw)],
])

/** English for a language without words, and when they cannot be loaded: that must not stop a payment. */
export async function loadWords(lang: string): Promise<Words> {
  const load = OTHERS.get(primary(lang))
  return load === undefined ? en : load().catch(() => en)
}

/** How amounts and dates are written: after the shopper's own tag ("sw-TZ") where the words are in its language. */
export function formatLanguage(lang: string, words: Words): string {
  if (primary(lang) !== words.language) return words.language
  try {
    return Intl.getCanonicalLocales(lang)[0] ?? words.language
  } catch {
    return words.language
  }
}

function primary(lang: string): string {
  return lang.toLowerCase().split('-')[0] ?? ''
}
