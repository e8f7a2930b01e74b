import { expect, it } from 'vitest'
import { transfer } from '../support/spec-payouts.ts'
import { B2B, FUNDED, PAYOUTS, SECOND, TRANSFERS, b2b, openMerchant, payout } from './merchant.ts'

const shared = openMerchant()

it('a payout is pending for three seconds, and has a receipt when it is paid', async () => {
  const merchant = await openMerchant()
  await merchant.accepted(PAYOUTS, payout())
  const pending = {
    payment_status: 703,
    reference: 'N/A',
    transaction_cost: '12.50',
    wallet_balance: '998987.50',
  }
  expect(await merchant.payoutStatus()).toMatchObject({ data: pending })
  await merchant.later(5 * SECOND)
  expect(await merchant.payoutStatus()).toMatchObject({
    data: {
      payment_status: 700,
      reference: expect.stringMatching(/^[0-9A-Z]{10}$/),
      account_number: '********0001',
      transaction_time: '2026-11-21T09:00:03.000Z',
      result_description: 'The payout was processed successfully.',
    },
  })
})

it('numbers and phone numbers are normalized, and empty optional and unknown fields are ignored', async () => {
  const merchant = await openMerchant()
  const fields = {
    sender_amount: 99.5,
    recipient_amount: '0099.50000',
    exchange_rate: 1,
    recipient_phone_number: '+254 700-000-001',
    recipient_bank_code: '',
    nobody_asked_for: { this: true },
  }
  await merchant.accepted(PAYOUTS, payout(fields))
  expect(await merchant.payoutStatus()).toMatchObject({
    data: { amount: '99.50', wallet_balance: '999888.00', recipient_phone_number: '254700000001' },
  })
  await merchant.accepted(TRANSFERS, { ...transfer, recipient_middle_name: null, callback_url: '' })
})

it('the float must cover amount and fee; a refused reference can be used again', async () => {
  const merchant = await openMerchant()
  const of = (amount: string) => payout({ sender_amount: amount, recipient_amount: amount })
  expect(await merchant.refusal(PAYOUTS, of('999987.51'))).toMatchObject({
    response_code: 721,
    error_code: 'INSUFFICIENT_BALANCE',
  })
  await merchant.accepted(PAYOUTS, of('999987.50'))
  expect(await merchant.balance()).toBe('0.00')
})

it.each<[authorization: string | null, other: string | null, result: number | string]>([
  ['right', null, 720],
  ['Bearer right', null, 720],
  [null, 'right', 720],
  ['', 'right', 720],
  ['Bearer ', 'right', 720],
  ['right', 'wrong', 720],
  ['wrong', 'right', 'INVALID_ACCESS_TOKEN'],
  ['Bearer wrong', 'right', 'INVALID_ACCESS_TOKEN'],
  ['Basic right', 'right', 'INVALID_ACCESS_TOKEN'],
  ['wrong', null, 'INVALID_ACCESS_TOKEN'],
  [null, null, 'UNAUTHORIZED'],
])('a transfer with Authorization %j and x-access-token %j: %s', async (authorization, other, result) => {
  const merchant = await openMerchant()
  const headers = Object.entries({ authorization, 'x-access-token': other }).flatMap(([name, value]) =>
    value === null ? [] : [[name, value.replace('right', merchant.token())]],
  )
  const answer = await merchant.post(TRANSFERS, transfer, Object.fromEntries(headers))
  const { response_code, error_code = response_code } = await answer.json()
  expect([answer.status, error_code]).toEqual([result === 720 ? 200 : 401, result])
})

it('other payouts read no Authorization', async () => {
  const merchant = await openMerchant()
  const wrong = { authorization: 'wrong', 'x-access-token': merchant.token() }
  expect((await merchant.post(PAYOUTS, payout(), wrong)).status).toBe(200)
  expect((await merchant.post(B2B, b2b({ payout_reference: 'b2b-1' }), wrong)).status).toBe(200)
  expect((await merchant.post(PAYOUTS, payout(), { authorization: merchant.token() })).status).toBe(401)
})

it('all payouts share references, but a B2B payout has its own status path', async () => {
  const merchant = await openMerchant()
  await merchant.accepted(B2B, b2b())
  for (const [path, body] of [
    [PAYOUTS, payout()],
    [PAYOUTS, { payout_reference: 'payout-1' }],
    [TRANSFERS, { ...transfer, payout_reference: 'payout-1' }],
  ] as const)
    expect(await merchant.refusal(path, body)).toMatchObject({ response_code: 722 })
  expect(await merchant.payoutStatus()).toMatchObject({ response_code: 723 })
  await merchant.accepted(PAYOUTS, payout({ payout_reference: 'payout-2' }))
  expect(await merchant.b2bStatus('payout-2')).toMatchObject({ response_code: 723 })
})

it.each([
  [PAYOUTS, { service_code: 'CHECKOUT-KES' }, 'SERVICE_NOT_ALLOWED', 'service_code'],
  [PAYOUTS, { destination_name: 'MOMO_XXX' }, 'INVALID_WALLET', 'destination_name'],
  [PAYOUTS, { destination_name: 'MOMO_UGA' }, undefined, 'destination_currency must be UGX'],
  [PAYOUTS, { source_currency: 'UGX' }, undefined, 'source_currency must be KES'],
  [PAYOUTS, { exchange_rate: '1.01' }, undefined, 'exchange_rate must be 1'],
  [PAYOUTS, { sender_amount: 1e300 }, undefined, 'sender_amount'],
  [PAYOUTS, { sender_amount: '1000.001' }, undefined, 'sender_amount must have at most 2'],
  [PAYOUTS, { callback_url: 'http://10.0.0.1/callback' }, undefined, 'callback_url must be HTTPS'],
  [PAYOUTS, { payout_reference: 'x'.repeat(300) }, undefined, 'payout_reference must be at most'],
  [PAYOUTS, { payment_description: 'x'.repeat(300) }, undefined, 'payment_description must be at most'],
  [B2B, { service_code: 'PAYOUT-KES' }, 'SERVICE_NOT_ALLOWED', 'service_code'],
  [B2B, { recipient_type: 'TILL', payment_method: 'BANK' }, 'INVALID_PAYMENT_METHOD', 'payment_method'],
  [B2B, { amount: '10.005' }, undefined, 'amount must have at most 2'],
  [B2B, { currency_code: 'UGX' }, undefined, 'currency_code must be KES'],
  [B2B, { country_code: 'UGA' }, undefined, 'country_code'],
  [B2B, { callback_url: 'http://shop.example/callback' }, undefined, 'callback_url must be HTTPS'],
])('%s with %j is refused and moves no money', async (path, fields, error_code, named) => {
  const merchant = await shared
  const refused = await merchant.refusal(path, { ...(path === B2B ? b2b() : payout()), ...fields })
  expect(refused.response_code).toBe(721)
  expect(refused.response_description).toContain(named)
  expect(refused.error_code).toBe(error_code)
  expect(await merchant.balance()).toBe(FUNDED)
  expect(await merchant.payoutStatus()).toMatchObject({ response_code: 723 })
})
