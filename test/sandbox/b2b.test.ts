import { expect, it } from 'vitest'
import { B2B, PAYOUTS, SECOND, b2b, openPayoutMerchant, payout } from './payout-merchant.ts'

it('a B2B payout is accepted and paid, with its own payload in the callback', async () => {
  const merchant = await openPayoutMerchant()
  await merchant.accepted(B2B, b2b())
  await merchant.later(5 * SECOND)
  const paid = await merchant.statusOfB2b()
  expect(paid).toEqual({
    payout_reference: 'payout-1',
    transaction_id: expect.stringMatching(/^[0-9a-f]{24}$/),
    payment_reference: expect.stringMatching(/^[0-9A-Z]{10}$/),
    wallet_account: 'ACC-001',
    destination: 'PAYBILL',
    payment_status: 700,
    amount: '2500.50',
    currency: 'KES',
    account_number: '**0000',
    destination_name: 'Kanga Mills',
    description: 'Cloth',
    transaction_time: '2026-11-21T09:00:03.000Z',
    account_balance: '997469.50',
    result_description: 'The payout was processed successfully.',
  })
  expect(merchant.callbacks).toMatchObject([{ body: paid }])
})

it.each([
  ['PAYBILL', 'MOMO_B2B', 'PAYBILL'],
  ['TILL', 'MOMO_B2B', 'TILL'],
  ['BANK_ACCOUNT_NUMBER', 'BANK', 'bank_account'],
])('to a %s uses %s and has the destination %s', async (recipient_type, payment_method, destination) => {
  const merchant = await openPayoutMerchant()
  await merchant.accepted(B2B, b2b({ recipient_type, payment_method }))
  expect(await merchant.statusOfB2b()).toMatchObject({ destination })
  for (const wrong of ['MOMO_B2B', 'BANK', 'CASH'].filter((method) => method !== payment_method)) {
    const fields = { payout_reference: 'payout-2', recipient_type, payment_method: wrong }
    expect(await (await merchant.send(B2B, b2b(fields))).json()).toMatchObject({
      response_code: 721,
      error_code: 'INVALID_PAYMENT_METHOD',
      response_description: expect.stringContaining('payment_method'),
    })
  }
})

it('B2B payouts share references with other payouts, but not the status path', async () => {
  const merchant = await openPayoutMerchant()
  await merchant.accepted(B2B, b2b())
  expect(await (await merchant.send(PAYOUTS, payout())).json()).toMatchObject({ response_code: 722 })
  expect(await merchant.status()).toMatchObject({ response_code: 723 })
  await merchant.accepted(PAYOUTS, payout({ payout_reference: 'payout-2' }))
  expect(await merchant.statusOfB2b('payout-2')).toMatchObject({ response_code: 723 })
})

it.each([
  [{ recipient_type: 'SHOP' }, 'INVALID_DESTINATION_TYPE', 'recipient_type'],
  [{ service_code: 'PAYOUT-KES' }, 'SERVICE_NOT_ALLOWED', 'service_code'],
  [{ amount: '2000000' }, 'INSUFFICIENT_BALANCE', 'float'],
  [{ amount: '0' }, undefined, 'amount'],
  [{ amount: '10.005' }, undefined, 'amount must have at most 2'],
  [{ currency_code: 'UGX' }, undefined, 'currency_code must be KES'],
  [{ country_code: 'KE' }, undefined, 'country_code'],
  [{ country_code: 'UGA' }, undefined, 'country_code'],
  [{ callback_url: 'http://shop.example/callback' }, undefined, 'callback_url must be HTTPS'],
])('refuses %j', async (fields, error_code, named) => {
  const merchant = await openPayoutMerchant()
  const refused = await (await merchant.send(B2B, b2b(fields))).json()
  expect(refused).toMatchObject({ response_code: 721, response_description: expect.stringContaining(named) })
  expect(refused.error_code).toBe(error_code)
  expect(await merchant.balance()).toBe('1000000.00')
})
