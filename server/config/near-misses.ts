/** Finds misspelt names of environment variables. Pure. */

type Named = Readonly<Record<string, string | undefined>>

/** The largest number of letters that differ between a misspelt name and its variable. */
const MOST_EDITS = 2
/** Names that are shorter, such as HOST, resemble the variables of other programs by chance. */
const MIN_LENGTH = 9

/**
 * Returns a sentence for each variable that is set, is not known, and resembles the name of a known variable that is
 * not set, such as ALLOWED_ORIGIN.
 */
export function findNearMisses(env: Named, known: ReadonlySet<string>): string[] {
  const isSet = (name: string) => Boolean(env[name]?.trim())
  const missing = [...known].filter((name) => name.length >= MIN_LENGTH && !isSet(name))
  return Object.keys(env)
    .filter((name) => isSet(name) && !known.has(name))
    .flatMap((name) => {
      const meant = missing.find((each) => countEdits(name, each) <= MOST_EDITS)
      return meant === undefined ? [] : [`${name} is set, but is not read: ${meant} may be meant.`]
    })
}

/** Returns how many letters must be added, removed or replaced; more than {@link MOST_EDITS} is not exact. */
function countEdits(one: string, other: string): number {
  if (Math.abs(one.length - other.length) > MOST_EDITS) return MOST_EDITS + 1
  let row = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (let i = 1; i <= one.length; i++) {
    const next = [i]
    for (let j = 1; j <= other.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (one[i - 1] === other[j - 1] ? 0 : 1)
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[other.length] ?? 0
}
