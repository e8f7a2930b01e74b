import { describe, expect, it } from 'vitest'
import { MINUTE } from './merchant.ts'
import { PAYOUTS, SECOND, TRANSFERS, openPayoutMerchant, payout, transfer } from './payout-merchant.ts'

describe('a local payout', () => {
  it('is accepted, pending, then paid, with a callback', async () => {
    const merchant = await openPayoutMerchant()
    const answer = await merchant.send(PAYOUTS, payout())
    expect(answer.status).toBe(200)
    expect(await answer.json()).toEqual({
      payout_reference: 'payout-1',
      response_code: 720,
      response_description: expect.any(String),
    })
    expect(await merchant.status()).toMatchObject({
      data: { payment_status: 703, reference: 'N/A', wallet_balance: '998987.50' },
    })
    await merchant.later(5 * SECOND)
    const paid = await merchant.status()
    expect(paid).toEqual({
      payout_reference: 'payout-1',
      destination: 'MOBILE',
      data: {
        payment_id: expect.stringMatching(/^[0-9a-f]{24}$/),
        reference: expect.stringMatching(/^[0-9A-Z]{10}$/),
        wallet_account_number: 'ACC-001',
        transaction_cost: '12.50',
        wallet_balance: '998987.50',
        payment_status: 700,
        amount: '1000.00',
        currency: 'KES',
        account_number: '********0001',
        destination_name: 'MOMO_KEN',
        payout_description: 'Wages',
        transaction_time: '2026-11-21T09:00:03.000Z',
        result_description: 'The payout was processed successfully.',
        recipient_first_name: 'Asha',
        recipient_last_name: 'Otieno',
        recipient_phone_number: '254700000001',
        message: 'The payout was processed successfully.',
      },
    })
    expect(merchant.callbacks).toMatchObject([
      { url: 'http://127.0.0.1:9/callbacks/payouts/abc', body: paid },
    ])
  })

  it('to a bank requires a bank code and returns it', async () => {
    const merchant = await openPayoutMerchant()
    const bank = { destination_type: 'BANK', destination_name: 'Bank of Kanga' }
    const refused = await (await merchant.send(PAYOUTS, payout(bank))).json()
    expect(refused).toMatchObject({
      response_code: 721,
      response_description: expect.stringContaining('recipient_bank_code is required'),
    })
    await merchant.accepted(PAYOUTS, payout({ ...bank, recipient_bank_code: '07' }))
    expect(await merchant.status()).toMatchObject({ destination: 'BANK', data: { bank_code: '07' } })
  })

  it('accepts numbers, formatted phone numbers, and null or empty optional fields', async () => {
    const merchant = await openPayoutMerchant()
    const fields = {
      sender_amount: 99.5,
      recipient_amount: '0099.50000',
      exchange_rate: 1,
      recipient_phone_number: '+254 700-000-001',
      recipient_bank_code: '',
      nobody_asked_for: { this: true },
    }
    await merchant.accepted(PAYOUTS, payout(fields))
    expect(await merchant.status()).toMatchObject({
      data: { amount: '99.50', wallet_balance: '999888.00', recipient_phone_number: '254700000001' },
    })
  })

  it('in another currency requires the current hour’s rate', async () => {
    const merchant = await openPayoutMerchant()
    const exchange_rate = await merchant.rate('KES', 'UGX')
    const abroad = { destination_name: 'MOMO_UGA', destination_currency: 'UGX', exchange_rate }
    const recipient_amount = String(Math.round(1000 * Number(exchange_rate)))
    for (const wrong of [
      { recipient_amount, exchange_rate: '27.5' },
      { recipient_amount: String(Number(recipient_amount) + 2) },
      { recipient_amount: String(Number(recipient_amount) - 2) },
    ]) {
      const refused = await (await merchant.send(PAYOUTS, payout({ ...abroad, ...wrong }))).json()
      expect(refused).toMatchObject({
        response_code: 721,
        response_description: expect.stringMatching(/exchange_rate|recipient_amount/),
      })
    }
    await merchant.accepted(PAYOUTS, payout({ ...abroad, recipient_amount }))
    expect(await merchant.status()).toMatchObject({
      data: { amount: `${recipient_amount}.00`, currency: 'UGX' },
    })
  })

  it('with a used reference is 722, whatever its other fields are', async () => {
    const merchant = await openPayoutMerchant()
    await merchant.accepted(PAYOUTS, payout())
    for (const [path, body] of [
      [PAYOUTS, payout()],
      [PAYOUTS, payout({ sender_amount: '7', recipient_amount: '7' })],
      [PAYOUTS, { payout_reference: 'payout-1' }],
      [TRANSFERS, transfer()],
    ] as const) {
      const answer = await merchant.send(path, body)
      expect(await answer.json()).toMatchObject({
        payout_reference: 'payout-1',
        response_code: 722,
        error_code: 'DUPLICATE_IGNORED',
      })
    }
    expect(await merchant.balance()).toBe('998987.50')
  })

  it('that was never sent is 723', async () => {
    const merchant = await openPayoutMerchant()
    const answer = await merchant.get('/v1/payouts/gone/status', { 'x-access-token': merchant.token() })
    expect(answer.status).toBe(404)
    expect(await answer.json()).toEqual({
      payout_reference: 'gone',
      response_code: 723,
      response_description: 'No payout has the payout_reference "gone".',
      error_code: 'RESOURCE_NOT_FOUND',
    })
  })

  it('above the balance is refused, and its reference can be used again', async () => {
    const merchant = await openPayoutMerchant()
    const tooMuch = { sender_amount: '999987.51', recipient_amount: '999987.51' }
    expect(await (await merchant.send(PAYOUTS, payout(tooMuch))).json()).toMatchObject({
      response_code: 721,
      error_code: 'INSUFFICIENT_BALANCE',
    })
    const allOfIt = { sender_amount: '999987.50', recipient_amount: '999987.50' }
    await merchant.accepted(PAYOUTS, payout(allOfIt))
    expect(await merchant.balance()).toBe('0.00')
  })
})

describe('an international transfer', () => {
  const quoted = async (merchant: Awaited<ReturnType<typeof openPayoutMerchant>>) => {
    const exchange_rate = await merchant.rate('KES', 'UGX')
    return transfer({ exchange_rate, recipient_amount: String(Math.floor(1000 * Number(exchange_rate))) })
  }

  it('accepts the token in either header, with "Bearer" or without', async () => {
    const merchant = await openPayoutMerchant()
    const body = await quoted(merchant)
    const token = merchant.token()
    const headers: Record<string, string>[] = [
      { authorization: token },
      { authorization: `Bearer ${token}` },
      { 'x-access-token': token },
    ]
    for (const [index, header] of headers.entries()) {
      const answer = await merchant.send(TRANSFERS, { ...body, payout_reference: `imt-${index}` }, header)
      expect(await answer.json()).toMatchObject({ response_code: 720 })
    }
    expect((await merchant.send(PAYOUTS, payout(), { authorization: token })).status).toBe(401)
  })

  it('is paid like a local payout, and without a callback_url sends no callback', async () => {
    const merchant = await openPayoutMerchant()
    await merchant.accepted(TRANSFERS, { ...(await quoted(merchant)), callback_url: undefined })
    await merchant.later(MINUTE)
    expect(await merchant.status()).toMatchObject({ data: { payment_status: 700, currency: 'UGX' } })
    expect(merchant.callbacks).toEqual([])
  })
})
