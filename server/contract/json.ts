/** Reads JSON as gateways and merchants write it: limited in depth, with long numbers and halves of characters. */

/**
 * The maximum depth of nested objects and lists. `JSON.parse` takes any depth, but the value could then not be converted
 * to text again: `JSON.stringify` would overflow the stack. [assumed]
 */
export const MAX_LEVELS = 100

/** An escape sequence: a surrogate pair, half of one, or any other. In UTF-8, every half is an escape sequence. */
const ESCAPES = /\\(?:ud[89ab]..\\ud[c-f]..|(ud[89a-f]..)|.)/gis

/** A text or a number in JSON. A text may lack its end: searching one from every quote would take quadratic time. */
const VALUES = /"[^"\\]*(?:\\.[^"\\]*)*"?|-?\d[\d.eE+-]*/gs

/**
 * Returns JSON in which each whole number that JavaScript cannot hold is a text with the same digits: an id of the
 * gateway may be such a number.
 */
export function withLongNumbersAsText(json: string): string {
  if (!/\d{16}/.test(json)) return json
  const isLong = (value: string) => /^-?\d+$/.test(value) && !Number.isSafeInteger(Number(value))
  return json.replaceAll(VALUES, (value) => (isLong(value) ? `"${value}"` : value))
}

/**
 * Parses JSON text. Half a surrogate pair becomes U+FFFD. Returns `undefined` if the text is not JSON, or is nested more
 * than {@link MAX_LEVELS} deep.
 */
export function parseJson(text: string): unknown {
  try {
    const json = text.replaceAll(ESCAPES, (escape, half) => (half ? '\\ufffd' : escape))
    const value: unknown = JSON.parse(json)
    return isNoDeeperThan(MAX_LEVELS, value) ? value : undefined
  } catch {
    return undefined
  }
}

/** Returns whether objects and lists are nested at most `levels` deep in the value. */
export function isNoDeeperThan(levels: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true
  return levels > 0 && Object.values(value).every((part) => isNoDeeperThan(levels - 1, part))
}
