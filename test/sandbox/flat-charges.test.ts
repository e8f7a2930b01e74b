import { describe, expect, it } from 'vitest'
import { charge } from '../support/spec-charges.ts'
import { CALLBACKS, CHARGES, SECOND, openMerchant } from './merchant.ts'

const MOBILE = '/v1/mobile-money/charge'
const CARDS = '/v1/cards/charge'
const CARD = { ...charge, external_reference: 'CARD-1', payment_method_code: 'CARD' }
const { add_transaction_charge: _, ...card } = CARD
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
  it('is acknowledged with 201, without currency and expiry, with sums as text and numbers', async () => {
    const merchant = await openFlat()
    const answer = await merchant.send(MOBILE, { ...charge, amount: '1500' })
    expect([answer.status, await answer.json()]).toEqual([
      201,
      {
        status_code: 176,
        status_description: 'Charge posted successfully',
        charge_request_id: expect.stringMatching(/^[0-9a-f]{24}$/),
        external_reference: 'ORDER-7731',
        total_amount: '1500',
        service_amount: '1500',
        transaction_charge: 0,
        auth_available: false,
      },
    ])
  })

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

  it.each([
    ['wrong_pin', 701, 'failed_payment', 'The PIN was wrong.'],
    ['jam', 704, 'payment_status', expect.any(String)],
    ['slow', 706, 'pending_payment', null],
    ['partial', 700, 'successful_payment', expect.any(String)],
    ['overpay', 700, 'successful_payment', expect.any(String)],
  ])('after %s is %i', async (scenario, payment_status, event, receiver_narration) => {
    const merchant = await openFlat()
    const { charge_request_id } = await merchant.mobile()
    await merchant.payCharge(scenario)
    expect(await merchant.flatStatus(charge_request_id)).toMatchObject({
      payment_status,
      event,
      receiver_narration,
    })
  })

  it('takes one payment, even if it is short', async () => {
    const merchant = await openFlat()
    await merchant.mobile()
    await merchant.payCharge('partial', { amount: '500' })
    expect(await merchant.payCharge('approve')).toMatchObject({
      status_code: 174,
      message: 'A charge takes one payment.',
    })
  })

  it('is confirmed by the transaction_id of its payment', async () => {
    const merchant = await openFlat()
    const { charge_request_id } = await merchant.mobile()
    await merchant.later(5 * SECOND)
    const { transaction_id } = await merchant.flatStatus(charge_request_id)
    expect((await merchant.confirm(transaction_id)).status).toBe(200)
    expect(await merchant.balanceOf('partner/PARTNER-001/KES')).toBe('1000.00')
  })
})

describe('a charge of a card', () => {
  it('leads to a page, is pending until then, and returns to the address of its outcome', async () => {
    const merchant = await openFlat()
    const extra_data = {
      success_redirect_url: 'https://shop.example/thanks',
      failed_redirect_url: 'https://shop.example/again',
      split_settlements: [{ account: 'PARTNER-FEES', amount: 20, reason: 'Platform fee' }],
    }
    const posted = await merchant.accepted(CARDS, { ...card, extra_data })
    expect(posted).toMatchObject({ auth_available: true, auth_url: expect.stringContaining('/pay/') })
    const { charge_request_id, auth_url } = posted
    expect(await merchant.flatStatus(charge_request_id)).toMatchObject({ payment_status: 703 })
    const page = async () => (await merchant.get(new URL(auth_url).pathname)).text()
    expect(await page()).toContain('href="https://shop.example/again"')
    expect(await page()).not.toContain('MoMo')
    await merchant.payCharge('approve', {}, 'CARD-1')
    expect(await page()).toContain('url=https://shop.example/thanks')
    expect(await merchant.flatStatus(charge_request_id)).toMatchObject({
      payment_status: 700,
      payment_method_code: 'CARD',
    })
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
