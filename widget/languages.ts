/**
 * The languages that shoppers can read. To add one, write a file in `locales/` and add a line here: the element,
 * the pages of the payment server and the demo shop all read this list.
 */

import { en } from './locales/en.ts'

import type { Words } from './locales/en.ts'

/** English is built in. A page downloads any other language when it first needs it. */
const LOADERS = {
  en: () => Promise.resolve({ default: en }),
  ar: () => import('./locales/ar.ts'),
  fr: () => import('./locales/fr.ts'),
  pt: () => import('./locales/pt.ts'),
  sw: () => import('./locales/sw.ts'),
} satisfies Record<string, () => Promise<{ default: Words }>>

export type Language = keyof typeof LOADERS

const LOADER_BY_LANGUAGE = new Map<string, () => Promise<{ default: Words }>>(Object.entries(LOADERS))

/** ISO 639-1 codes. */
export const LANGUAGES: readonly string[] = [...LOADER_BY_LANGUAGE.keys()]

/**
 * The words for a BCP 47 language tag. The region does not matter: "sw-TZ" loads Swahili.
 *
 * @returns English for a language that is not in the list; `null` when the download failed.
 */
export async function loadWords(lang: string): Promise<Words | null> {
  const load = LOADER_BY_LANGUAGE.get(lang.toLowerCase().replace(/-.*/, '')) ?? LOADERS.en
  return load().then(
    (module) => module.default,
    () => null,
  )
}
