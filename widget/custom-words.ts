/** Merges a page's own sentences into the built-in words. Pure. */

import type { CheckoutErrorCode } from './failure.ts'
import type { Language } from './languages.ts'
import type { Sentence, Words } from './locales/en.ts'

/** A page's own sentences, by language. Sentences may contain placeholders such as `{paid}`. */
export type CheckoutWords = { [Each in Language]?: Replacements }

/** A page's own words in one language. Missing entries keep the built-in words. */
export type Replacements = Partial<
  Omit<Words, 'language' | 'dir' | 'problem' | 'sentence' | 'failure' | 'receipt'>
> & {
  problem?: Partial<Words['problem']>
  sentence?: Partial<Words['sentence']>
  /** Sentences by error code, including codes without a built-in sentence. */
  failure?: { [Code in CheckoutErrorCode | keyof Words['failure']]?: Sentence }
  receipt?: Partial<Words['receipt']>
}

export function replaceWords(words: Words, custom?: CheckoutWords | null): Words {
  const byLanguage: Readonly<Record<string, Replacements | undefined>> = custom ?? {}
  return merge(words, byLanguage[words.language])
}

/** Merges a page's own words into the built-in words. `undefined` and `null` keep the built-in words. */
function merge<T extends object>(builtIn: T, own?: object | null): T {
  const group: object = builtIn
  const entries = Object.entries(own ?? {})
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([key, value]) => [key, isGroup(value) ? merge(Reflect.get(group, key), value) : value])
  return { ...builtIn, ...Object.fromEntries(entries) }
}

/** Returns whether the value is a group of texts, such as `sentence`. */
function isGroup(value: unknown): value is object {
  return typeof value === 'object' && !Array.isArray(value)
}
