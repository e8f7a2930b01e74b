import { describe, expect, it } from 'vitest'
import { B2B, PAYOUTS, TRANSFERS, b2b, openPayoutMerchant, payout, transfer } from './payout-merchant.ts'
import { HOUR } from './merchant.ts'

const REQUESTS = [
  [PAYOUTS, payout()],
  [TRANSFERS, transfer({ exchange_rate: '27', recipient_amount: '27000' })],
  [B2B, b2b()],
] as const

/** [spec: International money transfer request] Required by the table, optional in the request shape. */
const EITHER = ['callback_url']

/** A refusal leaves nothing behind, so these tests share one sandbox. */
const shared = openPayoutMerchant()

describe.each(REQUESTS)('%s', (path, request) => {
  it('names each required field that is missing, null, empty or blank', async () => {
    const merchant = await shared
    const fields = Object.keys(request).filter((field) => path !== TRANSFERS || !EITHER.includes(field))
    for (const field of fields)
      for (const value of [undefined, null, '', '  ']) {
        const answer = await merchant.send(path, { ...request, [field]: value })
        expect(answer.status).toBe(400)
        expect(await answer.json()).toMatchObject({
          payout_reference: field === 'payout_reference' ? (value ?? null) : 'payout-1',
          response_code: 721,
          response_description: expect.stringContaining(field),
        })
      }
  })

  it('limits the length of texts', async () => {
    const merchant = await shared
    for (const field of ['payout_reference', 'service_code', 'payment_description']) {
      const refused = await (await merchant.send(path, { ...request, [field]: 'x'.repeat(300) })).json()
      expect(refused.response_description).toContain(`${field} must be at most`)
    }
  })

  it('refuses malformed bodies with an acknowledgement', async () => {
    const merchant = await shared
    for (const [body, status] of [
      ['', 400],
      ['{"amount":', 400],
      ['[]', 400],
      ['null', 400],
      [`{"sender_amount":${'['.repeat(20_000)}${']'.repeat(20_000)}}`, 400],
      ['{"__proto__":{"payout_reference":"payout-1"}}', 400],
      [JSON.stringify({ ...request, extra: 'x'.repeat(70_000) }), 413],
    ] as const) {
      const answer = await merchant.send(path, body)
      expect(answer.status).toBe(status)
      expect(await answer.json()).toEqual({
        payout_reference: null,
        response_code: 721,
        response_description: expect.any(String),
      })
    }
  })

  it('requires a token that has not expired', async () => {
    const merchant = await openPayoutMerchant()
    const refusal = async (headers: Record<string, string>) => {
      const answer = await merchant.send(path, request, headers)
      expect(answer.status).toBe(401)
      return (await answer.json()).error_code
    }
    expect(await refusal({})).toBe('UNAUTHORIZED')
    expect(await refusal({ 'x-access-token': 'made-up' })).toBe('INVALID_ACCESS_TOKEN')
    await merchant.later(HOUR)
    expect(await refusal({ 'x-access-token': merchant.token() })).toBe('INVALID_ACCESS_TOKEN')
  })
})

it.each([
  [{ destination_type: 'CASH' }, 'INVALID_DESTINATION_TYPE', 'destination_type'],
  [{ recipient_phone_number: '0700000001' }, 'INVALID_PHONE_NUMBER', 'recipient_phone_number'],
  [{ destination_name: 'NOBODY_KEN' }, 'INVALID_WALLET', 'destination_name'],
  [{ destination_name: 'MOMO_XXX' }, 'INVALID_WALLET', 'destination_name'],
  [{ service_code: 'CHECKOUT-KES' }, 'SERVICE_NOT_ALLOWED', 'service_code'],
  [{ destination_name: 'MOMO_UGA' }, undefined, 'destination_currency must be UGX'],
  [{ source_currency: 'UGX' }, undefined, 'source_currency must be KES'],
  [{ exchange_rate: '1.01' }, undefined, 'exchange_rate must be 1'],
  [{ sender_amount: '0' }, undefined, 'sender_amount'],
  [{ sender_amount: 1e300 }, undefined, 'sender_amount'],
  [{ sender_amount: '1000.001' }, undefined, 'sender_amount must have at most 2'],
  [{ recipient_amount: '999.99' }, undefined, 'recipient_amount must be'],
  [{ callback_url: 'http://10.0.0.1/callback' }, undefined, 'callback_url must be HTTPS'],
])('a payout with %j is refused and moves no money', async (fields, error_code, named) => {
  const merchant = await shared
  const refused = await (await merchant.send(PAYOUTS, payout(fields))).json()
  expect(refused).toMatchObject({ response_code: 721, response_description: expect.stringContaining(named) })
  expect(refused.error_code).toBe(error_code)
  expect(await merchant.balance()).toBe('1000000.00')
  expect(await merchant.status()).toMatchObject({ response_code: 723 })
})

it('the message names every wrong field, and the first decides the error_code', async () => {
  const merchant = await shared
  const refused = await (
    await merchant.send(
      PAYOUTS,
      payout({ destination_type: 'CASH', recipient_phone_number: '7', sender_amount: '' }),
    )
  ).json()
  expect(refused.error_code).toBe('INVALID_DESTINATION_TYPE')
  for (const field of ['destination_type', 'recipient_phone_number', 'sender_amount'])
    expect(refused.response_description).toContain(field)
})

it('an unknown path below /v1/payouts is refused with an acknowledgement', async () => {
  const merchant = await shared
  const answer = await merchant.get('/v1/payouts/anything')
  expect(answer.status).toBe(404)
  expect(await answer.json()).toMatchObject({ response_code: 721, error_code: 'RESOURCE_NOT_FOUND' })
})

it('a fault applies to its own route and is an acknowledgement', async () => {
  const merchant = await openPayoutMerchant()
  await merchant.accepted(PAYOUTS, payout())
  const route = '/v1/payouts/:payout_reference/status'
  await merchant.post('/_sandbox/faults', { route, fault: 'status', status: 503 })
  await merchant.accepted(PAYOUTS, payout({ payout_reference: 'payout-2' }))
  expect(await merchant.status()).toMatchObject({ response_code: 721, error_code: 'FAILED' })
  expect(await merchant.status()).toMatchObject({ data: { payment_status: 703 } })
})
