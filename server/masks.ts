/** Replaces personal data by masks that show as much as a person needs to recognize them. Pure. */

import { REDACTED } from './redactor.ts'

/** The number of last characters of a number that a mask shows, and the minimum length of such a number. */
const SHOWN = 3
const MIN_SHOWN_LENGTH = 8

/** Returns the first letter of a name, such as "A***" for "Asha". */
export function maskName(name: string): string {
  return `${Array.from(name.trim())[0] ?? ''}${REDACTED}`
}

/** Returns the last three digits of a phone number or an account number, such as "***001". A short number is hidden. */
export function maskNumber(number: string): string {
  return number.length < MIN_SHOWN_LENGTH ? REDACTED : `${REDACTED}${number.slice(-SHOWN)}`
}
