/** Merges a page's own sentences into the built-in words. Pure. */

import type { CheckoutErrorCode } from './failure.ts'
import type { Language } from './languages.ts'
import type { Sentence, Words } from './locales/en.ts'

/** Replacements by language. Placeholders such as `{paid}` are filled as in the built-in sentences. */
export type CheckoutWords = { [Each in Language]?: Replacements }

/** A page's own words. Missing entries keep the built-in words. */
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

/** A page may write `undefined` or `null` where it has no translation yet: the built-in words stay. */
function merge<T extends object>(builtIn: T, own?: object | null): T {
  const group: object = builtIn
  const entries = Object.entries(own ?? {})
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([key, value]) => [key, isGroup(value) ? merge(Reflect.get(group, key), value) : value])
  return { ...builtIn, ...Object.fromEntries(entries) }
}

/** Whether the value is a group of texts, such as `sentence`, and not a text or a pair of texts. */
function isGroup(value: unknown): value is object {
  return typeof value === 'object' && !Array.isArray(value)
}
