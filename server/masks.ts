/** Masks names, numbers, and the answers of a merchant's backend. Pure. */

import { REDACTED } from './redactor.ts'

/** A mask shows the last 3 characters of a number. A number with fewer than 8 characters is hidden completely. */
const SHOWN = 3
const MIN_SHOWN_LENGTH = 8
/** The maximum number of characters of an answer that are stored or logged. */
const MOST_CHARACTERS = 200
const PHONE_LIKE = /\+?\d(?:[\s().-]{0,2}\d){7,14}/g
const EMAIL_LIKE = /[^\s@<>"']+@[^\s@<>"']+/g

/** Returns the mask of a name, such as "A***" for "Asha". */
export function maskName(name: string): string {
  return `${Array.from(name.trim())[0] ?? ''}${REDACTED}`
}

/** Returns the mask of a phone number or an account number, such as "***001". A short number is hidden completely. */
export function maskNumber(number: string): string {
  return number.length < MIN_SHOWN_LENGTH ? REDACTED : `${REDACTED}${number.slice(-SHOWN)}`
}

/** Returns the beginning of a text without what may be a phone number or an e-mail address; `null` if it is blank. */
export function maskedBeginning(text: string): string | null {
  const beginning = text
    .slice(0, 2 * MOST_CHARACTERS)
    .replaceAll(PHONE_LIKE, REDACTED)
    .replaceAll(EMAIL_LIKE, REDACTED)
    .replaceAll(/\s+/g, ' ')
    .trim()
  return beginning.slice(0, MOST_CHARACTERS) || null
}
