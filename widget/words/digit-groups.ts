/** Writes phone numbers so that a person can compare them. Pure. */

/**
 * What stands before the groups: the zero of a national number, or "+" and a calling code. The calling codes with one
 * and two digits are named; all others have three. [ITU-T E.164]
 */
const GROUPED = /^(0|\+(?:1|7|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|\d{3}))(\d{6,14})$/

/**
 * Returns a number in groups of three digits, such as "+254 700 000 001" or "0700 000 001". Another text is returned
 * unchanged: the shopper has written it.
 */
export function groupDigits(number: string): string {
  const [, start, digits = ''] = GROUPED.exec(number) ?? []
  if (start === undefined) {
    return number
  }

  // The last group has two to four digits.
  const groups = digits.replaceAll(/\d{3}(?=\d{2})/g, '$& ')
  return start + (start === '0' ? groups : ` ${groups}`)
}
