/** Lists the supported languages of the words. To add a language, write a file in this folder and add a line here. */

import { en } from './en.ts'

import type { Words } from './en.ts'

/** For each language, the function that downloads the words. English words are built in. */
export const LOADERS = {
  ar: () => import('./ar.ts'),
  fr: () => import('./fr.ts'),
  pt: () => import('./pt.ts'),
  sw: () => import('./sw.ts'),
} satisfies Record<string, () => Promise<{ default: Words }>>

export type Language = 'en' | keyof typeof LOADERS

/**
 * Resolves with the words in a language: the texts that a shopper sees. The region of the tag is ignored, so "sw-TZ"
 * loads Swahili.
 *
 * @param lang A BCP 47 language tag.
 * @returns English words if the language is not supported; `null` if the download failed.
 */
export async function loadWords(lang: string): Promise<Words | null> {
  const language = lang.toLowerCase().replace(/-.*/, '')
  if (!hasLoader(language)) {
    return en
  }

  return LOADERS[language]()
    .then(({ default: words }) => words)
    .catch(() => null)
}

function hasLoader(text: string): text is keyof typeof LOADERS {
  return Object.hasOwn(LOADERS, text)
}
