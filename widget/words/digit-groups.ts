/** Writes phone numbers so that a person can compare them. Pure. */

/** The calling codes with one and two digits; all others have three. [ITU-T E.164] */
const CALLING_CODE = /^(1|7|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|\d{3})/

/**
 * Returns an international number with its calling code and groups of three digits, such as "+254 700 000 001". Another
 * text is returned unchanged: the shopper has written it.
 */
export function groupDigits(number: string): string {
  const [, digits] = /^\+(\d{7,15})$/.exec(number.trim()) ?? []
  if (digits === undefined) {
    return number
  }

  const code = CALLING_CODE.exec(digits)?.[0] ?? ''
  // The last group has two to four digits.
  const groups = digits.slice(code.length).replaceAll(/\d{3}(?=\d{2})/g, '$& ')
  return `+${code} ${groups}`
}
