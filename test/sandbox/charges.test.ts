import { describe, expect, it } from 'vitest'
import { charge } from '../support/spec-charges.ts'
import { CALLBACKS, CHARGES, CHECKOUTS, MINUTE, SECOND, openMerchant, request } from './merchant.ts'

describe('a direct charge', () => {
  it('is acknowledged, prompts the payer at once, and is approved after three seconds', async () => {
    const merchant = await openMerchant()
    const acknowledgement = await merchant.charge()
    expect(acknowledgement).toEqual({
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
    expect(await merchant.chargeStatus()).toMatchObject({ status: 803, payments: [{ payment_status: 703 }] })
    await merchant.later(3 * SECOND)
    const paid = await merchant.chargeStatus()
    expect(paid).toEqual({
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
          extra_data: {
            split_settlements: charge.extra_data.split_settlements.map((one) => ({
              ...one,
              amount: Number(one.amount),
            })),
          },
          client_code: 'SANDBOX',
          country_code: 'KEN',
          payer_msisdn: '254700000001',
          payment_date: '2026-11-21T09:00:03.000Z',
          service_code: 'CHECKOUT-KES',
          currency_code: 'KES',
          account_number: 'ACC-001',
          payment_status: 700,
          transaction_id: expect.stringMatching(/^[0-9a-f]{24}$/),
          payer_narration: 'Two kangas',
          charge_request_id: acknowledgement.charge_request_id,
          external_reference: 'ORDER-7731',
          receiver_narration: 'The payment was received.',
          payment_method_code: 'MOMO_KEN',
          payer_transaction_id: expect.stringMatching(/^[0-9A-Z]{10}$/),
          payment_account_reference: paid.payments[0].payer_transaction_id,
        },
      ],
    })
    await merchant.later(SECOND)
    expect(merchant.callbacks).toMatchObject([{ url: `${CALLBACKS}/charges`, body: paid }])
  })

  it('expires with its prompt', async () => {
    const merchant = await openMerchant()
    await merchant.charge({ payer_msisdn: '254700009001' })
    await merchant.later(MINUTE)
    expect(await merchant.payCharge('approve')).toMatchObject({
      message: 'The checkout session has expired.',
    })
    expect(await merchant.chargeStatus()).toMatchObject({ status: 803 })
  })
})

describe('a charge without a payment method', () => {
  it('has a hosted page that accepts payments and leads to its redirect_url', async () => {
    const merchant = await openMerchant()
    const posted = await merchant.redirect()
    const { pathname } = new URL(posted.redirect_url)
    expect(posted).toMatchObject({ status_code: 176, expires_at: '2026-11-21T09:30:00.000Z' })
    const page = async () => (await merchant.get(pathname)).text()
    expect(await page()).toContain('KES 1,500')
    await merchant.payCharge('approve', {}, 'ORDER-7732')
    expect(await page()).toContain('url=https://shop.example/return/7732')
  })
})

it.each([
  [{ transaction_charge: 30 }, '1500.00', '0.00'],
  [{ add_transaction_charge: true }, '1515.00', '15.00'],
  [{ add_transaction_charge: 1, transaction_charge: '30.50' }, '1530.50', '30.50'],
  [{ add_transaction_charge: true, transaction_charge: 0 }, '1500.00', '0.00'],
  [{ add_transaction_charge: 0, transaction_charge: 30 }, '1500.00', '0.00'],
])('%j gives a total of %s with a charge of %s', async (fields, total_amount, transaction_charge) => {
  const merchant = await openMerchant()
  const answer = await merchant.charge(fields)
  expect(answer).toMatchObject({ total_amount, service_amount: '1500.00', transaction_charge })
  await merchant.later(3 * SECOND)
  expect((await merchant.chargeStatus()).payments).toMatchObject([{ amount: total_amount }])
})

it('an external_reference is for one charge: the same body returns it, and another or a checkout is 409', async () => {
  const merchant = await openMerchant()
  const first = await merchant.charge()
  expect(await merchant.charge({ amount: '1500', payer_msisdn: '+254 700-000-001' })).toEqual(first)
  expect(await merchant.refusal(CHARGES, { ...charge, amount: 1501 })).toMatchObject({
    http: 409,
    status_code: 172,
    message: 'external_reference "ORDER-7731" was already used with another body.',
  })
  const checkout = request({ merchant_transaction_id: 'ORDER-7731' })
  expect(await merchant.refusal(CHECKOUTS, checkout)).toMatchObject({ http: 409 })
  expect(await merchant.status('ORDER-7731')).toMatchObject({ status_code: 120 })
  await merchant.begin()
  expect(await merchant.chargeStatus('order-1')).toMatchObject({ status_code: 120 })
  await merchant.later(MINUTE)
  expect((await merchant.chargeStatus()).payments).toHaveLength(1)
})

const MOBILE = '/v1/mobile-money/charge'
// No partner account is dynamic in this currency.
const UGANDAN = {
  service_code: 'CHECKOUT-UGX',
  account_number: 'ACC-001-UGX',
  currency_code: 'UGX',
  country_code: 'UGA',
  payment_method_code: 'MOMO_UGA',
}

async function openFlat() {
  const merchant = await openMerchant({ charges: 'flat' })
  return {
    ...merchant,
    mobile: (fields: object = {}) => merchant.accepted(MOBILE, { ...charge, ...fields }),
    flatStatus: (id: string) => merchant.read(`/v1/transaction/${id}/status`),
    bodies: () => merchant.callbacks.map(({ body }) => body),
  }
}

describe('a charge over mobile money', () => {
  it('is one payment record, as status and as callback, from pending to paid', async () => {
    const merchant = await openFlat()
    const { charge_request_id } = await merchant.mobile({ ...UGANDAN, extra_data: 'table 7' })
    const pending = await merchant.flatStatus(charge_request_id)
    expect(pending).toMatchObject({
      event: 'pending_payment',
      external_reference: 'ORDER-7731',
      charge_request_id,
      payment_status: 703,
      amount: '1500',
      extra_data: 'table 7',
      payer_narration: 'Two kangas',
      receiver_narration: null,
    })
    await merchant.later(5 * SECOND)
    const paid = await merchant.flatStatus(charge_request_id)
    expect(paid).toMatchObject({
      event: 'successful_payment',
      payment_status: 700,
      receiver_narration: 'The payment was received.',
      payment_account_reference: expect.stringMatching(/^[0-9A-Z]{10}$/),
    })
    expect(merchant.bodies()).toEqual([pending, paid])
    expect(merchant.callbacks[0]?.url).toBe(`${CALLBACKS}/charges`)
  })
})

it('an unknown id is 120, and a path of the other dialect is 404 and says how to get it', async () => {
  const [flat, spec] = [await openFlat(), await openMerchant()]
  expect(await flat.flatStatus('gone')).toMatchObject({
    status_code: 120,
    message: 'No transaction has the charge_request_id "gone".',
  })
  expect(await flat.refusal(CHARGES, charge)).toMatchObject({
    http: 404,
    message: expect.stringContaining('--charges spec'),
  })
  expect(await spec.refusal(MOBILE, charge)).toMatchObject({
    http: 404,
    message: expect.stringContaining('--charges flat'),
  })
  await flat.begin()
  const { payments } = await flat.pay('approve')
  expect(await flat.flatStatus(payments[0].charge_request_id)).toMatchObject({ status_code: 120 })
})
