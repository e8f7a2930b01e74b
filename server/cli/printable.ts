/**
 * Removes control characters from text that a person reads. A control character could move the cursor, reorder
 * characters or forge a line. Pure.
 */

const CONTROLS = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu
const CONTROLS_WITHIN_LINES = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu

/** Returns the text of a value on one line, with "?" for each control character and a dash for `null`. */
export function printable(value: string | number | null): string {
  return value === null ? '-' : String(value).replaceAll(CONTROLS, '?')
}

/** Returns text of several lines, with "?" for each control character. */
export function printableLines(text: string): string {
  return text.replaceAll(CONTROLS_WITHIN_LINES, '?')
}

/** Returns JSON text with the same value, in which each control character is an escape sequence such as "\u009b". */
export function printableJson(json: string): string {
  const escape = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
  return json.replaceAll(CONTROLS_WITHIN_LINES, (character) => character.split('').map(escape).join(''))
}
