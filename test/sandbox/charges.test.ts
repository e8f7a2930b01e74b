import { expect, it } from 'vitest'
import { charge } from '../support/spec-charges.ts'
import { CHARGES, CHECKOUTS, MINUTE, SECOND, openMerchant, request } from './merchant.ts'

it('a direct charge expires with its prompt', async () => {
  const merchant = await openMerchant()
  await merchant.charge({ payer_msisdn: '254700009001' })
  await merchant.later(MINUTE)
  expect(await merchant.payCharge('approve')).toMatchObject({
    message: 'The checkout session has expired.',
  })
  expect(await merchant.chargeStatus()).toMatchObject({ status: 803 })
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

it('an unknown id is 120, and a path of the other dialect is 404 and says how to get it', async () => {
  const [flat, spec] = [await openMerchant({ charges: 'flat' }), await openMerchant()]
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
