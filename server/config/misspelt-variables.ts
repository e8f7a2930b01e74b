/** Finds variables that are set and that nobody reads, such as those with a mistake in their name. Pure. */

import { isVariable, PROXY_NAMES, VARIABLE_NAMES } from './variables.ts'

/** The beginnings of names that are probably meant for this server. */
const OUR_PREFIX = /^(GATEWAY|MERCHANT|ORDERS?|CALLBACK|CHECKOUT|NOTIFY)_/

/** Returns a name without what people mistake in names: case, and the plural of a word. */
const foldedName = (name: string) => name.toUpperCase().replaceAll(/(IES|Y|S)(?=_|$)/g, '')
const FOLDED_NAMES = VARIABLE_NAMES.map((name) => ({ name, folded: foldedName(name) }))
/** A name of so many letters may have one mistake, one of twice as many two. Short names are too much alike. */
const LETTERS_OF_A_MISTAKE = 8

/** Returns the variable of this server that a name misspells; `undefined` if none is so close. */
function findMeant(name: string): string | undefined {
  const given = foldedName(name.replace(/(_PREVIOUS)?(_FILE)?$/i, ''))
  const meant = FOLDED_NAMES.find(({ folded }) => {
    const most = Math.floor(folded.length / LETTERS_OF_A_MISTAKE)
    return Math.abs(folded.length - given.length) <= most && countMistakes(folded, given) <= most
  })
  return meant?.name
}

/** Returns how many letters are missing, too many, wrong, or in the place of their neighbour. */
function countMistakes(text: string, other: string): number {
  const rows = [Array.from({ length: other.length + 1 }, (_, column) => column)]
  const at = (row: number, column: number) => rows[row]?.[column] ?? Number.POSITIVE_INFINITY
  for (let row = 1; row <= text.length; row++) {
    const counts = [row]
    rows.push(counts)
    for (let column = 1; column <= other.length; column++) {
      const isSame = text[row - 1] === other[column - 1]
      const isSwapped = text[row - 1] === other[column - 2] && text[row - 2] === other[column - 1]
      const missing = at(row - 1, column) + 1
      const tooMany = at(row, column - 1) + 1
      const wrong = at(row - 1, column - 1) + (isSame ? 0 : 1)
      const swapped = isSwapped ? at(row - 2, column - 2) + 1 : Number.POSITIVE_INFINITY
      counts.push(Math.min(missing, tooMany, wrong, swapped))
    }
  }

  return at(text.length, other.length)
}

/** Returns what is said of a variable that is probably meant for this server, and that nobody reads; `null` if nothing. */
export function describeUnread(name: string): string | null {
  if (isVariable(name) || PROXY_NAMES.includes(name.toUpperCase())) {
    return null
  }

  const meant = findMeant(name)
  if (meant === undefined && !OUR_PREFIX.test(name)) {
    return null
  }

  const hint = meant === undefined ? '' : ` Is it ${meant}?`
  return `${name} is set, but is not read: this server has no such variable.${hint}`
}
