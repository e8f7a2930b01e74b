import { describe, expect, it } from 'vitest'
import { charge, redirectCharge } from '../support/spec-charges.ts'
import { CALLBACKS, CHARGES, CHECKOUTS, CONFIRM, MINUTE, SECOND, openMerchant, request } from './merchant.ts'

const [FIRST, , FEES] = charge.extra_data.split_settlements

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

  it('expires unpaid without a callback', async () => {
    const merchant = await openMerchant()
    await merchant.redirect()
    await merchant.later(30 * MINUTE)
    expect(await merchant.chargeStatus('ORDER-7732')).toMatchObject({ status: 820, narration: 'ORDER-7732' })
    expect(merchant.callbacks).toEqual([])
  })

  it('has no link back without a redirect_url', async () => {
    const merchant = await openMerchant()
    const { redirect_url } = await merchant.redirect(splits(FEES!))
    const page = async () => (await merchant.get(new URL(redirect_url).pathname)).text()
    expect(await page()).not.toContain('Back to the shop')
    await merchant.payCharge('approve', {}, 'ORDER-7732')
    expect(await page()).toContain('Payment received')
    expect(await page()).not.toMatch(/Back to the shop|http-equiv="refresh"|will return to the shop/)
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

const shared = openMerchant()
const UGANDAN = {
  service_code: 'CHECKOUT-UGX',
  account_number: 'ACC-001-UGX',
  currency_code: 'UGX',
  payment_method_code: 'CARD',
}
const splits = (...split_settlements: object[]) => ({ extra_data: { split_settlements } })

it.each([
  [{ currency_code: 'UGX' }, 115, 'must be KES'],
  [{ currency_code: undefined }, 115, 'currency_code'],
  [{ client_code: 'ANOTHER' }, 172, 'client_code'],
  [{ account_number: 'ACC-002' }, 120, 'account_number'],
  [{ account_number: 7 }, 172, 'account_number must be text'],
  [{ amount: 1e300 }, 172, 'amount'],
  [{ amount: 10.001 }, 172, 'amount must have at most 2 fraction digits'],
  [{ ...UGANDAN, extra_data: {}, amount: 10.5 }, 172, 'amount must have no fraction in UGX.'],
  [{ ...UGANDAN, extra_data: {}, transaction_charge: 0.5 }, 172, 'transaction_charge must have no fraction'],
  [{ ...UGANDAN, account_number: 'ACC-001' }, 120, 'account_number must be ACC-001-UGX, the UGX account'],
  [{ transaction_charge: 0.001 }, 172, 'transaction_charge must have at most 2'],
  [{ payment_method_code: 'MOMO_UGA' }, 172, 'must be one of MOMO_KEN'],
  [{ external_reference: 'x'.repeat(65) }, 172, 'external_reference'],
  [{ description: 'x'.repeat(256) }, 172, 'description'],
  [{ extra_data: { redirect_url: 'javascript:alert(1)' } }, 172, 'extra_data.redirect_url'],
  [{ extra_data: { redirect_url: 'shop' } }, 172, 'extra_data.redirect_url'],
  [
    splits({ ...FIRST, account: 'PARTNER-009' }, FEES!),
    172,
    'split_settlements[0].account "PARTNER-009" is no',
  ],
  [splits(FEES!, { ...FIRST, amount: 0 }), 172, '[1].amount must be more than zero'],
  [splits(FEES!, { ...FIRST, amount: 0.005 }), 172, '[1].amount must have at most 2 fraction'],
  [splits(FIRST!), 172, 'must include the account PARTNER-FEES'],
  [splits(), 172, 'must include the account PARTNER-FEES'],
  [{ extra_data: undefined }, 172, 'extra_data.split_settlements must include the account PARTNER-FEES'],
  [splits({ ...FIRST, amount: 1480.01 }, FEES!), 172, ' add up to 1500.01, more than the 1500'],
  [{ ...UGANDAN, ...splits(FIRST!) }, 172, '[0].account "PARTNER-001" is in KES, not UGX.'],
])('a charge with %j is refused: code %i, %s', async (fields, status_code, named) => {
  const merchant = await shared
  const refusal = await merchant.refusal(CHARGES, { ...charge, ...fields })
  expect(refusal).toMatchObject({ http: 400, status_code, message: expect.stringContaining(named) })
  expect(await merchant.chargeStatus()).toMatchObject({ status_code: 120 })
})

it.each([
  ['payment_id', 'x'.repeat(65), 'must be at most 64 characters'],
  ['status', 'successful', 'must be one of SUCCESSFUL, FAILED'],
  ['narration', 'x'.repeat(256), 'must be at most 255 characters'],
])('a confirmation with %s = %j is refused', async (field, value, rule) => {
  const body = { payment_id: 'payment-1', status: 'SUCCESSFUL', narration: 'Done', [field]: value }
  const refusal = await (await shared).refusal(CONFIRM, body)
  expect(refusal).toMatchObject({ http: 400, status_code: 172, message: `${field} ${rule}.` })
})

it('an amount may have zeros as fraction, and shares may add up to it, two of them to one account', async () => {
  const merchant = await openMerchant()
  const optional = { payer_email: null, paybill: '' }
  const whole = {
    ...redirectCharge,
    ...optional,
    ...UGANDAN,
    extra_data: {},
    payment_method_code: undefined,
    amount: '10.00',
  }
  expect(await merchant.accepted(CHARGES, whole)).toMatchObject({ status_code: 176 })
  const shares = splits(FIRST!, { ...FIRST, amount: 480 }, FEES!)
  expect(await merchant.charge(shares)).toMatchObject({ status_code: 176 })
})
