/** Supported countries, and the rules for completing their national phone numbers. */

/** Country calling codes by ISO 3166-1 alpha-2 code. [assumed] The gateway serves these countries. */
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

/** Countries whose national numbers keep their leading zero when the calling code is added. */
const KEEPS_ZERO: readonly string[] = ['CI']

/** The local currencies, as ISO 4217 codes. [assumed] As seen in practice. */
const CURRENCIES = {
  BW: 'BWP',
  CI: 'XOF',
  EG: 'EGP',
  GH: 'GHS',
  KE: 'KES',
  MW: 'MWK',
  MZ: 'MZN',
  NG: 'NGN',
  RW: 'RWF',
  SN: 'XOF',
  TZ: 'TZS',
  UG: 'UGX',
  ZA: 'ZAR',
  ZM: 'ZMW',
  ZW: 'USD',
} as const satisfies Record<Country, string>

/**
 * Returns the local currency of a phone number; `null` if the number is not of a supported country.
 *
 * @param msisdn Digits only, with the country's calling code first. No calling code here begins with another.
 */
export function localCurrencyOf(msisdn: string): string | null {
  const country = Object.keys(CALLING_CODES)
    .filter(isCountry)
    .find((code) => msisdn.startsWith(CALLING_CODES[code]))
  return country === undefined ? null : CURRENCIES[country]
}

export function isCountry(code: string): code is Country {
  return Object.hasOwn(CALLING_CODES, code)
}

/**
 * Converts a phone number to the gateway's format: the calling code and the national number, only digits. A national
 * number ("0700 000 001") receives the country's calling code. An international number ("+254 700-000-001") only loses
 * its punctuation. Returns `null` for text that cannot be a phone number.
 *
 * @param country The country whose calling code is added to a national number; `null` accepts only international
 * numbers.
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

/** Returns the digits if they can be an E.164 number (8 to 15 digits, the first not zero); otherwise `null`. */
function ifPlausible(digits: string): string | null {
  return /^[1-9]\d{7,14}$/.test(digits) ? digits : null
}
