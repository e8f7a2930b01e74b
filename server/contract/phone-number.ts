/**
 * Reads phone numbers as people write them: the same number always gives the same digits. With it, the schemas of
 * `contract/fields.ts` refuse what cannot be a number, after `checkouts/payer.ts` has completed what a shopper typed, of
 * which `widget/state/payer.ts` only counts the characters.
 */

import parsePhoneNumber, { Metadata, PhoneNumber, validatePhoneNumberLength } from 'libphonenumber-js/core'
import metadata from 'libphonenumber-js/min/metadata'

import { callingCodeIn, currencyOfAlpha2, SERVED_COUNTRIES } from './country.ts'

import type { Country } from './country.ts'

/** What separates digits beside dots: white space, dashes and parentheses of any script, and what is invisible. */
const SEPARATORS = /[\s\p{Cf}\p{Default_Ignorable_Code_Point}\p{Dash}\u02d7\u2043\u30fc()\uff08\uff09]/gu
const DOTS = /[.\u00b7\uff0e]/g
/** One dot that only zeros follow, as in "254700000001.0": a floating-point number that was written as text. */
const FLOAT = /^[^.\u00b7\uff0e]*[.\u00b7\uff0e]0+$/

/**
 * Returns a number in Latin digits without separators. A number with its calling code may begin with "+". The text of a
 * floating-point number keeps its dot, and is no phone number: the zeros after it would become digits.
 */
export function compactNumber(typed: string): string {
  // Most numbers of a long list are written so.
  if (/^[1-9]\d*$/.test(typed)) {
    return typed
  }

  const text = inLatinDigits(typed).replaceAll(SEPARATORS, '')
  if (FLOAT.test(text)) {
    return text
  }
  return text.replaceAll(DOTS, '').replace(/^[\uff0b\ufe62]/, '+')
}

/** Matches what people write before a calling code. */
const INTERNATIONAL = /^(\+|00(?=[1-9]))/

/** Returns whether a number names its country: it begins with "+" or "00". */
export function hasCallingCode(typed: string): boolean {
  return INTERNATIONAL.test(compactNumber(typed))
}

/** Returns a text that a person typed with the digits of any script as 0 to 9. */
export function inLatinDigits(typed: string): string {
  return typed.replaceAll(/(?![0-9])\p{Nd}/gu, latinDigit)
}

/** Unicode encodes the digits of each script in order, and everywhere all ten of them. */
function latinDigit(digit: string): string {
  const point = digit.codePointAt(0) ?? 0
  let first = point
  while (/\p{Nd}/u.test(String.fromCodePoint(first - 1))) {
    first -= 1
  }

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
export function readPhoneNumber(typed: string, country: Country | null): string | null {
  const text = compactNumber(typed)
  if (!/^\+?\d{3,25}$/.test(text)) {
    return null
  }
  if (country === null || text.startsWith('+')) {
    return withoutTrunkZero(text.replace(INTERNATIONAL, ''))
  }
  if (INTERNATIONAL.test(text)) {
    return readDialled(text, country)
  }

  const number = parsePhoneNumber(text, { defaultCountry: country, extract: false }, metadata)
  const national = number ? withoutTrunkZero(number.number.slice(1)) : null
  return national ?? readAbroad(text, country)
}

/**
 * Returns a number that cannot be one of the country, and is one of another without its "+". [assumed] A payer abroad lives
 * in a country that the gateway serves, or has a number in a range that exists. Otherwise, a national number with a wrong
 * digit, or from before the country's numbers became longer, would be the phone of a stranger abroad.
 */
function readAbroad(text: string, country: Country): string | null {
  const isTooShort = validatePhoneNumberLength(text, country, metadata) === 'TOO_SHORT'
  const number = isTooShort ? null : withoutTrunkZero(text)
  if (number === null) {
    return null
  }

  const isServed = SERVED_CODES.has(callingCodeOf(number) ?? '')
  return isServed || toPhoneNumber(number).isValid() ? number : null
}

const SERVED_CODES = new Set(SERVED_COUNTRIES.map(callingCodeIn))

/**
 * Returns a number that begins with "00" and another digit. The calling code may follow "00", or what is dialled before
 * it in the country: "009" in Nigeria. The phones are different. That of the country itself is meant, or else the one
 * that exists; if both may exist, neither is taken.
 */
function readDialled(text: string, country: Country): string | null {
  const plan = new Metadata(metadata)
  plan.selectNumberingPlan(country)
  const prefixes = [INTERNATIONAL, new RegExp(`^(?:${plan.numberingPlan?.IDDPrefix()})`)]
  const found = prefixes
    .filter((prefix) => prefix.test(text))
    .map((prefix) => withoutTrunkZero(text.replace(prefix, '')))
    .filter((number) => number !== null)
  const numbers = [...new Set(found)]
  const local = numbers.filter((number) => callingCodeOf(number) === callingCodeIn(country))
  const valid = numbers.filter((number) => toPhoneNumber(number).isValid())
  const choice = [local, numbers, valid].find(({ length }) => length === 1)
  return choice?.[0] ?? null
}

function withoutTrunkZero(digits: string): string | null {
  const code = callingCodeOf(digits)
  if (code === undefined) {
    return null
  }

  const isNumber = (number: string) =>
    // The library throws at fewer digits.
    number.length >= code.length + 2 &&
    (number.startsWith('0', code.length) ? toPhoneNumber(number).isValid() : isPossible(number))
  return [digits, code + digits.slice(code.length).replace(/^0/, '')].find(isNumber) ?? null
}

/**
 * The results so far, by the first three digits and the length. A calling code has at most three digits, so nothing
 * else decides. Without this, a list of 100,000 recipients would take a second.
 */
const results = new Map<string, boolean>()

/**
 * Returns whether the number has as many digits as numbers of its country can have. [assumed] Nothing else is checked:
 * operators open new ranges of numbers faster than any list of ranges is updated.
 */
function isPossible(digits: string): boolean {
  const key = `${digits.slice(0, 3)} ${digits.length}`
  const result = results.get(key) ?? toPhoneNumber(digits).isPossible()
  results.set(key, result)
  return result
}

/** @throws if the number does not begin with a calling code. */
const toPhoneNumber = (digits: string) => new PhoneNumber(`+${digits}`, metadata)

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

/**
 * Returns the phone numbers that a number in the gateway's response may mean in the countries that the gateway serves: the
 * one that is dialled so, or the one that it is with its calling code.
 */
export function possibleNumbers(reported: string): string[] {
  const numbers = SERVED_COUNTRIES.map((country) => readPhoneNumber(reported, country))
  return [...new Set(numbers)].filter((number) => number !== null)
}
