import { expect, it } from 'vitest'
import { airtime } from '../support/spec-airtime.ts'
import { charge } from '../support/spec-charges.ts'
import { transfer } from '../support/spec-payouts.ts'
import { AIRTIME, B2B, CHARGES, CHECKOUTS, PAYOUTS, TRANSFERS } from './merchant.ts'
import { b2b, openMerchant, payout, request } from './merchant.ts'

const shared = openMerchant()

const REQUESTS: Record<string, object> = {
  [CHECKOUTS]: request(),
  [CHARGES]: charge,
  [PAYOUTS]: payout(),
  [TRANSFERS]: transfer,
  [B2B]: b2b(),
  [AIRTIME]: airtime,
}

const PHONE = 'must have as many digits as the phone numbers of its country'
const COUNTRY = 'must be an ISO 3166-1 code, such as KEN'
const ALPHA3 = 'must be an ISO 3166-1 alpha-3 code, such as KEN'

it.each([
  [CHECKOUTS, 'payer_msisdn', ['254700000', '+256 7000 0000', '999700000001'], PHONE, 110],
  [CHARGES, 'payer_msisdn', ['254700000001234'], PHONE, 110],
  [CHARGES, 'originator_msisdn', ['254700000'], PHONE, 172],
  [CHARGES, 'country_code', ['KEX', 'XK', 'ke'], COUNTRY, 172],
  [PAYOUTS, 'recipient_phone_number', ['254700000', '25670000000'], PHONE, 'INVALID_PHONE_NUMBER'],
  [PAYOUTS, 'sender_country_code', ['KEX', 'ZZ'], COUNTRY, undefined],
  [TRANSFERS, 'recipient_phone_number', ['254700000'], PHONE, 'INVALID_PHONE_NUMBER'],
  [TRANSFERS, 'sender_phone_number', ['254700000'], PHONE, 'INVALID_PHONE_NUMBER'],
  [TRANSFERS, 'sender_country_code', ['UK'], COUNTRY, undefined],
  [B2B, 'country_code', ['KE', 'KEX'], ALPHA3, undefined],
])('%s refuses an impossible %s, such as %j', async (path, field, values, rule, code) => {
  const merchant = await shared
  for (const value of values) {
    const refusal = await merchant.refusal(path, { ...REQUESTS[path], [field]: value })
    expect(refusal.message ?? refusal.response_description).toBe(`${field} ${rule}.`)
    expect(refusal.status_code ?? refusal.error_code).toBe(code)
  }
})

it('airtime names each recipient with an impossible number', async () => {
  const merchant = await shared
  const recipients = ['254700000001', '254700000', '25670000000'].map((phone_number) => ({
    phone_number,
    amount: '10',
  }))
  expect(await merchant.refusal(AIRTIME, { ...airtime, recipients })).toMatchObject({
    response_code: 721,
    response_description: `recipients[1].phone_number ${PHONE}; recipients[2].phone_number ${PHONE}.`,
  })
})

it('the hosted page and the control take no impossible number, either', async () => {
  const merchant = await shared
  const { redirect_url } = await merchant.begin()
  const { pathname } = new URL(redirect_url)
  const body = new URLSearchParams({ method: 'MOMO_KEN', msisdn: '254700000' })
  const page = await merchant.sandbox.app.request(`${pathname}/prompt`, { method: 'POST', body })
  expect(await page.text()).toContain('Check the phone number.')
  expect((await merchant.status()).payments).toEqual([])
  expect(await merchant.pay('approve', { msisdn: '254700000' })).toMatchObject({
    status_code: 172,
    message: `msisdn ${PHONE}.`,
  })
})

it.each([
  ['/clock', {}, 'speed is required.'],
  ['/clock', { speed: 'fast' }, 'speed must be a number.'],
  ['/clock', { speed: 1e9 }, 'speed must be at most 3600.'],
  ['/clock/advance', { seconds: null }, 'seconds must be a number.'],
  ['/clock/advance', { seconds: -1 }, 'seconds must be at least 0.'],
  ['/faults', { fault: 'rain' }, 'fault must be one of latency, status, reset, truncate, html, answer_lost'],
  ['/faults', {}, 'fault must be one of latency'],
  ['/faults', { fault: 'latency' }, 'ms is required.'],
  ['/faults', { fault: 'latency', ms: 1.5 }, 'ms must be a whole number.'],
  ['/faults', { fault: 'status', status: 200 }, 'status must be at least 400.'],
  ['/faults', { fault: 'html', probability: 2 }, 'probability must be at most 1.'],
  ['/portal', { airtime_callback_url: 7 }, 'airtime_callback_url must be text.'],
  ['/checkouts/order-1/pay', { scenario: 7 }, 'scenario must be text.'],
  ['/payouts/payout-1/play', {}, 'scenario is required.'],
])('%s with %j: %s', async (path, body, message) => {
  const merchant = await shared
  await merchant.send(CHECKOUTS, request())
  const refusal = await merchant.refusal(`/_sandbox${path}`, body)
  expect(refusal).toMatchObject({ http: 400, message: expect.stringContaining(message) })
})
