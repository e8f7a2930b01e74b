import { describe, expect, it } from 'vitest'
import { airtime, AIRTIME } from '../support/spec-airtime.ts'
import { charge, confirmation, redirectCharge } from '../support/spec-charges.ts'
import { B2B, CHARGES, CHECKOUTS, CONFIRM, PAYOUTS, b2b, openMerchant, payout, request } from './merchant.ts'

const { extra_data: _, ...leastCharge } = redirectCharge
const CHECKOUT_ERROR = {
  status_code: 172,
  status_description: expect.any(String),
  message: expect.any(String),
}
const REJECTION = { response_code: 721, response_description: expect.any(String) }

const REQUESTS = [
  [CHECKOUTS, request(), CHECKOUT_ERROR],
  [CHARGES, leastCharge, CHECKOUT_ERROR],
  [CONFIRM, confirmation, CHECKOUT_ERROR],
  [PAYOUTS, payout(), { payout_reference: null, ...REJECTION }],
  [B2B, b2b(), { payout_reference: null, ...REJECTION }],
  [AIRTIME, airtime, { reference: null, ...REJECTION }],
] as const

const shared = openMerchant()

describe.each(REQUESTS)('%s', (path, fields, unreadable) => {
  it('names each required field that is missing, null, empty or blank', async () => {
    const merchant = await shared
    for (const field of Object.keys(fields))
      for (const value of [undefined, null, '', '  ']) {
        const { http, message, response_description } = await merchant.refusal(path, {
          ...fields,
          [field]: value,
        })
        expect(http).toBe(400)
        expect(message ?? response_description).toContain(field)
      }
  })

  it('refuses a body that is malformed or too large', async () => {
    const merchant = await shared
    const deep = `{"amount":${'['.repeat(20_000)}${']'.repeat(20_000)}}`
    for (const body of ['', '{"amount":', '[]', 'null', deep, '{"__proto__":{"amount":500}}'])
      expect(await merchant.refusal(path, body)).toEqual({ http: 400, ...unreadable })
    const large = { ...fields, note: 'x'.repeat(path === AIRTIME ? 300_000 : 70_000) }
    expect(await merchant.refusal(path, large)).toEqual({ http: 413, ...unreadable })
  })
})

it.each([
  [CHECKOUTS, request(), { amount: 0, payer_msisdn: '12', narration: '' }, { status_code: 172 }],
  [CHARGES, charge, { payer_msisdn: '12', currency_code: '?', amount: 0 }, { status_code: 110 }],
  [
    PAYOUTS,
    payout(),
    { destination_type: 'CASH', recipient_phone_number: '7', sender_amount: '' },
    { error_code: 'INVALID_DESTINATION_TYPE' },
  ],
])(
  'a refusal of %s names every wrong field, and the first decides the code',
  async (path, body, wrong, code) => {
    const refusal = await (await shared).refusal(path, { ...body, ...wrong })
    expect(refusal).toMatchObject(code)
    for (const field of Object.keys(wrong))
      expect(refusal.message ?? refusal.response_description).toContain(field)
  },
)

it.each([
  ['/v2/checkout/status/gone', { status_code: 120, message: expect.stringContaining('"gone"') }],
  [`${CHARGES}/gone/status`, { status_code: 120, message: expect.stringContaining('"gone"') }],
  ['/v1/gw/airtime/gone/status', { response_code: 723, error_code: 'RESOURCE_NOT_FOUND', reference: 'gone' }],
  ['/v1/payouts/gone/status', { response_code: 723, payout_reference: 'gone' }],
  ['/v1/accounts/ACC-002/balance', { status_code: 174 }],
  ['/v1/payouts/anything', { response_code: 721, error_code: 'RESOURCE_NOT_FOUND' }],
  ['/v3/anything', { status_code: 174, message: 'There is no GET /v3/anything.' }],
  [
    '/api/v1/checkout/request/status?merchant_transaction_id=order-1',
    {
      message:
        'There is no GET /api/v1/checkout/request/status. An older generation of the gateway has this path. Use GET /v2/checkout/status/{merchant_transaction_id}.',
    },
  ],
])('%s does not exist', async (path, refusal) => {
  const merchant = await shared
  const answer = await merchant.get(path, { 'x-access-token': merchant.token() })
  expect(answer.status).toBe(404)
  expect(await answer.json()).toMatchObject(refusal)
})

it('a body that is not UTF-8, not JSON, missing, or endless without a Content-Length is refused', async () => {
  const merchant = await shared
  const ask = async (body: BodyInit | null, type = 'application/json') => {
    const headers = { 'x-access-token': merchant.token(), 'content-type': type }
    const init = { method: 'POST', headers, body, duplex: 'half' }
    return (await merchant.sandbox.app.request(CHECKOUTS, init)).status
  }
  const chunk = new TextEncoder().encode(' '.repeat(1_000))
  expect(await ask(new Uint8Array([0xff, 0xfe]))).toBe(400)
  expect(await ask('<a/>', 'text/xml')).toBe(415)
  expect(await ask(null)).toBe(400)
  expect(await ask(new ReadableStream({ pull: (controller) => controller.enqueue(chunk) }))).toBe(413)
})

it('credentials may be a form', async () => {
  const merchant = await shared
  const credentials = { consumer_key: 'sandbox-key', consumer_secret: 'sandbox-secret' }
  const answer = await merchant.post('/v1/auth', new URLSearchParams(credentials).toString(), {
    'content-type': 'application/x-www-form-urlencoded',
  })
  expect(answer.status).toBe(201)
  expect(await answer.json()).toEqual({ access_token: expect.any(String), expiresIn: 3600 })
})

it('a token request of an older generation is 404, and names the path to use', async () => {
  const merchant = await shared
  const body = { consumerKey: 'sandbox-key', consumerSecret: 'sandbox-secret' }
  const answer = await merchant.post('/api/v1/api-auth/access-token', body)
  expect([answer.status, (await answer.json()).message]).toEqual([
    404,
    'There is no POST /api/v1/api-auth/access-token. An older generation of the gateway has this path. Use POST /v1/auth.',
  ])
  const { requests } = await merchant.control('/requests')
  expect(requests.at(-1)).toMatchObject({ path: '/api/v1/api-auth/access-token', status: 404 })
})

it.each([
  '/v2/checkout/status/',
  '/v1/payouts/',
  '/v1/payouts/b2b/',
  '/v1/gw/airtime/',
  '/v1/charges/',
  '/v1/accounts/',
])('%s answers an unknown reference of 20,000 characters briefly', async (path) => {
  const merchant = await shared
  const end = path.includes('checkout') ? '' : path.includes('accounts') ? '/balance' : '/status'
  const answer = await merchant.get(`${path}${'"'.repeat(20_000)}${end}`, {
    'x-access-token': merchant.token(),
  })
  expect(answer.status).toBe(404)
  expect((await answer.text()).length).toBeLessThan(8_000)
})

it('a refusal repeats the first 1,000 characters of a long reference', async () => {
  const merchant = await shared
  const long = 'x'.repeat(60_000)
  const airtimeRefusal = await merchant.refusal(AIRTIME, { ...airtime, reference: long })
  const payoutRefusal = await merchant.refusal(PAYOUTS, payout({ payout_reference: long }))
  for (const refusal of [airtimeRefusal, payoutRefusal])
    expect(JSON.stringify(refusal).length).toBeLessThan(8_000)
})
