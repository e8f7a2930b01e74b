/** Finds misspelt names of environment variables. Pure. */

type Named = Readonly<Record<string, string | undefined>>

/** The largest number of letters that differ between a misspelt name and its variable. */
const MOST_EDITS = 2
/** Names that are shorter, such as HOST, resemble the variables of other programs by chance. */
const MIN_LENGTH = 9
/** The names of other programs for the same thing. */
const SYNONYMS: Named = { DATABASE_URL: 'STORE_URL' }

/**
 * Returns a sentence for each variable that is set, is not known, and resembles the name of a known variable, such as
 * ALLOWED_ORIGIN. If the known variable is set, only one letter may differ.
 */
export function findNearMisses(env: Named, known: ReadonlySet<string>): string[] {
  const isSet = (name: string) => Boolean(env[name]?.trim())
  const named = [...known].filter((name) => name.length >= MIN_LENGTH)
  const missing = named.filter(
    (name) => !isSet(name) && !(known.has(`${name}_FILE`) && isSet(`${name}_FILE`)),
  )
  const meantBy = (name: string) =>
    missing.find((each) => each === SYNONYMS[name] || countEdits(name, each) <= MOST_EDITS) ??
    missing.find((each) => name.length >= MIN_LENGTH && each.startsWith(name)) ??
    named.find((each) => countEdits(name, each) === 1)
  return Object.keys(env)
    .filter((name) => isSet(name) && !known.has(name))
    .flatMap((name) => {
      const meant = meantBy(name)
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
