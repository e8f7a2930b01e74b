// [assumed] The merchants of the sandbox, their accounts, services, fees and partners.

import { isKeyOf } from '../../server/contract/parse.ts'
import type { Decimal } from '../../server/contract/decimal.ts'
import type { Merchant, MerchantAccount, Partner, Service, ServiceUse } from './merchant.ts'
import type { Environment } from './environment.ts'
import type { CurrencyCode } from './money/currencies.ts'
import type { SeededKey } from './wire/api-keys.ts'

const MARKETS = {
  KES: { country: 'KEN', testFunds: '1000000.00' },
  UGX: { country: 'UGA', testFunds: '30000000.00' },
  TZS: { country: 'TZA', testFunds: '20000000.00' },
  XOF: { country: 'SEN', testFunds: '5000000.00' },
} as const satisfies Partial<Record<CurrencyCode, { country: string; testFunds: Decimal }>>
type MarketCurrency = keyof typeof MARKETS

const FEES: Readonly<Record<MarketCurrency, Readonly<Record<ServiceUse, Decimal>>>> = {
  KES: { checkout: '15.00', local: '12.50', transfer: '45.00', b2b: '30.00' },
  UGX: { checkout: '400', local: '350', transfer: '1250', b2b: '850' },
  TZS: { checkout: '300.00', local: '250.50', transfer: '900.00', b2b: '600.00' },
  XOF: { checkout: '75', local: '60', transfer: '210', b2b: '140' },
}

/** By use: how the code of a service begins. */
const CODES = { checkout: 'CHECKOUT', local: 'PAYOUT', transfer: 'IMT', b2b: 'B2B' } as const

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
const LIVE_SHOP: Merchant = {
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
  const { country } = MARKETS[currency]
  return { code, use, currency, country, accountNumber, fee: FEES[currency][use] }
}

function servicesIn(currency: MarketCurrency, accountNumber: string, prefix = ''): Service[] {
  const uses = Object.keys(CODES).filter(isKeyOf(CODES))
  return uses.map((use) => serviceIn(currency, accountNumber, use, `${prefix}${CODES[use]}-${currency}`))
}

function partner(accountNumber: string, currency: CurrencyCode): Partner {
  return { accountNumber, currency, isDynamic: false }
}
