/** What a page says in its own words instead of ours. Pure. */

import type { Language, Words } from './locales/en.ts'

/** As many sentences as the page likes, by language. Their holes are filled as ours are. */
export type OwnWords = { [Each in Language]?: Reworded }

/** What is left out stays as it is. */
export type Reworded = Partial<Omit<Words, 'language' | 'dir' | 'problem' | 'sentence' | 'failure'>> & {
  problem?: Partial<Words['problem']>
  sentence?: Partial<Words['sentence']>
  /** By code, those that have no sentence of ours included. */
  failure?: Partial<Words['failure']> & Record<string, string>
}

export function reword(words: Words, own?: OwnWords | null): Words {
  const said = own?.[words.language]
  return said
    ? over(words, {
        ...said,
        problem: over(words.problem, said.problem),
        sentence: over(words.sentence, said.sentence),
        failure: over(words.failure, said.failure),
      })
    : words
}

/** A page whose translations are not there yet names what it leaves out, as `undefined`. */
function over<T extends object>(ours: T, own: Partial<T> = {}): T {
  const said = Object.entries(own).filter(([, text]) => text !== undefined && text !== null)
  return { ...ours, ...Object.fromEntries(said) }
}
