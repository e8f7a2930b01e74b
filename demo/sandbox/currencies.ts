/** Countries and currencies in which the sandbox pays out. [assumed] Those seen with this contract. */

import type { Decimal } from '../../server/contract/decimal.ts'

export interface Currency {
  /** ISO 4217. */
  readonly code: string
  /** Digits behind the point of its smallest unit. [ISO 4217] */
  readonly fractionDigits: number
  /** About what one US dollar costs, in hundredths: where exchange rates begin. */
  readonly hundredthsPerDollar: bigint
}

const CURRENCIES: readonly Currency[] = [
  { code: 'BWP', fractionDigits: 2, hundredthsPerDollar: 1_358n },
  { code: 'EGP', fractionDigits: 2, hundredthsPerDollar: 4_870n },
  { code: 'GHS', fractionDigits: 2, hundredthsPerDollar: 1_525n },
  { code: 'KES', fractionDigits: 2, hundredthsPerDollar: 12_925n },
  { code: 'MWK', fractionDigits: 2, hundredthsPerDollar: 173_400n },
  { code: 'MZN', fractionDigits: 2, hundredthsPerDollar: 6_390n },
  { code: 'NGN', fractionDigits: 2, hundredthsPerDollar: 155_000n },
  { code: 'RWF', fractionDigits: 0, hundredthsPerDollar: 141_500n },
  { code: 'TZS', fractionDigits: 2, hundredthsPerDollar: 264_000n },
  { code: 'UGX', fractionDigits: 0, hundredthsPerDollar: 366_000n },
  { code: 'USD', fractionDigits: 2, hundredthsPerDollar: 100n },
  { code: 'XOF', fractionDigits: 0, hundredthsPerDollar: 60_500n },
  { code: 'ZAR', fractionDigits: 2, hundredthsPerDollar: 1_805n },
  { code: 'ZMW', fractionDigits: 2, hundredthsPerDollar: 2_710n },
]

/** Currency by ISO 3166-1 alpha-3 code. */
const CURRENCY_OF: Readonly<Record<string, string>> = {
  BWA: 'BWP',
  CIV: 'XOF',
  EGY: 'EGP',
  GHA: 'GHS',
  KEN: 'KES',
  MOZ: 'MZN',
  MWI: 'MWK',
  NGA: 'NGN',
  RWA: 'RWF',
  SEN: 'XOF',
  TZA: 'TZS',
  UGA: 'UGX',
  ZAF: 'ZAR',
  ZMB: 'ZMW',
  ZWE: 'USD',
}

export function listCurrencies(): readonly Currency[] {
  return CURRENCIES
}

export function findCurrency(code: string): Currency | undefined {
  return CURRENCIES.find((currency) => currency.code === code)
}

/** Its smallest unit, as an amount: 0.01 of the shilling of Kenya. */
export function unitOf({ fractionDigits }: Currency): Decimal {
  return fractionDigits === 0 ? '1' : `0.${'1'.padStart(fractionDigits, '0')}`
}

/** The currency in which people of a country, by its ISO 3166-1 alpha-3 code, keep their wallets. */
export function currencyOf(country: string): string | undefined {
  return Object.hasOwn(CURRENCY_OF, country) ? CURRENCY_OF[country] : undefined
}
