import { firstCharacters } from '../../../server/contract/characters.ts'

// A path may hold a reference of any length, and an error that repeated it would be as long.

const MOST_CHARACTERS = 1_000

/** Cuts a text that an error repeats to 1,000 characters. */
export function brief(text: string): string {
  const beginning = firstCharacters(text, MOST_CHARACTERS)
  return beginning === text ? text : `${beginning}…`
}
