import { describe, expect, it } from 'vitest'
import { MINUTE, openMerchant, request } from './merchant.ts'

/** A refusal leaves nothing behind, so the tests of refusals share one sandbox. */
const shared = openMerchant()

describe('a token', () => {
  it('is issued for credentials as JSON or as a form', async () => {
    const merchant = await openMerchant()
    const credentials = { consumer_key: 'sandbox-key', consumer_secret: 'sandbox-secret' }
    const json = await merchant.post('/v1/auth', credentials)
    const form = await merchant.post('/v1/auth', new URLSearchParams(credentials).toString(), {
      'content-type': 'application/x-www-form-urlencoded',
    })
    for (const answer of [json, form]) {
      expect(answer.status).toBe(200)
      expect(await answer.json()).toEqual({ access_token: expect.any(String), expiresIn: 3600 })
    }
  })

  it('is refused for malformed credentials with 400', async () => {
    const merchant = await shared
    for (const body of ['{', '[]', '{}', { consumer_key: 7, consumer_secret: null }]) {
      const malformed = await merchant.post('/v1/auth', body)
      expect(malformed.status).toBe(400)
      expect(await malformed.json()).toEqual({
        statusCode: 400,
        message: 'Invalid Authentication Credentials',
        error: 'Bad Request',
      })
    }
  })
})

describe('initiate', () => {
  it('returns the fields of the spec', async () => {
    const merchant = await openMerchant()
    const answer = await merchant.initiate(request())
    expect(answer.status).toBe(200)
    const session = await answer.json()
    expect(session).toEqual({
      merchant_transaction_id: 'order-1',
      checkout_reference: expect.stringMatching(/^[0-9a-f]{32}$/),
      currency: 'KES',
      amount: 500,
      expires_at: '2026-11-21T09:30:00.000Z',
      redirect_url: `http://localhost/pay/${session.checkout_reference}`,
    })
  })

  it('takes the currency from the service and the origin of the page from publicUrl', async () => {
    const merchant = await openMerchant({ publicUrl: 'https://gateway.example/' })
    const session = await merchant.begin({ service_code: 'CHECKOUT-UGX' })
    expect(session.currency).toBe('UGX')
    expect(session.redirect_url).toBe(`https://gateway.example/pay/${session.checkout_reference}`)
  })

  it('accepts numbers as text, and formatted phone numbers', async () => {
    const merchant = await openMerchant()
    const session = await merchant.begin({
      amount: '500',
      expires_in: '30',
      payer_msisdn: '+254 700-000-001',
    })
    expect(session.amount).toBe(500)
    expect(await merchant.begin()).toEqual(session)
  })

  it('returns the existing session for the same request, and refuses another request with the same id', async () => {
    const merchant = await openMerchant()
    const first = await merchant.begin()
    await merchant.later(MINUTE)
    expect(await merchant.begin()).toEqual(first)
    const other = await merchant.initiate(request({ amount: 501 }))
    expect(other.status).toBe(409)
    expect(await other.json()).toMatchObject({
      status_code: 172,
      message: expect.stringContaining('"order-1"'),
    })
  })

  it('names each field that is missing, null or blank', async () => {
    const merchant = await shared
    for (const field of Object.keys(request()))
      for (const value of [undefined, null, '', '   ']) {
        const answer = await merchant.initiate(request({ [field]: value }))
        expect(answer.status).toBe(400)
        expect((await answer.json()).message).toContain(field)
      }
  })

  it.each([
    [{ payer_msisdn: '0700000001' }, 110, 'payer_msisdn'],
    [{ amount: 1.5 }, 172, 'amount'],
    [{ amount: 1e300 }, 172, 'amount'],
    [{ expires_in: 9007199254740991 }, 172, 'expires_in'],
    [{ account_number: 'ACC-002' }, 172, 'account_number'],
    [{ callback_url: 'ftp://127.0.0.1/' }, 172, 'callback_url must be HTTPS'],
    [{ redirect_url: 'javascript:alert(1)' }, 172, 'redirect_url'],
  ])('refuses %j', async (fields, code, named) => {
    const merchant = await shared
    const answer = await merchant.initiate(request(fields))
    expect(answer.status).toBe(400)
    const error = await answer.json()
    expect(error.status_code).toBe(code)
    expect(error.message).toContain(named)
  })

  it('accepts plain HTTP callbacks on loopback addresses only', async () => {
    const merchant = await openMerchant()
    const hosts = ['localhost:4020', 'pay.localhost', '127.0.0.1', '127.9.9.9:1', '[::1]:4020']
    for (const [index, host] of hosts.entries())
      await merchant.begin({ merchant_transaction_id: `order-${index}`, callback_url: `http://${host}/c` })
    for (const host of ['127.0.0.1.example', '10.0.0.1', '169.254.169.254', 'localhost.example'])
      expect((await merchant.initiate(request({ callback_url: `http://${host}/c` }))).status).toBe(400)
  })
})

describe('a malformed body', () => {
  it('is refused with the checkout error object', async () => {
    const merchant = await shared
    for (const [body, status] of [
      ['', 400],
      ['{"amount":', 400],
      ['[]', 400],
      ['7', 400],
      ['null', 400],
      [`{"amount":${'['.repeat(20_000)}${']'.repeat(20_000)}}`, 400],
      ['{"__proto__":{"amount":500}}', 400],
      [JSON.stringify(request({ narration: 'x'.repeat(70_000) })), 413],
    ] as const) {
      const answer = await merchant.initiate(body)
      expect(answer.status).toBe(status)
      expect(await answer.json()).toEqual({
        status_code: 172,
        status_description: expect.any(String),
        message: expect.any(String),
      })
    }
  })

  it('is refused when it is not UTF-8 or not JSON', async () => {
    const merchant = await openMerchant()
    const headers = { 'x-access-token': merchant.token(), 'content-type': 'application/json' }
    const send = (init: RequestInit) =>
      merchant.sandbox.app.request('/v2/checkout/initiate', { method: 'POST', ...init })
    expect((await send({ headers, body: new Uint8Array([0xff, 0xfe]) })).status).toBe(400)
    expect((await send({ headers: { ...headers, 'content-type': 'text/xml' }, body: '<a/>' })).status).toBe(
      415,
    )
    expect((await send({ headers })).status).toBe(400)
  })

  it('is limited in size without a Content-Length, too', async () => {
    const merchant = await openMerchant()
    const chunk = new TextEncoder().encode(' '.repeat(1_000))
    const endless = new ReadableStream({ pull: (controller) => controller.enqueue(chunk) })
    const init = {
      method: 'POST',
      headers: { 'x-access-token': merchant.token(), 'content-type': 'application/json' },
      body: endless,
      duplex: 'half',
    }
    expect((await merchant.sandbox.app.request('/v2/checkout/initiate', init)).status).toBe(413)
  })

  it('an unknown path is refused with the checkout error object', async () => {
    const merchant = await openMerchant()
    const answer = await merchant.get('/v3/anything')
    expect(answer.status).toBe(404)
    expect(await answer.json()).toMatchObject({ status_code: 174, message: 'There is no GET /v3/anything.' })
  })
})

describe('the status', () => {
  it('of an unknown id is 404 and names the id', async () => {
    const merchant = await openMerchant()
    const answer = await merchant.get('/v2/checkout/status/gone', { 'x-access-token': merchant.token() })
    expect(answer.status).toBe(404)
    expect(await answer.json()).toEqual({
      status_code: 120,
      status_description: 'Transaction not found',
      message: 'No transaction has the merchant_transaction_id "gone".',
    })
  })

  it('finds ids with characters that a URL escapes', async () => {
    const merchant = await openMerchant()
    const id = 'a/b c?d#é%25'
    await merchant.begin({ merchant_transaction_id: id })
    expect((await merchant.status(encodeURIComponent(id))).merchant_transaction_id).toBe(id)
  })

  it('is 803 before the first attempt, and 820 after the expiry', async () => {
    const merchant = await openMerchant()
    const { checkout_reference } = await merchant.begin()
    const unpaid = {
      amount: '0',
      checkout_reference,
      currency: 'KES',
      merchant_transaction_id: 'order-1',
      narration: 'Two kangas',
      payments: [],
      status: 803,
      timestamp: '2026-11-21T09:00:00.000Z',
    }
    expect(await merchant.status()).toEqual(unpaid)
    await merchant.later(30 * MINUTE - 1)
    expect(await merchant.status()).toEqual(unpaid)
    await merchant.later(1)
    expect(await merchant.status()).toEqual({
      ...unpaid,
      status: 820,
      timestamp: '2026-11-21T09:30:00.000Z',
    })
    expect(merchant.callbacks).toEqual([])
  })
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
