/** Colours for terminals. Pure. */

import type { Environment } from '../config/variables.ts'

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
