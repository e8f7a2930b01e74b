/**
 * Exports the words (the texts that a shopper sees) for pages that a server renders. The package exports this module as
 * `gateway-checkout/words`. The module uses neither the DOM nor Lit.
 *
 * @example
 *   const words = (await loadWords('sw-TZ')) ?? ENGLISH
 *   const [title, detail] = describeView(view, words)
 */

import { LOADERS } from './languages.ts'

export { loadWords } from './languages.ts'
export { en as ENGLISH } from './locales/en.ts'
export { formatMoney, isLanguageTag } from './money.ts'
export { PAYER_FIELDS } from './payer.ts'
export { describeFailure, describeView, isOver } from './sentence.ts'

export type { Language } from './languages.ts'
export type { Sentence, Words } from './locales/en.ts'
export type { Failure } from './failure.ts'
export type { PayerField } from './payer.ts'

/** The ISO 639-1 codes of the supported languages. */
export const LANGUAGES: readonly string[] = ['en', ...Object.keys(LOADERS)]
