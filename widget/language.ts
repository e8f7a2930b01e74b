/** Which language the shopper reads, and its words: ours, or the page's own. */

import { en } from './locales/en.ts'

import type { Words } from './locales/en.ts'

/** Each is a chunk of its own, fetched when a page first needs it. */
const OTHERS = new Map<string, () => Promise<{ default: Words }>>([
  ['ar', () => import('./locales/ar.ts')],
  ['fr', () => import('./locales/fr.ts')],
  ['pt', () => import('./locales/pt.ts')],
  ['sw', () => import('./locales/sw.ts')],
])

/** A part of a page: an element, or the root of a shadow tree, whose surroundings are its host's. */
interface Place {
  getAttribute?: (name: string) => string | null
  parentNode?: Place | null
  host?: Place
}

/**
 * The nearest language that is said around a place, through the shadow trees it is in. The attribute says it: what a
 * form has under `lang` may be a field of that name.
 */
export function langAround(place: Place | null | undefined): string {
  return place ? place.getAttribute?.('lang') || langAround(place.parentNode ?? place.host) : ''
}

/**
 * English for a language without words; `null` when they could not be loaded.
 *
 * @param lang BCP 47 tag. Of "sw-TZ", only the language counts.
 */
export async function loadWords(lang: string): Promise<Words | null> {
  const load = OTHERS.get(lang.toLowerCase().replace(/-.*/, ''))
  return load
    ? load().then(
        (module) => module.default,
        () => null,
      )
    : en
}
