/** Which language the shopper reads, and its words where they are not built in. */

import { en } from './locales/en.ts'

import type { Words } from './locales/en.ts'

/** Each is a chunk of its own, fetched when a page first needs it. */
const OTHERS = new Map<string, () => Promise<Words>>([
  ['sw', () => import('./locales/sw.ts').then((module) => module.sw)],
])

/** A language, with a script and a region where they are given. */
const TAG = /^([a-z]{2,3})(-[a-z]{4})?(-[a-z]{2}|-\d{3})?$/i

/** English for a language without words, and when they cannot be loaded: that must not stop a payment. */
export async function loadWords(lang: string): Promise<Words> {
  const load = OTHERS.get(primary(lang))
  return load === undefined ? en : load().catch(() => en)
}

/** How amounts and dates are written: after the shopper's own tag ("sw-TZ") where the words are in its language. */
export function formatLanguage(lang: string, { language }: Words): string {
  return primary(lang) === language ? lang : language
}

/** The language alone, in lower case; empty when the text is no tag that every browser knows how to read. */
function primary(lang: string): string {
  return TAG.exec(lang)?.[1]?.toLowerCase() ?? ''
}
