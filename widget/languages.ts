/** Lists the languages that shoppers can read. To add a language, write a file in `locales/` and add a line here. */

import { en } from './locales/en.ts'

import type { Words } from './locales/en.ts'

/** The functions that download the words of each language. English is built in. */
export const LOADERS = {
  ar: () => import('./locales/ar.ts'),
  fr: () => import('./locales/fr.ts'),
  pt: () => import('./locales/pt.ts'),
  sw: () => import('./locales/sw.ts'),
} satisfies Record<string, () => Promise<{ default: Words }>>

export type Language = 'en' | keyof typeof LOADERS

/**
 * Resolves with the words for a BCP 47 language tag. The region is ignored: "sw-TZ" loads Swahili.
 *
 * @returns English for a language without words; `null` if the download failed.
 */
export async function loadWords(lang: string): Promise<Words | null> {
  const language = lang.toLowerCase().replace(/-.*/, '')
  return hasLoader(language)
    ? LOADERS[language]().then(
        (module) => module.default,
        () => null,
      )
    : en
}

function hasLoader(text: string): text is keyof typeof LOADERS {
  return Object.hasOwn(LOADERS, text)
}
