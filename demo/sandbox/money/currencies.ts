// The currencies of the gateway, and the countries in which people pay with them. [assumed] Those seen in practice.

import { currencyOfAlpha3 } from '../../../server/contract/country.ts'
import { isKeyOf } from '../../../server/contract/parse.ts'
import { compactNumber, localCurrencyOf } from '../../../server/contract/phone-number.ts'

import type { Decimal } from '../../../server/contract/decimal.ts'

export interface Currency {
  readonly code: string
  readonly fractionDigits: number
  /** The price of one US dollar in hundredths of this currency. All exchange rates are computed from this price. */
  readonly hundredthsPerDollar: bigint
}

export const CURRENCIES = {
  BWP: { code: 'BWP', fractionDigits: 2, hundredthsPerDollar: 1_358n },
  EGP: { code: 'EGP', fractionDigits: 2, hundredthsPerDollar: 4_870n },
  EUR: { code: 'EUR', fractionDigits: 2, hundredthsPerDollar: 92n },
  GBP: { code: 'GBP', fractionDigits: 2, hundredthsPerDollar: 79n },
  GHS: { code: 'GHS', fractionDigits: 2, hundredthsPerDollar: 1_525n },
  KES: { code: 'KES', fractionDigits: 2, hundredthsPerDollar: 12_925n },
  MWK: { code: 'MWK', fractionDigits: 2, hundredthsPerDollar: 173_400n },
  MZN: { code: 'MZN', fractionDigits: 2, hundredthsPerDollar: 6_390n },
  NGN: { code: 'NGN', fractionDigits: 2, hundredthsPerDollar: 155_000n },
  RWF: { code: 'RWF', fractionDigits: 0, hundredthsPerDollar: 141_500n },
  TZS: { code: 'TZS', fractionDigits: 2, hundredthsPerDollar: 264_000n },
  UGX: { code: 'UGX', fractionDigits: 0, hundredthsPerDollar: 366_000n },
  USD: { code: 'USD', fractionDigits: 2, hundredthsPerDollar: 100n },
  XOF: { code: 'XOF', fractionDigits: 0, hundredthsPerDollar: 60_500n },
  ZAR: { code: 'ZAR', fractionDigits: 2, hundredthsPerDollar: 1_805n },
  ZMW: { code: 'ZMW', fractionDigits: 2, hundredthsPerDollar: 2_710n },
} as const satisfies Record<string, Currency>

export type CurrencyCode = keyof typeof CURRENCIES

/**
 * By ISO 3166-1 alpha-3 code: the digits with which the phone numbers of a country begin, and its time zone. [assumed]
 * That of the capital, for countries with several.
 */
const COUNTRIES: Readonly<Record<string, { callingCode: string; timeZone: string }>> = {
  BWA: { callingCode: '267', timeZone: 'Africa/Gaborone' },
  CIV: { callingCode: '225', timeZone: 'Africa/Abidjan' },
  EGY: { callingCode: '20', timeZone: 'Africa/Cairo' },
  GHA: { callingCode: '233', timeZone: 'Africa/Accra' },
  KEN: { callingCode: '254', timeZone: 'Africa/Nairobi' },
  MOZ: { callingCode: '258', timeZone: 'Africa/Maputo' },
  MWI: { callingCode: '265', timeZone: 'Africa/Blantyre' },
  NGA: { callingCode: '234', timeZone: 'Africa/Lagos' },
  RWA: { callingCode: '250', timeZone: 'Africa/Kigali' },
  SEN: { callingCode: '221', timeZone: 'Africa/Dakar' },
  TZA: { callingCode: '255', timeZone: 'Africa/Dar_es_Salaam' },
  UGA: { callingCode: '256', timeZone: 'Africa/Kampala' },
  ZAF: { callingCode: '27', timeZone: 'Africa/Johannesburg' },
  ZMB: { callingCode: '260', timeZone: 'Africa/Lusaka' },
  ZWE: { callingCode: '263', timeZone: 'Africa/Harare' },
}

/** Adds the calling code of an ISO 3166-1 alpha-3 country to a phone number that begins with a trunk zero. */
export function toInternational(number: string, country: string): string {
  const isNational = /^0(?!0)/.test(compactNumber(number))
  return isNational ? `${COUNTRIES[country]?.callingCode ?? ''}${number}` : number
}

export const timeZoneOf = (country: string) => COUNTRIES[country]?.timeZone

/** Returns the city that names a time zone, such as "Dar es Salaam". */
export const cityOf = (timeZone: string) => timeZone.replace(/.*\//, '').replaceAll('_', ' ')

export const listCurrencies = (): readonly Currency[] => Object.values(CURRENCIES)

export function findCurrency(code: string): Currency | undefined {
  return isKeyOf(CURRENCIES)(code) ? CURRENCIES[code] : undefined
}

/** Returns the smallest amount of a currency, such as "0.01". */
export function unitOf({ fractionDigits }: Currency): Decimal {
  return fractionDigits === 0 ? '1' : `0.${'1'.padStart(fractionDigits, '0')}`
}

/** Returns the currency of a country by its alpha-3 code, if the gateway has it. */
export function currencyOf(country: string): CurrencyCode | undefined {
  return ifSupported(currencyOfAlpha3(country))
}

function ifSupported(code: string | null): CurrencyCode | undefined {
  return code !== null && isKeyOf(CURRENCIES)(code) ? code : undefined
}

/** Returns the currency of the country that ends an operator's code, as in MPESA_KEN; `undefined` if none does. */
export function currencyOfOperator(code: string): CurrencyCode | undefined {
  return currencyOf(code.slice(code.lastIndexOf('_') + 1))
}

// [assumed] The list of operators is open, so every code is one, except those that are kept for refusals.
export const isNoOperator = (code: string) => /^NO_SUCH_|_XXX$/.test(code)

/** @param msisdn Digits only, with the country's calling code first. */
export function currencyOfPhone(msisdn: string): CurrencyCode | undefined {
  return ifSupported(localCurrencyOf(msisdn))
}
