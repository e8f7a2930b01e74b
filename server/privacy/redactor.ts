/** Removes personal data from texts that the server did not write, such as the messages of the gateway. Pure. */

import { firstCharacters, wellFormed } from '../contract/text.ts'

/** The personal data of one request. Values that are absent or blank are ignored. */
export interface PersonalData {
  phones?: readonly (string | null | undefined)[]
  /** Names, e-mail addresses, account numbers and document numbers. */
  texts?: readonly (string | null | undefined)[]
}

export type Redact = (text: string) => string

/** The text that replaces personal data. */
export const REDACTED = '***'

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
 * Returns a function that replaces each occurrence of the personal data in a text. The function replaces whole names,
 * and also single words of names. It does not distinguish upper and lower case.
 */
export function createRedactor({ phones = [], texts = [] }: PersonalData): Redact {
  const known = new Set(phones.filter(isPresent).map(lastDigits))
  const wholes = texts.filter(isPresent).map((text) => text.trim())
  const words = wholes.flatMap((text) => text.split(/\s+/)).filter(({ length }) => length >= MIN_WORD_LENGTH)
  const longestFirst = [...new Set([...wholes, ...words])].toSorted((a, b) => b.length - a.length)
  const pattern =
    longestFirst.length === 0
      ? null
      : new RegExp(`(?<![\\p{L}\\p{N}])(?:${longestFirst.map(escape).join('|')})(?![\\p{L}\\p{N}])`, 'giu')

  return (text) => {
    const withoutTexts = pattern === null ? text : text.replace(pattern, REDACTED)
    if (known.size === 0) return withoutTexts
    return withoutTexts.replace(PHONE_LIKE, (number) => (known.has(lastDigits(number)) ? REDACTED : number))
  }
}

function lastDigits(phone: string): string {
  return phone.replace(/\D/g, '').slice(-LAST_DIGITS)
}

function isPresent(value: string | null | undefined): value is string {
  return value !== null && value !== undefined && value.trim() !== ''
}

function escape(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`)
}

/** The maximum number of characters of an answer that are stored or logged. */
const MOST_CHARACTERS = 200
const DIGITS_LIKE_PHONE = /\+?\d(?:[\s().-]{0,2}\d){7,14}/g
const EMAIL_LIKE = /[^\s@<>"']+@[^\s@<>"']+/g

/** Returns the beginning of a text without what may be a phone number or an e-mail address; `null` if it is blank. */
export function maskedBeginning(text: string): string | null {
  const beginning = wellFormed(firstCharacters(text, 2 * MOST_CHARACTERS))
    .replaceAll(DIGITS_LIKE_PHONE, REDACTED)
    .replaceAll(EMAIL_LIKE, REDACTED)
    .replaceAll(/\s+/g, ' ')
    .trim()
  return firstCharacters(beginning, MOST_CHARACTERS) || null
}
