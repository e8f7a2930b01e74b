/**
 * Makes text safe and readable on a terminal: replaces control characters, which could move the cursor, reorder
 * characters or forge a line, and adds colours. Pure.
 */

import type { Environment } from '../config/variables.ts'

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

/** The escape sequences that start each colour. A QR code is white on black, whatever the terminal is. */
const STARTS = { red: 31, green: 32, yellow: 33, dim: 2, code: '97;40' } as const
export type Colour = keyof typeof STARTS

/** Returns whether text for a stream may be coloured: only on a terminal, and not if NO_COLOR is set (no-color.org). */
export function hasColours({ isTTY = false }: { isTTY?: boolean }, env: Environment): boolean {
  return isTTY && !env['NO_COLOR'] && env['TERM'] !== 'dumb'
}

export function coloured(text: string, colour: Colour): string {
  return text === '' ? '' : `\u001b[${STARTS[colour]}m${text}\u001b[0m`
}
