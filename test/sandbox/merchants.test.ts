import { expect, it } from 'vitest'

import { createLedger, fund, transfer } from '../../demo/sandbox/money/ledger.ts'
import { charge } from '../support/spec/charges.ts'
import {
  B2B,
  CALLBACKS,
  CHARGES,
  CHECKOUTS,
  CONFIRM,
  FUNDED,
  PAYOUTS,
  SECOND,
  b2b,
  openMerchant,
  openSecondMerchant,
  payout,
  request,
  to,
} from './merchant.ts'

import type { Movement } from '../../demo/sandbox/money/ledger.ts'
import type { Merchant } from './merchant.ts'

async function openBoth() {
  const first = await openMerchant()
  return { first, second: await openSecondMerchant(first) }
}

const ofSecond = {
  checkout: (fields: object = {}) =>
    request({ service_code: 'SECOND-CHECKOUT-KES', account_number: 'ACC-002', ...fields }),
  charge: {
    ...charge,
    client_code: 'SANDBOX-2',
    service_code: 'SECOND-CHECKOUT-KES',
    account_number: 'ACC-002',
    extra_data: {},
  },
  payout: (fields: object = {}) => payout({ service_code: 'SECOND-PAYOUT-KES', ...fields }),
  b2b: (fields: object = {}) => b2b({ service_code: 'SECOND-B2B-KES', ...fields }),
}

/** Everything that a merchant can read of its own, but for its tokens. */
async function everythingOf(merchant: Merchant) {
  return {
    checkout: await merchant.status(),
    charge: await merchant.chargeStatus(),
    payout: await merchant.payoutStatus(),
    b2b: await merchant.b2bStatus('b2b-1'),
    airtime: await merchant.entries(),
    ledger: await merchant.ledger(),
    callbacks: await merchant.control('/callbacks'),
    portal: await merchant.control('/portal'),
  }
}

it('merchants may use the same references, and each sees only its own transactions and money', async () => {
  const { first, second } = await openBoth()
  await first.begin({ amount: 500 })
  await first.charge()
  await first.accepted(PAYOUTS, payout())
  await first.accepted(B2B, b2b({ payout_reference: 'b2b-1' }))
  await first.buy()
  await first.later(5 * SECOND)
  await first.pay('approve')
  await first.later(SECOND)
  const before = await everythingOf(first)

  expect(await second.status()).toMatchObject({ status_code: 120 })
  expect(await second.chargeStatus()).toMatchObject({ status_code: 120 })
  expect(await second.payoutStatus()).toMatchObject({ response_code: 723 })
  expect(await second.b2bStatus('b2b-1')).toMatchObject({ response_code: 723 })
  expect(await second.entries()).toMatchObject({ response_code: 723 })
  expect(await second.control('/callbacks')).toEqual({ callbacks: [] })
  expect((await second.ledger()).entries).toMatchObject([
    { reference: 'ACC-002' },
    { reference: 'ACC-002-UGX' },
  ])

  await second.accepted(CHECKOUTS, ofSecond.checkout({ amount: 70 }))
  await second.accepted(CHARGES, ofSecond.charge)
  await second.accepted(PAYOUTS, ofSecond.payout({ sender_amount: '30', recipient_amount: '30' }))
  await second.accepted(B2B, ofSecond.b2b({ payout_reference: 'b2b-1', amount: '40' }))
  await second.buy([to('0001', '10')])
  expect(await second.pay('approve')).toMatchObject({ amount: '70' })
  await second.play('decline')
  await second.playAirtime('failed')
  await second.control('/portal', { airtime_callback_url: `${CALLBACKS}/second` })
  await second.later(5 * SECOND)

  expect(await everythingOf(first)).toEqual(before)
  const { payments } = await second.chargeStatus()
  expect(payments).toMatchObject([
    { client_code: 'SANDBOX-2', account_number: 'ACC-002', payment_status: 700 },
  ])
  expect(await second.payoutStatus()).toMatchObject({
    data: { wallet_account_number: 'ACC-002', payment_status: 701 },
  })
  // The checkout's 70; 40 and the fee of 30 for the B2B payout.
  expect(await second.balance('ACC-002')).toBe('1000000.00')
  expect(await second.balanceOf('held/ACC-002/KES')).toBe('1500.00')
})

it('a token, a service, an account, a partner and a payment of one merchant are unknown to the other', async () => {
  const { first, second } = await openBoth()
  const payment_id = await first.paid()
  const refusals = [
    await second.refusal(CHECKOUTS, request()),
    await second.refusal(CHARGES, charge),
    await second.refusal(PAYOUTS, payout()),
    await second.refusal(B2B, b2b()),
    await first.refusal(PAYOUTS, ofSecond.payout()),
    await second.refusal(CHARGES, { ...ofSecond.charge, account_number: 'ACC-001' }),
    await second.refusal(CHARGES, { ...ofSecond.charge, client_code: 'SANDBOX' }),
    await second.refusal(CHARGES, {
      ...ofSecond.charge,
      extra_data: { split_settlements: [{ account: 'PARTNER-001', amount: 10, reason: 'Cloth' }] },
    }),
    await second.refusal(CONFIRM, { payment_id, status: 'FAILED', narration: 'Mine' }),
  ]
  const codes = refusals.map(({ status_code, error_code }) => status_code ?? error_code)
  const forbidden = 'SERVICE_NOT_ALLOWED'
  expect(codes).toEqual([172, 172, forbidden, forbidden, forbidden, 120, 172, 172, 120])
  expect(await first.chargeStatus()).toMatchObject({ status: 801 })

  for (const [reader, account] of [
    [first, 'ACC-002'],
    [second, 'ACC-001'],
    [second, 'ACC-001-UGX'],
    [second, 'PARTNER-001'],
  ] as const) {
    expect(await reader.read(`/v1/accounts/${account}/balance`)).toMatchObject({ status_code: 174 })
    expect(await reader.control(`/accounts/${account}/statement`)).toMatchObject({ status_code: 174 })
  }

  expect(await second.read('/v1/accounts/ACC-002/balance')).toMatchObject({ balance: FUNDED })
  expect(first.token()).not.toBe(second.token())
  const stranger = { 'x-access-token': 'f'.repeat(48) }
  expect((await first.get('/v1/accounts/ACC-001/balance', stranger)).status).toBe(401)
})

it('the float account owes what is given back after it was spent', async () => {
  const merchant = await openMerchant()
  await merchant.begin()
  await merchant.pay('approve')
  await merchant.accepted(PAYOUTS, payout({ sender_amount: '1000400.00', recipient_amount: '1000400.00' }))
  await merchant.pay('reverse')
  expect(await merchant.balance()).toBe('0.00')
  expect(await merchant.balanceOf('owed/ACC-001/KES')).toBe('-412.50')
  expect((await merchant.ledger()).totals).toMatchObject({ KES: '0.00' })
})

it('an unbalanced or overdrawing entry is refused and writes nothing', () => {
  const ledger = createLedger()
  const unbalanced: Movement = {
    what: 'unbalanced',
    reference: 'x',
    lines: [
      { account: 'float/ACC-001/KES', amount: '5' },
      { account: 'world/UGX', amount: '-5' },
    ],
  }
  expect(() => ledger.post(unbalanced, 0)).toThrow('does not add up')
  ledger.post(fund('ACC-001', 'KES', '5.00'), 0)
  const lines = transfer('float/ACC-001/KES', 'customers/KES', '5.01')
  const tooMuch: Movement = { what: 'too much', reference: 'x', lines }
  expect(ledger.overdrawnBy(tooMuch)).toBe('float/ACC-001/KES')
  expect(() => ledger.post(tooMuch, 0)).toThrow('would overdraw float/ACC-001/KES')
  expect(ledger.entries()).toHaveLength(1)
  expect(ledger.balanceOf('customers/KES')).toBe('0.00')
})
