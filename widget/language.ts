/** Which language the shopper reads, and its words where they are not built in. */

import { en } from './locales/en.ts'

import type { Words } from './locales/en.ts'

/** Each is a chunk of its own, fetched when a page first needs it. */
const OTHERS = new Map<string, () => Promise<Words>>([
  ['sw', () => import('./locales/sw.ts').then((module) => module.sw)],
])

/**
 * English for a language without words, and when they cannot be loaded: that must not stop a payment.
 *
 * @param lang BCP 47 tag. Of "sw-TZ", only the language counts.
 */
export async function loadWords(lang: string): Promise<Words> {
  const load = OTHERS.get(lang.toLowerCase().replace(/-.*/, ''))
  return load === undefined ? en : load().catch(() => en)
}
