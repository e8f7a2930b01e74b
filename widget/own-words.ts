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
    ? {
        ...words,
        ...said,
        problem: { ...words.problem, ...said.problem },
        sentence: { ...words.sentence, ...said.sentence },
        failure: { ...words.failure, ...said.failure },
      }
    : words
}
