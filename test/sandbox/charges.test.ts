import { describe, expect, it } from 'vitest'
import { charge } from '../support/spec-charges.ts'
import { CHARGES, PORTAL, SECOND, openChargeMerchant } from './charge-merchant.ts'
import { MINUTE, request } from './merchant.ts'

const SPLITS = charge.extra_data.split_settlements

describe('a direct charge', () => {
  it('responds with 176 and without a redirect_url', async () => {
    const merchant = await openChargeMerchant()
    const answer = await merchant.send(charge)
    expect(answer.status).toBe(200)
    expect(await answer.json()).toEqual({
      status_code: 176,
      status_description: 'Charge posted successfully',
      charge_request_id: expect.stringMatching(/^[0-9a-f]{24}$/),
      external_reference: 'ORDER-7731',
      total_amount: '1500.00',
      service_amount: '1500.00',
      transaction_charge: '0.00',
      currency_code: 'KES',
      expires_at: '2026-11-21T09:01:00.000Z',
    })
  })

  it('prompts the payer at once and is approved after three seconds', async () => {
    const merchant = await openChargeMerchant()
    const { charge_request_id } = await merchant.charge()
    expect(await merchant.status()).toMatchObject({ status: 803, payments: [{ payment_status: 703 }] })
    await merchant.later(3 * SECOND)
    expect(await merchant.status()).toEqual({
      amount: '1500',
      checkout_reference: expect.stringMatching(/^[0-9a-f]{32}$/),
      currency: 'KES',
      merchant_transaction_id: 'ORDER-7731',
      narration: 'Two kangas',
      status: 801,
      timestamp: '2026-11-21T09:00:03.000Z',
      payments: [
        {
          event: 'successful_payment',
          amount: '1500.00',
          extra_data: { split_settlements: SPLITS.map((one) => ({ ...one, amount: Number(one.amount) })) },
          client_code: 'SANDBOX',
          country_code: 'KEN',
          payer_msisdn: '254700000001',
          payment_date: '2026-11-21T09:00:03.000Z',
          service_code: 'CHECKOUT-KES',
          currency_code: 'KES',
          account_number: 'ACC-001',
          payment_status: 700,
          transaction_id: expect.stringMatching(/^[0-9a-f]{24}$/),
          payer_narration: 'The payment was received.',
          charge_request_id,
          external_reference: 'ORDER-7731',
          receiver_narration: 'Two kangas',
          payment_method_code: 'MOMO_KEN',
          payer_transaction_id: expect.stringMatching(/^[0-9A-Z]{10}$/),
          payment_account_reference: '254700000001',
        },
      ],
    })
  })

  it('sends callbacks to the address of the portal', async () => {
    const merchant = await openChargeMerchant()
    await merchant.paid()
    expect(merchant.callbacks).toMatchObject([{ url: PORTAL, body: await merchant.status() }])
  })

  it('sends no callback without an address in the portal', async () => {
    const merchant = await openChargeMerchant({ portal: {} })
    await merchant.paid()
    await merchant.later(MINUTE)
    expect(merchant.callbacks).toEqual([])
  })

  it.each([
    ['9000', 801, 801],
    ['9001', 803, 803],
    ['9002', 803, 803],
    ['9003', 803, 803],
    ['9004', 803, 803],
    ['9005', 802, 802],
    ['9006', 801, 801],
    ['9007', 851, 801],
    ['9008', 850, 850],
    ['9009', 801, 840],
    ['9010', 801, 841],
    ['0001', 801, 801],
  ])(
    'to a number ending in %s is %i after 3 seconds and %i two minutes later',
    async (digits, soon, later) => {
      const merchant = await openChargeMerchant()
      await merchant.charge({ payer_msisdn: `25470000${digits}` })
      await merchant.later(3 * SECOND)
      expect(await merchant.status()).toMatchObject({ status: soon })
      await merchant.later(2 * MINUTE)
      expect(await merchant.status()).toMatchObject({ status: later })
    },
  )

  it('expires with its prompt', async () => {
    const merchant = await openChargeMerchant()
    await merchant.charge({ payer_msisdn: '254700009001' })
    await merchant.later(MINUTE)
    expect(await merchant.pay('approve')).toMatchObject({ message: 'The checkout session has expired.' })
    expect(await merchant.status()).toMatchObject({ status: 803 })
  })

  it('takes scenarios through /_sandbox by its external_reference', async () => {
    const merchant = await openChargeMerchant()
    await merchant.charge()
    expect(await merchant.pay('wrong_pin')).toMatchObject({ status: 803 })
    expect(await merchant.pay('approve')).toMatchObject({
      status: 801,
      payments: [{ payment_status: 701 }, { payment_status: 700, payment_method_code: 'MOMO_KEN' }],
    })
  })
})

describe('a charge without a payment method', () => {
  it('has a hosted page that accepts payments until it expires', async () => {
    const merchant = await openChargeMerchant()
    const posted = await merchant.redirect()
    const { checkout_reference } = await merchant.status('ORDER-7732')
    expect(posted).toMatchObject({
      status_code: 176,
      redirect_url: `http://localhost/pay/${checkout_reference}`,
      expires_at: '2026-11-21T09:30:00.000Z',
    })
    const page = await (await merchant.get(`/pay/${checkout_reference}`)).text()
    expect(page).toContain('KES 1,500')
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    await merchant.post(`/pay/${checkout_reference}/prompt`, 'method=MOMO_KEN&msisdn=254700009000', form)
    await merchant.later(5 * SECOND)
    const done = await (await merchant.get(`/pay/${checkout_reference}`)).text()
    expect(done).toContain('url=https://shop.example/return/7732')
    expect(await merchant.status('ORDER-7732')).toMatchObject({ status: 801, amount: '1500' })
  })

  it('expires unpaid without a callback', async () => {
    const merchant = await openChargeMerchant()
    await merchant.redirect()
    await merchant.later(30 * MINUTE)
    expect(await merchant.status('ORDER-7732')).toMatchObject({ status: 820, narration: 'ORDER-7732' })
    expect(merchant.callbacks).toEqual([])
  })

  it('has no link back without a redirect_url', async () => {
    const merchant = await openChargeMerchant()
    const { redirect_url } = await merchant.redirect({ extra_data: {} })
    const page = async () => (await merchant.get(new URL(redirect_url).pathname)).text()
    expect(await page()).not.toContain('Back to the shop')
    await merchant.pay('approve', {}, 'ORDER-7732')
    expect(await page()).toContain('Payment received')
    expect(await page()).not.toMatch(/Back to the shop|http-equiv="refresh"|will return to the shop/)
  })
})

describe('the transaction charge', () => {
  it.each([
    [{ transaction_charge: 30 }, '1500.00', '0.00'],
    [{ add_transaction_charge: true }, '1515.00', '15.00'],
    [{ add_transaction_charge: 1, transaction_charge: '30.50' }, '1530.50', '30.50'],
    [{ add_transaction_charge: true, transaction_charge: 0 }, '1500.00', '0.00'],
    [{ add_transaction_charge: 0, transaction_charge: 30 }, '1500.00', '0.00'],
  ])('%j gives a total of %s with a charge of %s', async (fields, total_amount, transaction_charge) => {
    const merchant = await openChargeMerchant()
    const answer = await merchant.charge(fields)
    expect(answer).toMatchObject({ total_amount, service_amount: '1500.00', transaction_charge })
    await merchant.later(3 * SECOND)
    expect((await merchant.status()).payments).toMatchObject([{ amount: total_amount }])
  })
})

describe('the same external_reference', () => {
  it('with the same body returns the existing charge, paid once', async () => {
    const merchant = await openChargeMerchant()
    const first = await merchant.charge()
    await merchant.later(2 * SECOND)
    expect(await merchant.charge({ amount: '1500', payer_msisdn: '+254 700-000-001' })).toEqual(first)
    await merchant.later(MINUTE)
    expect((await merchant.status()).payments).toHaveLength(1)
  })

  it('with another body is refused', async () => {
    const merchant = await openChargeMerchant()
    await merchant.charge()
    const other = await merchant.send({ ...charge, amount: 1501 })
    expect(other.status).toBe(409)
    expect(await other.json()).toMatchObject({
      status_code: 172,
      message: 'external_reference "ORDER-7731" was already used with another body.',
    })
  })

  it('cannot be used for a checkout, too', async () => {
    const merchant = await openChargeMerchant()
    await merchant.charge()
    const response = await merchant.initiate(request({ merchant_transaction_id: 'ORDER-7731' }))
    expect(response.status).toBe(409)
    const asked = await merchant.get('/v2/checkout/status/ORDER-7731', { 'x-access-token': merchant.token() })
    expect(asked.status).toBe(404)
  })
})

it('the charge status of an unknown charge or of a checkout is 120', async () => {
  const merchant = await openChargeMerchant()
  await merchant.begin()
  for (const reference of ['gone', 'order-1']) {
    const answer = await merchant.get(`${CHARGES}/${reference}/status`, {
      'x-access-token': merchant.token(),
    })
    expect(answer.status).toBe(404)
    expect(await answer.json()).toEqual({
      status_code: 120,
      status_description: 'Transaction not found',
      message: `No transaction has the external_reference "${reference}".`,
    })
  }
})

it('charges and confirmations are logged, subject to faults, and removed by a reset', async () => {
  const merchant = await openChargeMerchant()
  const payment = await merchant.paid()
  await merchant.post('/_sandbox/faults', {
    route: '/transactions/acknowledge',
    fault: 'status',
    status: 503,
  })
  expect((await merchant.confirm(payment)).status).toBe(503)
  const { requests } = await (await merchant.get('/_sandbox/requests')).json()
  expect(requests).toMatchObject([
    { path: '/v1/auth' },
    { path: CHARGES, status: 200, body: { external_reference: 'ORDER-7731', extra_data: '[nested]' } },
    { path: `${CHARGES}/ORDER-7731/status` },
    { path: '/transactions/acknowledge', status: 503 },
  ])
  await merchant.post('/_sandbox/reset', {})
  await merchant.renewToken()
  expect(await merchant.status()).toMatchObject({ status_code: 120 })
  expect(await (await merchant.confirm(payment)).json()).toMatchObject({ status_code: 120 })
})
