/**
 * How the text of a field is read: as people see it. Characters that show nothing do not count, and no character (a
 * Unicode code point) is cut in half.
 */

const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu
/** Invisible, except what scripts and emoji are written with: joiners and variation selectors. */
const FORMAT = /(?!\p{Join_Control})(?=\p{Default_Ignorable_Code_Point})\p{Cf}/gu
/** U+2800 is an empty Braille pattern. */
const SHOWN = /[^\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u

/** Replaces each half of a surrogate pair by U+FFFD: strict readers refuse JSON that contains a half. */
export const wellFormed = (text: string) => text.replaceAll(/\p{Surrogate}/gu, '\ufffd')

/** Returns the first `max` characters of a text, or all of them. A character has at most two UTF-16 code units. */
export const firstCharacters = (text: string, max: number) =>
  text.length <= max
    ? text
    : Array.from(text.slice(0, 2 * max))
        .slice(0, max)
        .join('')

/** Returns whether a text shows nothing. */
export const isBlank = (text: string) => !SHOWN.test(text)

/**
 * Returns a name or a sentence on one line: control characters become spaces, and invisible format characters, such as
 * those that change the direction of the text, are removed.
 */
export const withoutControls = (text: string) =>
  wellFormed(text)
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replaceAll(FORMAT, '')

/** Removes every invisible character. In numbers and addresses, none has a meaning. */
export const withoutInvisible = (text: string) => text.replaceAll(INVISIBLE, '')

/** Returns an e-mail address as it is typed: without invisible characters, "＠" as "@", and every dash as "-". */
export const readEmail = (text: string) =>
  withoutInvisible(text.normalize('NFKC').replaceAll(/\p{Dash}/gu, '-')).trim()

/** What makes a link or a formula of a name, in the gateway's mails and in tables of payments. */
const LINKS = /:\/\/|www\./gi
const BEGINS_FORMULA = /^[\s=+@\p{Dash}]+/u

/** Returns a name without what makes a link or a formula of it. Returns other names as they are. */
export function cleanName(name: string): string {
  // Programs take full-width characters for their narrow forms, and do not see invisible ones.
  const seen = withoutInvisible(name.normalize('NFKC')).trim()
  const cleaned = seen.replaceAll(LINKS, ' ').replace(BEGINS_FORMULA, '').replaceAll(/\s+/g, ' ').trim()
  return seen.replaceAll(/\s+/g, ' ') === cleaned ? name : cleaned
}
