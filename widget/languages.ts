/**
 * Lists the languages that shoppers can read. To add one, write a file in `locales/` and add a line here: the element,
 * the pages of the payment server and the demo shop all read this list.
 */

import { en } from './locales/en.ts'

import type { Words } from './locales/en.ts'

/** The function that downloads the words of each language except English, which is built in. */
export const LOADERS = {
  ar: () => import('./locales/ar.ts'),
  fr: () => import('./locales/fr.ts'),
  pt: () => import('./locales/pt.ts'),
  sw: () => import('./locales/sw.ts'),
} satisfies Record<string, () => Promise<{ default: Words }>>

export type Language = 'en' | keyof typeof LOADERS

/**
 * Resolves with the words for a BCP 47 language tag. The region does not matter: "sw-TZ" loads Swahili.
 *
 * @returns English for a language that is not in the list; `null` if the download failed.
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
