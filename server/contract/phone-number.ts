/** Reads phone numbers as people write them: the same number always gives the same digits. */

import type { CountryCode } from 'libphonenumber-js/core'
import parsePhoneNumber from 'libphonenumber-js/core'
import { PhoneNumber } from 'libphonenumber-js/core'
import metadata from 'libphonenumber-js/min/metadata'
import { currencyOfAlpha2 } from './country.ts'

/** What separates digits: white space, dashes, dots and parentheses of any script, and what is invisible. */
const SEPARATORS =
  /[\s\p{Cf}\p{Default_Ignorable_Code_Point}\p{Dash}\u02d7\u2043\u30fc.\u00b7\uff0e()\uff08\uff09]/gu

/** Returns a number in Latin digits without separators. A number with its calling code may begin with "+". */
export function compactNumber(typed: string): string {
  // Most numbers of a long list are written so.
  if (/^[1-9]\d*$/.test(typed)) return typed
  return typed
    .replaceAll(/(?![0-9])\p{Nd}/gu, latinDigit)
    .replaceAll(SEPARATORS, '')
    .replace(/^[\uff0b\ufe62]|^00(?=[1-9])/, '+')
}

/** Unicode encodes the digits of each script in order, and everywhere all ten of them. */
function latinDigit(digit: string): string {
  const point = digit.codePointAt(0) ?? 0
  let first = point
  while (/\p{Nd}/u.test(String.fromCodePoint(first - 1))) first -= 1
  return String((point - first) % 10)
}

/**
 * Returns a phone number in the gateway's format: the calling code and the national number, only digits. Returns `null`
 * for text that cannot be a phone number.
 *
 * People write a trunk zero after the calling code: "+254 (0) 700 000 001". One such zero is removed, except where the
 * national numbers begin with it.
 *
 * @param country The country whose calling code is added to a number without one; `null` if every number has one.
 */
export function readPhoneNumber(typed: string, country: CountryCode | null): string | null {
  const text = compactNumber(typed)
  if (!/^\+?\d{3,25}$/.test(text)) return null
  if (country === null || text.startsWith('+')) return withoutTrunkZero(text.replace('+', ''))
  const number = parsePhoneNumber(text, { defaultCountry: country, extract: false }, metadata)
  return number ? withoutTrunkZero(number.number.slice(1)) : null
}

function withoutTrunkZero(digits: string): string | null {
  const code = callingCodeOf(digits)
  if (code === undefined) return null
  const isNumber = (number: string) =>
    // The library throws at fewer digits.
    number.length >= code.length + 2 &&
    (number.startsWith('0', code.length) ? parsed(number).isValid() : isPossible(number))
  return [digits, code + digits.slice(code.length).replace(/^0/, '')].find(isNumber) ?? null
}

/**
 * The results so far, by the first three digits and the length. A calling code has at most three digits, so nothing else
 * decides. Without this, a list of 100,000 recipients would take a second.
 */
const results = new Map<string, boolean>()

/**
 * Returns whether the number has as many digits as numbers of its country can have. [assumed] Nothing else is checked:
 * operators open new ranges of numbers faster than any list of ranges is updated.
 */
function isPossible(digits: string): boolean {
  const key = `${digits.slice(0, 3)} ${digits.length}`
  const known = results.get(key) ?? parsed(digits).isPossible()
  results.set(key, known)
  return known
}

/** @throws if the number does not begin with a calling code. */
const parsed = (digits: string) => new PhoneNumber(`+${digits}`, metadata)

function callingCodeOf(digits: string): string | undefined {
  const { country_calling_codes, nonGeographic } = metadata
  return [1, 2, 3]
    .map((length) => digits.slice(0, length))
    .find((code) => Object.hasOwn(country_calling_codes, code) || Object.hasOwn(nonGeographic, code))
}

/**
 * Returns the local currency of a phone number; `null` if the number is not of a supported country.
 *
 * @param msisdn Digits only, with the country's calling code first.
 */
export function localCurrencyOf(msisdn: string): string | null {
  // The first country of a calling code is its main one.
  const [country = ''] = metadata.country_calling_codes[callingCodeOf(msisdn) ?? ''] ?? []
  return currencyOfAlpha2(country)
}
