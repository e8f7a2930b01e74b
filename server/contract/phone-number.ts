/** Decides whether a phone number can exist. */

import { PhoneNumber } from 'libphonenumber-js/core'
import metadata from 'libphonenumber-js/min/metadata'

/**
 * The results so far, by the first three digits and the length. A calling code has at most three digits, so nothing else
 * decides. Without this, a list of 100,000 recipients would take a second.
 */
const results = new Map<string, boolean>()

/**
 * Returns whether the number begins with a calling code, and has as many digits as numbers of that country can have.
 * [assumed] Nothing else is checked: operators open new ranges of numbers faster than any list of ranges is updated.
 *
 * @param digits The number in digits only, country code first.
 */
export function isPossiblePhoneNumber(digits: string): boolean {
  const key = `${digits.slice(0, 3)} ${digits.length}`
  const known = results.get(key)
  if (known !== undefined) return known
  const isPossible = startsWithCallingCode(digits) && new PhoneNumber(`+${digits}`, metadata).isPossible()
  results.set(key, isPossible)
  return isPossible
}

/** Without this check, `PhoneNumber` would throw an error for an unknown calling code. */
function startsWithCallingCode(digits: string): boolean {
  const { country_calling_codes, nonGeographic } = metadata
  const beginnings = [1, 2, 3].map((length) => digits.slice(0, length))
  return beginnings.some(
    (code) => Object.hasOwn(country_calling_codes, code) || Object.hasOwn(nonGeographic, code),
  )
}
