// [assumed] The merchants of the sandbox, their accounts, services, fees and partners.

import { isKeyOf } from '../../server/contract/parse.ts'
import type { Decimal } from '../../server/contract/decimal.ts'
import type { Merchant, MerchantAccount, Partner, Service, ServiceUse } from './merchant.ts'
import type { Environment } from './environment.ts'
import type { CurrencyCode } from './money/currencies.ts'
import type { SeededKey } from './wire/api-keys.ts'

interface Market {
  country: string
  testFunds: Decimal
  fees: Readonly<Record<ServiceUse, Decimal>>
}

const feesOf = (checkout: Decimal, local: Decimal, transfer: Decimal, b2b: Decimal) => ({
  checkout,
  local,
  transfer,
  b2b,
})

const MARKETS = {
  KES: { country: 'KEN', testFunds: '1000000.00', fees: feesOf('15.00', '12.50', '45.00', '30.00') },
  UGX: { country: 'UGA', testFunds: '30000000.00', fees: feesOf('400', '350', '1250', '850') },
  TZS: { country: 'TZA', testFunds: '20000000.00', fees: feesOf('300.00', '250.50', '900.00', '600.00') },
  XOF: { country: 'SEN', testFunds: '5000000.00', fees: feesOf('75', '60', '210', '140') },
} as const satisfies Partial<Record<CurrencyCode, Market>>
type MarketCurrency = keyof typeof MARKETS

const USES = [
  ['checkout', 'CHECKOUT'],
  ['local', 'PAYOUT'],
  ['transfer', 'IMT'],
  ['b2b', 'B2B'],
] as const

export const SANDBOX_KEY: SeededKey = { consumerKey: 'sandbox-key', consumerSecret: 'sandbox-secret' }

export const SANDBOX_SHOP: Merchant = {
  name: 'Sandbox Shop',
  clientCode: 'SANDBOX',
  country: 'KEN',
  keys: [SANDBOX_KEY],
  accounts: [
    accountIn('KES', 'ACC-001'),
    accountIn('UGX', 'ACC-001-UGX'),
    accountIn('TZS', 'ACC-001-TZS'),
    accountIn('XOF', 'ACC-001-XOF'),
  ],
  services: [
    ...servicesIn('KES', 'ACC-001'),
    { ...serviceIn('KES', 'ACC-001', 'checkout', 'OLD-CHECKOUT-KES'), isInitiallyOff: true },
    ...servicesIn('UGX', 'ACC-001-UGX'),
    ...servicesIn('TZS', 'ACC-001-TZS'),
    ...servicesIn('XOF', 'ACC-001-XOF'),
  ],
  partners: [
    partner('PARTNER-001', 'KES'),
    partner('PARTNER-002', 'KES'),
    { ...partner('PARTNER-FEES', 'KES'), isDynamic: true },
    partner('PARTNER-001-UGX', 'UGX'),
    partner('PARTNER-001-TZS', 'TZS'),
    partner('PARTNER-001-XOF', 'XOF'),
  ],
}

/** A merchant that has nothing in common with the first. */
export const SECOND_SHOP: Merchant = {
  name: 'Second Shop',
  accent: '#8a2b5c',
  clientCode: 'SANDBOX-2',
  country: 'KEN',
  keys: [{ consumerKey: 'sandbox-key-2', consumerSecret: 'sandbox-secret-2' }],
  accounts: [accountIn('KES', 'ACC-002'), accountIn('UGX', 'ACC-002-UGX')],
  services: [...servicesIn('KES', 'ACC-002', 'SECOND-'), ...servicesIn('UGX', 'ACC-002-UGX', 'SECOND-')],
  partners: [partner('SECOND-PARTNER', 'KES')],
}

/** The first merchant in production. Its owner creates keys and services and funds the float in the portal. */
export const LIVE_SHOP: Merchant = {
  name: 'Sandbox Shop',
  clientCode: 'LIVE',
  country: 'KEN',
  keys: [],
  accounts: [
    { number: 'LIVE-001', currency: 'KES', testFunds: '0.00' },
    { number: 'LIVE-001-UGX', currency: 'UGX', testFunds: '0.00' },
  ],
  services: [],
  partners: [],
}

export const SEEDED_MERCHANTS = {
  sandbox: [SANDBOX_SHOP, SECOND_SHOP],
  production: [LIVE_SHOP],
} as const satisfies Record<Environment, readonly [Merchant, ...Merchant[]]>

/** Returns a new service of an account, with the country and the fee that services of its currency have. */
export function serviceOf({ number, currency }: MerchantAccount, use: ServiceUse, code: string) {
  return isKeyOf(MARKETS)(currency) ? serviceIn(currency, number, use, code) : null
}

function accountIn(currency: MarketCurrency, number: string): MerchantAccount {
  return { number, currency, testFunds: MARKETS[currency].testFunds }
}

function serviceIn(currency: MarketCurrency, accountNumber: string, use: ServiceUse, code: string): Service {
  const { country, fees } = MARKETS[currency]
  return { code, use, currency, country, accountNumber, fee: fees[use] }
}

function servicesIn(currency: MarketCurrency, accountNumber: string, prefix = ''): Service[] {
  return USES.map(([use, name]) => serviceIn(currency, accountNumber, use, `${prefix}${name}-${currency}`))
}

function partner(accountNumber: string, currency: CurrencyCode): Partner {
  return { accountNumber, currency, isDynamic: false }
}
