import { describe, expect, test } from 'vitest'

import { CHARGE } from '../../support/worlds/chargeable.ts'
import { createWorld } from '../../support/worlds/world.ts'

import type { Environment } from '../../../server/config/variables.ts'

const CURRENCIES = ['KES', 'UGX', 'TZS'] as const
type Currency = (typeof CURRENCIES)[number]
const ACCOUNTS = { KES: 'ACC-001', UGX: 'ACC-001-UGX', TZS: 'ACC-001-TZS' } as const

const perCurrency = (value: (currency: Currency) => string) =>
  CURRENCIES.map((currency) => `${currency}=${value(currency)}`).join(',')
const ENV = {
  GATEWAY_SERVICE_CODE: perCurrency((currency) => `CHECKOUT-${currency}`),
  GATEWAY_ACCOUNT_NUMBER: perCurrency((currency) => ACCOUNTS[currency]),
  PARTNER_ACCOUNTS_DYNAMIC: 'KES/PARTNER-FEES=25:Platform fee',
}

async function createShop(env: Environment = {}) {
  const shop = await createWorld({ env: { ...ENV, ...env } })
  return {
    ...shop,
    sent: (path: string) =>
      shop
        .gatewayExchanges()
        .filter((exchange) => exchange.method === 'POST' && exchange.path === path)
        .map(({ body }) => JSON.parse(body)),
  }
}

describe('with an account for each currency', () => {
  test('orders, also with shares, and charges go to the account and the partners of their currency', async () => {
    const shop = await createShop()
    shop.order('A-0', '7000', { currency: 'UGX' })
    await shop.start('A-0')
    const sent = { account_number: ACCOUNTS.UGX, service_code: 'CHECKOUT-UGX', amount: 7000 }
    expect(shop.sent('/v2/checkout/initiate')).toMatchObject([sent])
    const split = (account: string) => ({ account, amount: '1000', reason: 'Cloth' })
    shop.order('A-1', '7000', { currency: 'UGX', splits: [split('PARTNER-001-UGX')] })
    await shop.start('A-1')
    shop.order('A-2', '7000', { splits: [split('PARTNER-001')] })
    await shop.start('A-2')
    await shop.api('/charges', {
      ...CHARGE,
      currency_code: 'TZS',
      payment_method_code: 'MOMO_TZA',
      extra_data: { split_settlements: [split('PARTNER-001-TZS')] },
    })
    const accountsIn = ({ extra_data }: { extra_data: { split_settlements: { account: string }[] } }) =>
      extra_data.split_settlements.map(({ account }) => account)
    const charges = shop.sent('/v1/charges')
    expect(charges.map(({ account_number }) => account_number)).toEqual([
      'ACC-001-UGX',
      'ACC-001',
      'ACC-001-TZS',
    ])
    expect(charges.map(accountsIn)).toEqual([
      ['PARTNER-001-UGX'],
      ['PARTNER-001', 'PARTNER-FEES'],
      ['PARTNER-001-TZS'],
    ])
  })

  test('an order in a currency that the only service does not have is refused, and the log names the setting', async () => {
    const shop = await createShop({ GATEWAY_SERVICE_CODE: 'CHECKOUT-KES' })
    shop.order('A-1', '7000', { currency: 'UGX' })
    expect(await (await shop.initiate('A-1')).json()).toMatchObject({ code: 'gateway_contradiction' })
    const log = JSON.stringify(shop.logged)
    expect(log).toContain(
      'a checkout in UGX is in KES, the currency of the service CHECKOUT-KES. GATEWAY_SERVICE_CODE',
    )
  })

  test('an order in another currency is refused, unless it names an account', async () => {
    const shop = await createShop({ GATEWAY_SERVICE_CODE: 'CHECKOUT-XOF' })
    shop.order('A-1', '7000', { currency: 'XOF' })
    const refused = await shop.initiate('A-1')
    expect(await refused.json()).toMatchObject({
      code: 'currency_not_supported',
      detail: expect.stringContaining('GATEWAY_ACCOUNT_NUMBER has no account for XOF'),
    })
    shop.order('A-2', '7000', { currency: 'XOF', account: 'ACC-001-XOF' })
    expect(await shop.start('A-2')).toMatchObject({ currency: 'XOF' })
    const charge = await shop.api('/charges', { ...CHARGE, currency_code: 'XOF' })
    expect({ status: charge.status, body: await charge.json() }).toMatchObject({
      status: 422,
      body: { errors: [{ path: 'account_number', message: 'is required' }] },
    })
    expect(shop.gatewayRequests()).not.toContain('POST /v1/charges')
  })
})
