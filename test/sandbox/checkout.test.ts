import { expect, it } from 'vitest'
import { CHECKOUTS, MINUTE, openMerchant, request } from './merchant.ts'

it('the currency is that of the service, and the page has the origin of publicUrl', async () => {
  const merchant = await openMerchant({ publicUrl: 'https://gateway.example/' })
  const session = await merchant.begin({ service_code: 'CHECKOUT-UGX' })
  expect(session.currency).toBe('UGX')
  expect(session.redirect_url).toBe(`https://gateway.example/pay/${session.checkout_reference}`)
})

it('the same request returns the existing session, however its numbers are written, and another is 409', async () => {
  const merchant = await openMerchant()
  const first = await merchant.begin()
  expect(first).toMatchObject({ amount: 500, expires_at: '2026-11-21T09:30:00.000Z' })
  await merchant.later(MINUTE)
  const texts = { amount: '500', expires_in: '30', payer_msisdn: '+254 700-000-001' }
  expect(await merchant.begin(texts)).toEqual(first)
  expect(await merchant.refusal(CHECKOUTS, request({ amount: 501 }))).toMatchObject({
    http: 409,
    status_code: 172,
    message: expect.stringContaining('"order-1"'),
  })
})

it.each([
  [{ amount: 1e300 }, 172, 'amount'],
  [{ expires_in: 9007199254740991 }, 172, 'expires_in'],
  [{ account_number: 'X'.repeat(51) }, 172, 'account_number'],
  [{ callback_url: 'ftp://127.0.0.1/' }, 172, 'callback_url must be HTTPS'],
])('%j is refused', async (fields, status_code, named) => {
  const merchant = await openMerchant()
  expect(await merchant.refusal(CHECKOUTS, request(fields))).toMatchObject({
    http: 400,
    status_code,
    message: expect.stringContaining(named),
  })
})

it.each(['254700000001', '01000000000', 'N/A', 'Flat 7, Moi Avenue'])(
  'account_number %j is returned with the payment, and the float gets the money',
  async (account_number) => {
    const merchant = await openMerchant()
    await merchant.begin({ account_number })
    expect(await merchant.pay('approve')).toMatchObject({ status: 801, payments: [{ account_number }] })
    expect(await merchant.balance()).toBe('1000500.00')
    await merchant.pay('refund')
    expect(await merchant.balance()).toBe('1000000.00')
  },
)

it('plain HTTP callbacks are accepted on loopback addresses only', async () => {
  const merchant = await openMerchant()
  const hosts = ['localhost:4020', 'pay.localhost', '127.0.0.1', '127.9.9.9:1', '[::1]:4020']
  for (const [index, host] of hosts.entries())
    await merchant.begin({ merchant_transaction_id: `order-${index}`, callback_url: `http://${host}/c` })
  for (const host of ['127.0.0.1.example', '10.0.0.1', '169.254.169.254', 'localhost.example'])
    expect(await merchant.refusal(CHECKOUTS, request({ callback_url: `http://${host}/c` }))).toMatchObject({
      http: 400,
    })
})

it('an id may have characters that a URL escapes', async () => {
  const merchant = await openMerchant()
  const id = 'a/b c?d#é%25'
  await merchant.begin({ merchant_transaction_id: id })
  expect(await merchant.status(encodeURIComponent(id))).toMatchObject({ merchant_transaction_id: id })
})

it('the same seed and requests give the same bytes', async () => {
  const journey = async (seed: number) => {
    const merchant = await openMerchant({ seed })
    await merchant.begin()
    await merchant.pay('approve')
    await merchant.later(MINUTE)
    return JSON.stringify([merchant.token(), merchant.callbacks, await merchant.status()])
  }
  expect(await journey(7)).toBe(await journey(7))
  expect(await journey(7)).not.toBe(await journey(8))
})
