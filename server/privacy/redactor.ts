/** Removes personal data from texts that the server did not write, such as the messages of the gateway. Pure. */

import { firstCharacters, wellFormed } from '../contract/text.ts'

import type { PayerDetails } from './personal.ts'

/** The text that replaces personal data. */
const REDACTED = '***'

/** A text that may be a phone number: 8 to 15 digits, which may be separated by spaces, dots, dashes or parentheses. */
const PHONE_LIKE = /(?<!\d)\+?\d(?:[\s().-]{0,2}\d){7,14}(?!\d)/g
/**
 * The number of last digits by which a phone number is recognized, because the gateway may write it with or without the
 * calling code.
 */
const LAST_DIGITS = 8
/** The minimum length of a word. Shorter words of a name are only removed as part of the whole name. */
const MIN_WORD_LENGTH = 3

/**
 * Returns a function that replaces each occurrence of the payer's details in a text. The function replaces whole names,
 * and also single words of names. It does not distinguish upper and lower case.
 */
export function createRedactor(payer: PayerDetails): (text: string) => string {
  const { payer_name = '', payer_email = '', payer_msisdn = '' } = payer
  const wholes = [payer_name.trim(), payer_email.trim()].filter((text) => text !== '')
  const words = wholes.flatMap((text) => text.split(/\s+/)).filter(({ length }) => length >= MIN_WORD_LENGTH)
  const longestFirst = [...new Set([...wholes, ...words])].toSorted((a, b) => b.length - a.length)
  // Without alternatives, the pattern matches nothing.
  const alternatives = longestFirst.map(escape).join('|') || '(?!)'
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])(?:${alternatives})(?![\\p{L}\\p{N}])`, 'giu')
  const digits = lastDigits(payer_msisdn)
  const hide = (number: string) => (lastDigits(number) === digits ? REDACTED : number)
  return (text) => text.replace(pattern, REDACTED).replace(PHONE_LIKE, hide)
}

function lastDigits(phone: string): string {
  return phone.replace(/\D/g, '').slice(-LAST_DIGITS)
}

function escape(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`)
}

/** The maximum number of characters of an answer that are stored or logged. */
const MAX_CHARACTERS = 200
/** Like {@link PHONE_LIKE}, but also in the middle of a longer number. */
const DIGITS_LIKE_PHONE = /\+?\d(?:[\s().-]{0,2}\d){7,14}/g
const EMAIL_LIKE = /[^\s@<>"']+@[^\s@<>"']+/g

/** Returns the beginning of a text without what may be a phone number or an e-mail address; `null` if it is blank. */
export function maskedBeginning(text: string): string | null {
  // Twice the length, because masks and single spaces take the place of longer text.
  const beginning = wellFormed(firstCharacters(text, 2 * MAX_CHARACTERS))
    .replaceAll(DIGITS_LIKE_PHONE, REDACTED)
    .replaceAll(EMAIL_LIKE, REDACTED)
    .replaceAll(/\s+/g, ' ')
    .trim()
  return firstCharacters(beginning, MAX_CHARACTERS) || null
}
