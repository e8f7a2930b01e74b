/** Countries with mobile money, and their rules for completing national phone numbers. */

/** Country calling codes by ISO 3166-1 alpha-2 code. [assumed] The countries known to use this contract. */
const CALLING_CODES = {
  BW: '267',
  CI: '225',
  EG: '20',
  GH: '233',
  KE: '254',
  MW: '265',
  MZ: '258',
  NG: '234',
  RW: '250',
  SN: '221',
  TZ: '255',
  UG: '256',
  ZA: '27',
  ZM: '260',
  ZW: '263',
} as const

export type Country = keyof typeof CALLING_CODES

/** Countries whose numbers keep their leading zero after the calling code. */
const KEEPS_ZERO: readonly string[] = ['CI']

export function isCountry(code: string): code is Country {
  return Object.hasOwn(CALLING_CODES, code)
}

/**
 * Converts a phone number to the gateway's form: calling code first, digits only. A national number ("0700 000 001")
 * gets the country's calling code; an international one ("+254 700-000-001") only loses its punctuation.
 * Returns `null` for text that cannot be a phone number.
 */
export function completeMsisdn(typed: string, country: Country | null): string | null {
  const compact = typed.replace(/[\s().-]/g, '')
  const digits = compact.replace(/^(\+|00)/, '')
  if (!/^\d+$/.test(digits)) return null
  const international = digits.length < compact.length
  if (international || country === null) return ifPlausible(digits)

  const code = CALLING_CODES[country]
  if (digits.startsWith(code) && digits.length > 9 + (code.length - 2)) return ifPlausible(digits)
  const national = KEEPS_ZERO.includes(country) ? digits : digits.replace(/^0/, '')
  return national.length >= 7 ? ifPlausible(code + national) : null
}

/** E.164: 8 to 15 digits, of which the first is not zero. */
function ifPlausible(digits: string): string | null {
  return /^[1-9]\d{7,14}$/.test(digits) ? digits : null
}
