import type { Environment } from '../../server/config/variables.ts'

/** A currency in which the merchant trades, and a country that pays in it. */
export interface Market {
  currency: string
  /** An ISO 3166-1 alpha-3 code. */
  country: string
  accountNumber: string
  partner: string
  /** The beginning of a phone number of 12 digits; the last four digits may select a scenario. */
  phones: string
  /** What follows the whole part of an amount with a fraction; empty in a currency without fractions. */
  fraction: '.50' | ''
}

export type Markets = readonly [Market, ...Market[]]

const KENYA: Market = {
  currency: 'KES',
  country: 'KEN',
  accountNumber: 'ACC-001',
  partner: 'PARTNER-001',
  phones: '25470000',
  fraction: '.50',
}
const UGANDA: Market = {
  currency: 'UGX',
  country: 'UGA',
  accountNumber: 'ACC-001-UGX',
  partner: 'PARTNER-001-UGX',
  phones: '25670000',
  fraction: '',
}
const TANZANIA: Market = {
  currency: 'TZS',
  country: 'TZA',
  accountNumber: 'ACC-001-TZS',
  partner: 'PARTNER-001-TZS',
  phones: '25570000',
  fraction: '.50',
}

export const ONE_CURRENCY: Markets = [KENYA]
export const THREE_CURRENCIES: Markets = [KENYA, UGANDA, TANZANIA]

/** Phone numbers of a country in whose currency the merchant has no account. */
export const ELSEWHERE = '25078000'

/** Returns the configuration of a server of these markets, if it differs from that of a server of one currency. */
export function environmentOf(markets: Markets): Environment {
  if (markets.length === 1) {
    return {}
  }

  const list = (value: (market: Market) => string) =>
    markets.map((market) => `${market.currency}=${value(market)}`).join(',')
  return {
    GATEWAY_SERVICE_CODE: list(({ currency }) => `CHECKOUT-${currency}`),
    GATEWAY_ACCOUNT_NUMBER: list(({ accountNumber }) => accountNumber),
    PARTNER_ACCOUNTS_DYNAMIC: 'KES/PARTNER-FEES=25:Platform fee',
  }
}
