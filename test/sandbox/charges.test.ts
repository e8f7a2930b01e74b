import { describe, expect, it } from 'vitest'

import { charge } from '../support/spec/charges.ts'
import { CHARGES, CHECKOUTS, MINUTE, SECOND, openMerchant, request } from './merchant.ts'

it('a direct charge expires with its prompt', async () => {
  const merchant = await openMerchant()
  await merchant.charge({ payer_msisdn: '254700009001' })
  await merchant.later(MINUTE)
  expect(await merchant.payCharge('approve')).toMatchObject({ message: 'The checkout session has expired.' })
  expect(await merchant.chargeStatus()).toMatchObject({ status: 803 })
})

it.each([
  [{ transaction_charge: 30 }, '1500.00', '0.00'],
  [{ add_transaction_charge: true }, '1515.00', '15.00'],
  [{ add_transaction_charge: 1, transaction_charge: '30.50' }, '1530.50', '30.50'],
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
  const swapped = Object.fromEntries(Object.entries(charge.extra_data).toReversed())
  expect(await merchant.charge({ extra_data: swapped })).toEqual(first)
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

// Bodies as public clients of such gateways send them.
const CLIENT_BODIES = [
  {
    payer_msisdn: '+254 700-000-001',
    payer_email: null,
    payer_name: '',
    invoice_number: '',
    amount: '1500',
    extra_data: charge.extra_data,
    origin_channel_code: 'API',
    notify_client: 1,
    notify_originator: 0,
  },
  { origin_channel_code: 'USSD', payer_msisdn: '254700000001', amount: 1500, is_offline: false },
]
const STATUS = {
  spec: (id: string) => `/v1/charges/${id}/status`,
  flat: (id: string) => `/v1/transaction/${id}/status`,
}

it.each(
  (['spec', 'flat'] as const).flatMap((dialect) =>
    ['MPESA_KEN', 'AIRTEL_KEN', 'MPESA', 'AIRTELMONEY'].map((code) => [dialect, code] as const),
  ),
)('a charge of a public client is paid (%s, %s)', async (charges, payment_method_code) => {
  const merchant = await openMerchant({ charges })
  for (const [index, body] of CLIENT_BODIES.entries()) {
    const external_reference = `R${index}`
    const sent = { ...charge, ...body, external_reference, payment_method_code }
    const answer = await merchant.accepted(charges === 'flat' ? MOBILE : CHARGES, sent)
    expect(answer).toMatchObject({ status_code: 176, charge_request_id: expect.stringMatching(/^[1-9]\d+$/) })
    const status = STATUS[charges](charges === 'flat' ? answer.charge_request_id : external_reference)
    const record = async () => [await merchant.read(status)].flatMap((state) => state.payments ?? state)[0]
    const pending = await record()
    expect(pending).toMatchObject({ payment_status: 703, payment_method_code })
    await merchant.later(5 * SECOND)
    const paid = await record()
    expect(paid).toMatchObject({
      payment_status: 700,
      payer_transaction_id: expect.stringMatching(/^\w{10}$/),
    })
    expect(pending.payer_transaction_id).toBe(charges === 'flat' ? paid.payer_transaction_id : 'N/A')
  }
})

it.each([
  [{ payment_method_code: 'NO_SUCH_METHOD' }, 'INVALID_PAYMENT_METHOD'],
  [{ payment_method_code: 'MPESA_TZA' }, 'pays in TZS, not in KES'],
])('a charge with %j is refused: %s', async (fields, message) => {
  for (const charges of ['spec', 'flat'] as const) {
    const merchant = await openMerchant({ charges })
    const refusal = await merchant.refusal(charges === 'flat' ? MOBILE : CHARGES, { ...charge, ...fields })
    expect(refusal).toMatchObject({ http: 400, status_code: 172, message: expect.stringContaining(message) })
  }
})

it('an unknown id is 120, and a path of the other dialect is 404 and says how to get it', async () => {
  const flat = await openMerchant({ charges: 'flat' })
  const spec = await openMerchant()
  const flatStatus = (id: string) => flat.read(`/v1/transaction/${id}/status`)
  expect(await flatStatus('gone')).toMatchObject({
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
  expect(await flatStatus(payments[0].charge_request_id)).toMatchObject({ status_code: 120 })
})

describe('a confirmation', () => {
  it.each([
    ['0001', 1 * SECOND, 'The payment is prompted; only a received one can be confirmed.'],
    ['9001', 5 * SECOND, 'The payment is failed; only a received one can be confirmed.'],
    ['9007', 5 * SECOND, 'The payment is processing; only a received one can be confirmed.'],
    ['9008', 5 * SECOND, 'The payment is jammed; only a received one can be confirmed.'],
    ['9009', 2 * MINUTE, 'The payment was reversed before the service was confirmed.'],
    ['9010', 2 * MINUTE, 'The payment was refunded before the service was confirmed.'],
  ])(
    'a confirmation of a payment by the magic number %s after %i ms is refused',
    async (digits, ms, message) => {
      const merchant = await openMerchant()
      await merchant.charge({ payer_msisdn: `25470000${digits}` })
      await merchant.later(ms)
      const { payments } = await merchant.chargeStatus()
      const { entries } = await merchant.ledger()
      for (const status of ['SUCCESSFUL', 'FAILED']) {
        const answer = await merchant.confirm(payments[0].transaction_id, status)
        expect(answer.status).toBe(409)
        expect(await answer.json()).toMatchObject({ status_code: 174, message })
      }

      expect((await merchant.ledger()).entries).toEqual(entries)
    },
  )

  it('a confirmation is refused while another attempt is open, and ends the charge for all its payments', async () => {
    const merchant = await openMerchant()
    await merchant.redirect({ payer_msisdn: '254700009003' })
    const pay = (scenario?: string, fields = {}) => merchant.payCharge(scenario, fields, 'ORDER-7732')
    await pay('partial', { amount: 500 })
    const { payments } = await pay('partial', { amount: 200 })
    const [first, second] = payments.map((payment: { transaction_id: string }) => payment.transaction_id)
    await pay()
    expect(await (await merchant.confirm(first)).json()).toMatchObject({
      message: 'Another payment of the charge is still open.',
    })
    await merchant.later(MINUTE)
    expect((await merchant.confirm(first)).status).toBe(200)
    expect(await pay('approve')).toMatchObject({ message: 'The charge was confirmed.' })
    expect(await merchant.chargeStatus('ORDER-7732')).toMatchObject({ status: 802, amount: '700' })
    expect((await merchant.confirm(second)).status).toBe(200)
    expect((await merchant.confirm(second, 'FAILED')).status).toBe(409)
    expect(await merchant.balanceOf('float/ACC-001/KES')).toBe('1000680.00')
  })

  it('a confirmation does not keep the money from being given back, by the merchant alone', async () => {
    const merchant = await openMerchant()
    await merchant.confirm(await merchant.paid())
    await merchant.payCharge('refund')
    expect((await merchant.ledger()).entries.at(-1)).toMatchObject({ what: 'charge money given back' })
    expect(await merchant.balanceOf('partner/PARTNER-001/KES')).not.toBe('0.00')
  })

  it('a confirmation is refused when the shares exceed the received money, which stays held', async () => {
    const merchant = await openMerchant()
    const payment = await merchant.paid({ payer_msisdn: '254700009005' })
    const answer = await merchant.confirm(payment)
    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({
      status_code: 172,
      message: 'extra_data.split_settlements add up to 1270.5, more than the 750 received.',
    })
    expect(await merchant.balanceOf('held/ACC-001/KES')).toBe('750.00')
    expect((await merchant.confirm(payment, 'FAILED')).status).toBe(200)
    expect(await merchant.balanceOf('held/ACC-001/KES')).toBe('0.00')
  })
})
