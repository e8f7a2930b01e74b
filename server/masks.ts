/** Masks names and numbers. Pure. */

import { REDACTED } from './redactor.ts'

/** A mask shows the last 3 characters of a number. A number with fewer than 8 characters is hidden completely. */
const SHOWN = 3
const MIN_SHOWN_LENGTH = 8

/** Returns the mask of a name, such as "A***" for "Asha". */
export function maskName(name: string): string {
  return `${Array.from(name.trim())[0] ?? ''}${REDACTED}`
}

/** Returns the mask of a phone number or an account number, such as "***001". A short number is hidden completely. */
export function maskNumber(number: string): string {
  return number.length < MIN_SHOWN_LENGTH ? REDACTED : `${REDACTED}${number.slice(-SHOWN)}`
}
