/**
 * The supported countries and their currencies. Which codes exist at all is in `fields.ts`, calling codes are in
 * `phone-number.ts`.
 */

import { countryOf } from './phone-number.ts'

/**
 * The countries by ISO 3166-1 alpha-2 code: the alpha-3 code, and the local currency as an ISO 4217 code. [assumed] The
 * gateway serves these countries, in these currencies.
 */
const COUNTRIES = {
  BW: ['BWA', 'BWP'],
  CI: ['CIV', 'XOF'],
  EG: ['EGY', 'EGP'],
  GH: ['GHA', 'GHS'],
  KE: ['KEN', 'KES'],
  MW: ['MWI', 'MWK'],
  MZ: ['MOZ', 'MZN'],
  NG: ['NGA', 'NGN'],
  RW: ['RWA', 'RWF'],
  SN: ['SEN', 'XOF'],
  TZ: ['TZA', 'TZS'],
  UG: ['UGA', 'UGX'],
  ZA: ['ZAF', 'ZAR'],
  ZM: ['ZMB', 'ZMW'],
  ZW: ['ZWE', 'USD'],
} as const

export type Country = keyof typeof COUNTRIES

/**
 * Returns the local currency of a phone number; `null` if the number is not of a supported country.
 *
 * @param msisdn Digits only, with the country's calling code first.
 */
export function localCurrencyOf(msisdn: string): string | null {
  const country = countryOf(msisdn) ?? ''
  return isCountry(country) ? COUNTRIES[country][1] : null
}

/** Returns the local currency of a country by its alpha-3 code; `null` if the country is not supported. */
export function currencyOfAlpha3(code: string): string | null {
  return Object.values(COUNTRIES).find(([alpha3]) => alpha3 === code)?.[1] ?? null
}

export function isCountry(code: string): code is Country {
  return Object.hasOwn(COUNTRIES, code)
}

/** Reads a code of two letters, in either case; `null` if it is no supported country's. */
export function readCountry(text: string): Country | null {
  const code = text.toUpperCase()
  return isCountry(code) ? code : null
}
