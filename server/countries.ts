/** The supported countries and their currencies. */

import { countryOf } from './contract/phone-number.ts'

/**
 * The local currencies by ISO 3166-1 alpha-2 code, as ISO 4217 codes. [assumed] The gateway serves these countries, in
 * these currencies.
 */
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
} as const

export type Country = keyof typeof CURRENCIES

/**
 * Returns the local currency of a phone number; `null` if the number is not of a supported country.
 *
 * @param msisdn Digits only, with the country's calling code first.
 */
export function localCurrencyOf(msisdn: string): string | null {
  const country = countryOf(msisdn) ?? ''
  return isCountry(country) ? CURRENCIES[country] : null
}

export function isCountry(code: string): code is Country {
  return Object.hasOwn(CURRENCIES, code)
}
