import { describe, expect, it } from 'vitest'
import { HOUR, MINUTE, openMerchant, request } from './merchant.ts'

describe('a token', () => {
  it('is given for JSON credentials and for a form', async () => {
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

  it('is refused to wrong credentials with 401 and to malformed ones with 400', async () => {
    const merchant = await openMerchant()
    const wrong = await merchant.post('/v1/auth', { consumer_key: 'sandbox-key', consumer_secret: 'guess' })
    expect(wrong.status).toBe(401)
    expect(await wrong.json()).toEqual({
      statusCode: 401,
      message: 'Invalid Authentication Credentials',
      error: 'Unauthorized',
    })
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

  it('opens the door for an hour and no longer', async () => {
    const merchant = await openMerchant()
    await merchant.later(HOUR - 1)
    expect((await merchant.initiate(request())).status).toBe(200)
    await merchant.later(1)
    const late = await merchant.initiate(request())
    expect(late.status).toBe(401)
    expect(await late.json()).toMatchObject({ status_code: 132, message: expect.stringContaining('expired') })
  })

  it('is asked for on every checkout call', async () => {
    const merchant = await openMerchant()
    for (const headers of [{}, { 'x-access-token': '' }, { 'x-access-token': 'made-up' }]) {
      for (const answer of [
        await merchant.post('/v2/checkout/initiate', request(), headers),
        await merchant.get('/v2/checkout/status/order-1', headers),
      ]) {
        expect(answer.status).toBe(401)
        expect(await answer.json()).toMatchObject({ status_code: 132 })
      }
    }
  })
})

describe('initiate', () => {
  it('answers with the session of the spec', async () => {
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

  it('takes the currency from the service and the page from publicUrl', async () => {
    const merchant = await openMerchant({ publicUrl: 'https://gateway.example/' })
    const session = await merchant.begin({ service_code: 'CHECKOUT-UGX' })
    expect(session.currency).toBe('UGX')
    expect(session.redirect_url).toBe(`https://gateway.example/pay/${session.checkout_reference}`)
  })

  it('takes numbers as text, and phone numbers as people write them', async () => {
    const merchant = await openMerchant()
    const session = await merchant.begin({
      amount: '500',
      expires_in: '30',
      payer_msisdn: '+254 700-000-001',
    })
    expect(session.amount).toBe(500)
    expect(await merchant.begin()).toEqual(session)
  })

  it('gives the same session to the same request, and refuses another one under the same id', async () => {
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

  const LIMITS = {
    merchant_transaction_id: 64,
    payer_name: 100,
    payer_email: 100,
    payer_msisdn: 25,
    service_code: 32,
    account_number: 50,
    narration: 255,
    callback_url: 500,
    redirect_url: 500,
  }
  const FIELDS = [...Object.keys(LIMITS), 'amount', 'expires_in']

  it.each(FIELDS)('names %s when it is missing or blank', async (field) => {
    const merchant = await openMerchant()
    const code = field === 'payer_msisdn' ? 109 : field === 'account_number' ? 120 : 172
    for (const value of [undefined, null, '', '   ']) {
      const answer = await merchant.initiate(request({ [field]: value }))
      expect(answer.status).toBe(400)
      const error = await answer.json()
      expect(error.status_code).toBe(code)
      expect(error.message).toContain(field)
    }
  })

  it.each(Object.entries(LIMITS))('refuses a %s longer than %i characters', async (field, limit) => {
    const merchant = await openMerchant()
    const answer = await merchant.initiate(request({ [field]: `https://a@b/${'7'.repeat(limit)}` }))
    expect(answer.status).toBe(400)
    expect((await answer.json()).message).toContain(`${field} must be at most ${limit} characters`)
  })

  it.each([
    [{ payer_msisdn: '0700000001' }, 110, 'payer_msisdn'],
    [{ payer_msisdn: 'nobody' }, 110, 'payer_msisdn'],
    [{ payer_email: 'asha' }, 172, 'payer_email'],
    [{ amount: 0 }, 172, 'amount'],
    [{ amount: 1.5 }, 172, 'amount'],
    [{ amount: 'ten' }, 172, 'amount'],
    [{ amount: 1e300 }, 172, 'amount'],
    [{ expires_in: 0 }, 172, 'expires_in'],
    [{ expires_in: 9007199254740991 }, 172, 'expires_in'],
    [{ account_number: 'ACC-002' }, 172, 'account_number'],
    [{ callback_url: 'http://shop.example/callback' }, 172, 'callback_url must be HTTPS'],
    [{ callback_url: 'ftp://127.0.0.1/' }, 172, 'callback_url'],
    [{ callback_url: '/callback' }, 172, 'callback_url'],
    [{ redirect_url: 'javascript:alert(1)' }, 172, 'redirect_url'],
  ])('refuses %j', async (fields, code, named) => {
    const merchant = await openMerchant()
    const answer = await merchant.initiate(request(fields))
    expect(answer.status).toBe(400)
    const error = await answer.json()
    expect(error.status_code).toBe(code)
    expect(error.message).toContain(named)
  })

  it('calls an unknown service code by its name', async () => {
    const merchant = await openMerchant()
    const answer = await merchant.initiate(request({ service_code: 'PAYOUT-KES' }))
    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({
      status_code: 172,
      status_description: 'Invalid Service Code',
      message: expect.stringContaining('PAYOUT-KES'),
    })
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

describe('hostile bodies', () => {
  const deep = `{"amount":${'['.repeat(20_000)}${']'.repeat(20_000)}}`
  it.each([
    ['nothing', '', 400],
    ['half of JSON', '{"amount":', 400],
    ['a list', '[]', 400],
    ['a number', '7', 400],
    ['null', 'null', 400],
    ['deep nesting', deep, 400],
    ['__proto__', '{"__proto__":{"amount":500}}', 400],
    ['too many bytes', JSON.stringify(request({ narration: 'x'.repeat(70_000) })), 413],
  ])('%s is refused in the shape of the spec', async (_, body, status) => {
    const merchant = await openMerchant()
    const answer = await merchant.initiate(body)
    expect(answer.status).toBe(status)
    expect(await answer.json()).toEqual({
      status_code: 172,
      status_description: expect.any(String),
      message: expect.any(String),
    })
  })

  it('is refused when it is no UTF-8 or of another type', async () => {
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

  it('counts bytes that were never announced', async () => {
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

  it('an address that does not exist is refused in the same shape', async () => {
    const merchant = await openMerchant()
    const answer = await merchant.get('/v3/anything')
    expect(answer.status).toBe(404)
    expect(await answer.json()).toMatchObject({ status_code: 174, message: 'There is no GET /v3/anything.' })
  })
})

describe('status', () => {
  it('names an unknown reference', async () => {
    const merchant = await openMerchant()
    const answer = await merchant.get('/v2/checkout/status/gone', { 'x-access-token': merchant.token() })
    expect(answer.status).toBe(404)
    expect(await answer.json()).toEqual({
      status_code: 120,
      status_description: 'Transaction not found',
      message: 'No transaction has the merchant_transaction_id "gone".',
    })
  })

  it('finds ids with characters that an address must escape', async () => {
    const merchant = await openMerchant()
    const id = 'a/b c?d#é%25'
    await merchant.begin({ merchant_transaction_id: id })
    expect((await merchant.status(encodeURIComponent(id))).merchant_transaction_id).toBe(id)
  })

  it('is 803 before anybody tried, and 820 once the session has expired', async () => {
    const merchant = await openMerchant()
    const { checkout_reference } = await merchant.begin()
    const untried = {
      amount: '0',
      checkout_reference,
      currency: 'KES',
      merchant_transaction_id: 'order-1',
      narration: 'Two kangas',
      payments: [],
      status: 803,
      timestamp: '2026-11-21T09:00:00.000Z',
    }
    expect(await merchant.status()).toEqual(untried)
    await merchant.later(30 * MINUTE - 1)
    expect(await merchant.status()).toEqual(untried)
    await merchant.later(1)
    expect(await merchant.status()).toEqual({
      ...untried,
      status: 820,
      timestamp: '2026-11-21T09:30:00.000Z',
    })
    expect(merchant.callbacks).toEqual([])
  })
})

it('gives the same bytes for the same seed and the same requests', async () => {
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
