/**
 * Replaces control characters in text that a person reads. A control character could move the cursor, reorder
 * characters or forge a line. Pure.
 */

const CONTROLS = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu
const CONTROLS_WITHIN_LINES = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu

/** Returns the text of a value on one line. Each control character becomes "?", and `null` becomes a dash. */
export function printable(value: string | number | null): string {
  return value === null ? '-' : String(value).replaceAll(CONTROLS, '?')
}

/** Returns the text with each control character replaced by "?". Line breaks remain. */
export function printableLines(text: string): string {
  return text.replaceAll(CONTROLS_WITHIN_LINES, '?')
}

/**
 * Returns the JSON text with each control character replaced by an escape sequence such as "\u009b". Line breaks
 * remain, and the value that the JSON text represents stays the same.
 */
export function printableJson(json: string): string {
  const escape = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
  return json.replaceAll(CONTROLS_WITHIN_LINES, (character) => character.split('').map(escape).join(''))
}
