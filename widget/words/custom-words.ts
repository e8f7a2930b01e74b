/** Replaces built-in words with words that the page defines. Pure. */

import type { CheckoutErrorCode } from '../state/failure.ts'
import type { Sentence, Words } from './en.ts'
import type { Language } from './languages.ts'

/** Words that the page defines, by language. The texts may contain placeholders for amounts, such as `{paid}`. */
export type CheckoutWords = { [Each in Language]?: Replacements }

/** Words that the page defines in one language. For missing entries, the built-in words apply. [assumed] */
export type Replacements = {
  [Key in Exclude<keyof Words, 'language' | 'dir' | 'failure'>]?: Words[Key] extends string
    ? string
    : Partial<Words[Key]>
} & {
  /** Messages by error code. A page may also define messages for codes without a built-in message. */
  failure?: { [Code in CheckoutErrorCode | keyof Words['failure']]?: Sentence }
}

export function replaceWords(words: Words, custom?: CheckoutWords | null): Words {
  const byLanguage: Readonly<Record<string, Replacements | undefined>> = custom ?? {}
  return merge(words, byLanguage[words.language])
}

/**
 * Returns a copy of `builtIn` in which the entries of `own` replace the entries with the same keys, also in nested
 * objects. Entries of `own` that are `undefined` or `null` are ignored.
 */
function merge<T extends object>(builtIn: T, own?: object | null): T {
  const group: object = builtIn
  const entries = Object.entries(own ?? {})
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([key, value]) => [
      key,
      // An array is a single message.
      typeof value === 'object' && !Array.isArray(value) ? merge(Reflect.get(group, key), value) : value,
    ])
  return { ...builtIn, ...Object.fromEntries(entries) }
}
