import { describe, expect, it } from 'vitest'

import { add, compare, multiply, round } from '../../server/contract/decimal.ts'
import { charge } from '../support/spec/charges.ts'
import { transfer } from '../support/spec/payouts.ts'
import { initiateRequest } from '../support/spec/shapes.ts'
import {
  AIRTIME,
  B2B,
  CHECKOUTS,
  CHARGES,
  FUNDED,
  MINUTE,
  PAYOUTS,
  SECOND,
  TRANSFERS,
  b2b,
  openMerchant,
  payout,
} from './merchant.ts'

import type { Merchant } from './merchant.ts'

const ACCOUNTS = [
  ['KES', 'ACC-001', '1000000.00'],
  ['UGX', 'ACC-001-UGX', '30000000.00'],
  ['TZS', 'ACC-001-TZS', '20000000.00'],
  ['GHS', 'ACC-001-GHS', '100000.00'],
  ['XOF', 'ACC-001-XOF', '5000000.00'],
] as const
const UGX = 'ACC-001-UGX'
const UGX_FUNDED = '30000000.00'

const inUgx = {
  source_currency: 'UGX',
  destination_currency: 'UGX',
  destination_name: 'MOMO_UGA',
  exchange_rate: '1',
  sender_amount: '50000',
  recipient_amount: '50000',
}
const ugandan = {
  ...charge,
  service_code: 'CHECKOUT-UGX',
  account_number: UGX,
  currency_code: 'UGX',
  payment_method_code: 'MOMO_UGA',
  extra_data: {},
}

const rowsOf = async (merchant: Merchant, account: string) => {
  const { statements } = await merchant.control(`/accounts/${account}/statement`)
  expect(statements).toHaveLength(1)
  return statements[0]
}

describe('the accounts of a merchant', () => {
  it('the accounts of a merchant are the only ones that a checkout may name', async () => {
    const merchant = await openMerchant()
    for (const account_number of ['ACC-9', 'ACC-002', 'acc-001']) {
      expect(await merchant.refusal(CHECKOUTS, { ...initiateRequest, account_number })).toMatchObject({
        http: 400,
        status_code: 120,
        message: `account_number "${account_number}" is not an account of this merchant.`,
      })
    }
  })

  it.each(ACCOUNTS)(
    'the accounts of a merchant in %s have their own number, balance and statement',
    async (currency, number, funds) => {
      const merchant = await openMerchant()
      const account = { balance: funds, currency, status: 'ACTIVE' }
      expect(await merchant.read(`/v1/accounts/${number}/balance`)).toEqual(account)
      const session = await merchant.begin({ service_code: `CHECKOUT-${currency}` })
      expect(session.currency).toBe(currency)
      await merchant.pay('approve')
      expect(await merchant.balance(number)).toBe(add(funds, '500.00'))
      for (const [, other, untouched] of ACCOUNTS) {
        if (other !== number) {
          expect(await merchant.balance(other)).toBe(untouched)
        }
      }

      expect(await rowsOf(merchant, number)).toMatchObject({
        currency,
        balance: add(funds, '500.00'),
        rows: [
          { what: 'test funds', reference: number, amount: funds, balance: funds },
          { what: 'checkout paid', reference: 'order-1', amount: '500.00', balance: add(funds, '500.00') },
        ],
      })
      await merchant.pay('refund')
      expect(await merchant.balance(number)).toBe(funds)
    },
  )

  it('the accounts of a merchant pay for the payouts of the services in their currency, with a fee in it', async () => {
    const merchant = await openMerchant()
    await merchant.accepted(
      PAYOUTS,
      payout({ ...inUgx, service_code: 'PAYOUT-UGX', payout_reference: 'local' }),
    )
    await merchant.accepted(TRANSFERS, {
      ...transfer,
      ...inUgx,
      service_code: 'IMT-UGX',
      payout_reference: 'transfer',
    })
    const business = { service_code: 'B2B-UGX', currency_code: 'UGX', country_code: 'UGA', amount: '70000' }
    await merchant.accepted(B2B, b2b({ ...business, payout_reference: 'b2b' }))
    await merchant.later(5 * SECOND)
    expect(await merchant.payoutStatus('local')).toMatchObject({
      data: { payment_status: 700, wallet_account_number: UGX, transaction_cost: '350', currency: 'UGX' },
    })
    expect(await merchant.payoutStatus('transfer')).toMatchObject({ data: { wallet_account_number: UGX } })
    expect(await merchant.b2bStatus('b2b')).toMatchObject({ payment_status: 700, wallet_account: UGX })
    // 50,000 and 350; 50,000 and 1,250; 70,000 and 850.
    expect(await merchant.balance(UGX)).toBe('29827550.00')
    expect(await merchant.balance()).toBe(FUNDED)
    expect(await merchant.balanceOf('fees/UGX')).toBe('2450.00')
  })

  it('the accounts of a merchant receive charges that name them, hold the money, and share it', async () => {
    const merchant = await openMerchant()
    const split_settlements = [{ account: 'PARTNER-001-UGX', amount: 600, reason: 'Cloth' }]
    await merchant.accepted(CHARGES, {
      ...ugandan,
      extra_data: { split_settlements },
      add_transaction_charge: true,
    })
    await merchant.later(5 * SECOND)
    expect(await merchant.balanceOf(`held/${UGX}/UGX`)).toBe('1900.00')
    const { payments } = await merchant.chargeStatus()
    await merchant.confirm(payments[0].transaction_id)
    expect(await merchant.balance(UGX)).toBe('30000900.00')
    expect(await merchant.balanceOf('fees/UGX')).toBe('400.00')
    expect(await rowsOf(merchant, 'PARTNER-001-UGX')).toMatchObject({ currency: 'UGX', balance: '600.00' })
  })
})

describe('airtime', () => {
  const of = (...recipients: [phone_number: string, amount: string][]) =>
    recipients.map(([phone_number, amount]) => ({ phone_number, amount }))

  it('airtime is paid from the account in the currency of the recipient’s country', async () => {
    const merchant = await openMerchant()
    await merchant.buy(
      of(
        ['254700000001', '100.50'],
        ['256700000001', '5000'],
        ['256700009101', '7000'],
        ['2250700000001', '900'],
      ),
    )
    expect(await merchant.balance(UGX)).toBe('29988000.00')
    await merchant.later(5 * SECOND)
    expect(await merchant.balance()).toBe('999899.50')
    expect(await merchant.balance(UGX)).toBe('29995000.00')
    expect(await merchant.balance('ACC-001-XOF')).toBe('4999100.00')
    expect(await merchant.balanceOf('operators/UGX')).toBe('5000.00')
    expect(await merchant.entries()).toMatchObject([
      { amount: 100.5, service_status: 602 },
      { amount: 5000, service_status: 602 },
      { amount: 7000, service_status: 603 },
      { amount: 900, service_status: 602 },
    ])
  })

  it('airtime without an account in its currency is paid from the KES float at the rate of the hour, and returns at it', async () => {
    const merchant = await openMerchant()
    const { rates } = await merchant.read('/v1/fx?base_currency=RWF')
    const cost = round(multiply('3000', rates.KES.selling), 2, 'up')
    await merchant.buy(of(['250780000001', '3000']))
    expect(add(await merchant.balance(), cost)).toBe(FUNDED)
    await merchant.later(5 * SECOND)
    expect(await merchant.balanceOf('operators/RWF')).toBe('3000.00')
    expect(await merchant.balanceOf('exchange/RWF')).toBe('-3000.00')
    expect(await merchant.balanceOf('exchange/KES')).toBe(cost)
    await merchant.later(60 * MINUTE)
    await merchant.renewToken()
    await merchant.playAirtime('refund', '250780000001')
    expect(await merchant.balance()).toBe(FUNDED)
    const { accounts } = await merchant.ledger()
    const left = accounts.filter(({ account }: { account: string }) => /^(operators|exchange)/.test(account))
    for (const { balance } of left) {
      expect(compare(balance, '0')).toBe(0)
    }
  })

  it('airtime is refused for all recipients if one account cannot pay, and names the account’s currency', async () => {
    const merchant = await openMerchant()
    const recipients = of(['254700000001', '100'], ['256700000001', '29999999'], ['256700000002', '2'])
    expect(await merchant.refusal(AIRTIME, { reference: 'AIRTIME-1', recipients })).toMatchObject({
      error_code: 'INSUFFICIENT_BALANCE',
      response_description: 'The float has UGX 30000000.00, less than the airtime costs.',
    })
    expect(await merchant.balance()).toBe(FUNDED)
    expect(await merchant.balance(UGX)).toBe(UGX_FUNDED)
  })
})

describe('a fraction of a currency without fractions is refused', () => {
  const business = { service_code: 'B2B-UGX', currency_code: 'UGX', country_code: 'UGA' }
  it.each([
    [
      'a local payout',
      PAYOUTS,
      payout({ ...inUgx, service_code: 'PAYOUT-UGX', sender_amount: '0.5' }),
      'sender_amount',
    ],
    ['a B2B payout', B2B, b2b({ ...business, amount: '7000.5' }), 'amount'],
    ['a charge', CHARGES, { ...ugandan, amount: 10.5 }, 'amount'],
  ])('a fraction of a currency without fractions is refused in %s', async (_, path, body, field) => {
    const merchant = await openMerchant()
    const refusal = await merchant.refusal(path, body)
    const sentence = refusal.response_description ?? refusal.message
    expect(sentence).toBe(`${field} must have no fraction in UGX.`)
    for (const [, number, funds] of ACCOUNTS) {
      expect(await merchant.balance(number)).toBe(funds)
    }
  })
})

type Rates = Record<string, { buying: string; selling: string }>

const ratesOf = async (merchant: Merchant, base: string): Promise<Rates> =>
  (await merchant.read(`/v1/fx?base_currency=${base}`)).rates

it('exchange rates agree across bases, and no chain of exchanges gains money', async () => {
  const merchant = await openMerchant()
  const bases = ['KES', 'UGX', 'USD', 'XOF', 'ZAR']
  const all = new Map<string, Rates>()
  for (const base of bases) {
    all.set(base, await ratesOf(merchant, base))
  }

  const rate = (from: string, to: string) => Number(all.get(from)?.[to]?.buying)
  for (const a of bases) {
    for (const b of bases.filter((code) => code !== a)) {
      expect(rate(a, b) * Number(all.get(b)?.[a]?.selling)).toBeCloseTo(1, 2)
      expect(rate(a, b) * rate(b, a)).toBeLessThan(1)
      for (const c of bases.filter((code) => code !== a && code !== b)) {
        expect(rate(a, b) * rate(b, c)).toBeLessThan(rate(a, c))
      }
    }
  }
})

it('exchange rates are accepted for five minutes after their hour', async () => {
  const merchant = await openMerchant()
  await merchant.later(59 * MINUTE)
  const exchange_rate = await merchant.rate('KES', 'UGX')
  const body = (payout_reference: string) =>
    payout({
      payout_reference,
      destination_name: 'MOMO_UGA',
      destination_currency: 'UGX',
      exchange_rate,
      recipient_amount: String(Math.round(1000 * Number(exchange_rate))),
    })
  await merchant.later(6 * MINUTE - 1)
  await merchant.renewToken()
  await merchant.accepted(PAYOUTS, body('in-time'))
  await merchant.later(1)
  expect(await merchant.refusal(PAYOUTS, body('too-late'))).toMatchObject({
    response_code: 721,
    response_description: expect.stringContaining('exchange_rate must be'),
  })
})

it('a payment of UGX 1 fails if a magic number is to pay a part of it', async () => {
  const merchant = await openMerchant()
  await merchant.charge({ ...ugandan, amount: 1, payer_msisdn: '256770009005' })
  await merchant.later(3 * SECOND)
  expect(await merchant.chargeStatus()).toMatchObject({
    status: 803,
    payments: [{ payment_status: 701, receiver_narration: 'The amount must be less than 1.' }],
  })
})
