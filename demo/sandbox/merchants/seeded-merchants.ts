// [assumed] The merchants of the sandbox, their accounts, services, fees and partners.

import { isKeyOf } from '../../../server/contract/parse.ts'

import type { Decimal } from '../../../server/contract/decimal.ts'
import type { SeededKey } from '../credentials/api-keys.ts'
import type { Environment } from '../environment.ts'
import type { AccountCurrency, Merchant, MerchantAccount, Partner, Service, ServiceUse } from './merchant.ts'

/** The country of a currency's services, and what an account of the sandbox has at first. */
const MARKETS: Readonly<Record<AccountCurrency, { country: string; testFunds: Decimal }>> = {
  KES: { country: 'KEN', testFunds: '1000000.00' },
  UGX: { country: 'UGA', testFunds: '30000000.00' },
  TZS: { country: 'TZA', testFunds: '20000000.00' },
  GHS: { country: 'GHA', testFunds: '100000.00' },
  XOF: { country: 'SEN', testFunds: '5000000.00' },
}

const FEES: Readonly<Record<AccountCurrency, Readonly<Record<ServiceUse, Decimal>>>> = {
  KES: { checkout: '15.00', local: '12.50', transfer: '45.00', b2b: '30.00' },
  UGX: { checkout: '400', local: '350', transfer: '1250', b2b: '850' },
  TZS: { checkout: '300.00', local: '250.50', transfer: '900.00', b2b: '600.00' },
  GHS: { checkout: '1.80', local: '1.50', transfer: '5.30', b2b: '3.50' },
  XOF: { checkout: '75', local: '60', transfer: '210', b2b: '140' },
}

/** By use: how the code of a service begins. */
const CODES = { checkout: 'CHECKOUT', local: 'PAYOUT', transfer: 'IMT', b2b: 'B2B' } as const

export const SANDBOX_KEY: SeededKey = { consumerKey: 'sandbox-key', consumerSecret: 'sandbox-secret' }

const KES_ACCOUNT = fundedAccount('KES', 'ACC-001')
const OTHER_ACCOUNTS = [
  fundedAccount('UGX', 'ACC-001-UGX'),
  fundedAccount('TZS', 'ACC-001-TZS'),
  fundedAccount('GHS', 'ACC-001-GHS'),
  fundedAccount('XOF', 'ACC-001-XOF'),
]

export const SANDBOX_SHOP: Merchant = {
  name: 'Sandbox Shop',
  clientCode: 'SANDBOX',
  country: 'KEN',
  keys: [SANDBOX_KEY],
  accounts: [KES_ACCOUNT, ...OTHER_ACCOUNTS],
  services: [
    ...servicesOf([KES_ACCOUNT]),
    { ...serviceOf(KES_ACCOUNT, 'checkout', 'OLD-CHECKOUT-KES'), isInitiallyOff: true },
    ...servicesOf(OTHER_ACCOUNTS),
  ],
  partners: [
    partnerIn('KES', 'PARTNER-001'),
    partnerIn('KES', 'PARTNER-002'),
    { ...partnerIn('KES', 'PARTNER-FEES'), isDynamic: true },
    partnerIn('UGX', 'PARTNER-001-UGX'),
    partnerIn('TZS', 'PARTNER-001-TZS'),
    partnerIn('GHS', 'PARTNER-001-GHS'),
    partnerIn('XOF', 'PARTNER-001-XOF'),
  ],
}

const SECOND_ACCOUNTS = [fundedAccount('KES', 'ACC-002'), fundedAccount('UGX', 'ACC-002-UGX')] as const

/** A merchant that has nothing in common with the first. */
export const SECOND_SHOP: Merchant = {
  name: 'Second Shop',
  accent: '#8a2b5c',
  clientCode: 'SANDBOX-2',
  country: 'KEN',
  keys: [{ consumerKey: 'sandbox-key-2', consumerSecret: 'sandbox-secret-2' }],
  accounts: SECOND_ACCOUNTS,
  services: servicesOf(SECOND_ACCOUNTS, 'SECOND-'),
  partners: [partnerIn('KES', 'SECOND-PARTNER')],
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
export function serviceOf(account: MerchantAccount, use: ServiceUse, code: string): Service {
  const { number: accountNumber, currency } = account
  const { country } = MARKETS[currency]
  return { code, use, currency, country, accountNumber, fee: FEES[currency][use] }
}

/** Returns a service for each use of each account. */
function servicesOf(accounts: readonly MerchantAccount[], prefix = ''): Service[] {
  const uses = Object.keys(CODES).filter(isKeyOf(CODES))
  const codeOf = (use: ServiceUse, currency: string) => `${prefix}${CODES[use]}-${currency}`
  return accounts.flatMap((each) => uses.map((use) => serviceOf(each, use, codeOf(use, each.currency))))
}

function fundedAccount(currency: AccountCurrency, number: string): MerchantAccount {
  return { number, currency, testFunds: MARKETS[currency].testFunds }
}

function partnerIn(currency: AccountCurrency, accountNumber: string): Partner {
  return { accountNumber, currency, isDynamic: false }
}
