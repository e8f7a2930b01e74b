/**
 * Exports the words (the texts that a shopper sees) for pages that a server renders. The package exports this module as
 * `gateway-checkout/words`. The module uses neither the DOM nor Lit.
 *
 * @example
 *   const words = (await loadWords('sw-TZ')) ?? ENGLISH
 *   const [title, detail] = describeView(view, words)
 */

import { LOADERS } from './words/languages.ts'

export { loadWords } from './words/languages.ts'
export { FIRST_WORDS } from './words/first-words.ts'
export { en as ENGLISH } from './words/en.ts'
export { formatMoney, isLanguageTag } from './state/money.ts'
export { PAYER_FIELDS } from './state/payer.ts'
export { GLYPHS } from './words/glyphs.ts'
export { groupDigits } from './words/digit-groups.ts'
export { failureNeedsShop, helpLinks, needsShop, onlyShopHelps } from './words/help.ts'
export {
  describeCheckout,
  describeFailure,
  describeView,
  endNote,
  isAwaited,
  payText,
  safetyNote,
} from './words/sentence-choice.ts'
export {
  amountText,
  paidAt,
  paidTo,
  receiptNumbers,
  timeFormat,
  timeLeft,
  WHEN,
} from './words/payment-facts.ts'
export { phoneAsks } from './state/state.ts'

export type { Language } from './words/languages.ts'
export type { Sentence, Words } from './words/en.ts'
export type { Failure } from './state/failure.ts'
export type { PayerField } from './state/payer.ts'

/** The ISO 639-1 codes of the supported languages. */
export const LANGUAGES: readonly string[] = ['en', ...Object.keys(LOADERS)]
