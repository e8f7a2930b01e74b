/** A language that nobody speaks: longer, accented and in brackets, so that what is not translated can be seen. */

import type { Replacements } from '../../widget/custom-words.ts'
import type { Words } from '../../widget/locales/en.ts'

const PLAIN = 'aceiklnorstuyACEIKLNORSTUY'
const ACCENTED = 'áçéíķļñóŕšťúýÁÇÉÍĶĻÑÓŔŠŤÚÝ'

/** Everything that the pseudo-language says. */
export const PSEUDO = /⟦[^⟧]*⟧/g

/** Half as long again, as Portuguese and French may be. Holes stay as they are. */
function pseudo(text: string): string {
  if (text === '') return text
  const accented = text.replaceAll(/{\w+}|\w/g, (part) => ACCENTED[PLAIN.indexOf(part)] ?? part)
  return `⟦${accented}${' ñéšť'.repeat(Math.ceil(text.length / 10))}⟧`
}

export function pseudoWords(words: Words): Replacements {
  const all = JSON.stringify({ ...words, language: undefined, dir: undefined })
  return JSON.parse(all, (_, value) => (typeof value === 'string' ? pseudo(value) : value))
}
