import { describe, expect, test } from 'vitest'

import { SHOP } from '../../support/worlds/environment.ts'
import { JSON_TYPE, REQUEST, shopWithOrder } from '../../support/worlds/shop-with-order.ts'
import { formOf } from '../../support/worlds/world.ts'

const FORM = 'application/x-www-form-urlencoded'

describe('an address', () => {
  test.each([
    ['GET', '/checkout/initiate'],
    ['PUT', '/checkout/initiate'],
    ['PUT', '/callbacks/checkout/x'],
    ['GET', '/%E0%A4%A'],
    ['GET', '/checkout/../config'],
    ['GET', '/gateway-checkout/..%2f..%2fpackage.json'],
    ['GET', '/gateway-checkout/none.js'],
  ])('%s %s, which is no address, is answered with a problem document', async (method, path) => {
    const { shop } = await shopWithOrder()
    const answer = await shop.ask(path, { method })
    expect({ status: answer.status, 'content-type': answer.headers.get('content-type') }).toEqual({
      status: 404,
      'content-type': 'application/problem+json',
    })
    expect(await answer.json()).toMatchObject({ code: 'not_found', retryable: false })
  })

  test('an address is the same with a slash at its end', async () => {
    const { shop } = await shopWithOrder()
    const { checkout_id } = await shop.start('A-1')
    const paths = [
      '/docs',
      '/openapi.json',
      '/health/ready',
      '/gateway-checkout.js',
      '/pay/A-1',
      '/api/events',
    ]
    for (const path of [
      ...paths,
      `/checkout/status/${checkout_id}`,
      `/checkout/status/${checkout_id}/stream`,
    ]) {
      const [plain, slashed] = await Promise.all([shop.ask(path), shop.ask(`${path}/`)])
      await Promise.all([plain.body?.cancel(), slashed.body?.cancel()])
      expect({ path, status: slashed.status }).toEqual({ path, status: plain.status })
      expect(plain.status).not.toBe(404)
    }

    const started = await shop.ask('/checkout/initiate/', formOf('A-1', {}, { origin: SHOP }))
    expect(started.status).toBe(200)
  })

  test('the address of a checkout that nobody has is unknown, and so is one by its reference', async () => {
    const { shop } = await shopWithOrder()
    const { merchant_transaction_id } = await shop.start('A-1')
    const ids = ['unknown', '__proto__', '%00', '%E0%A4%A', "'--", 'x'.repeat(8_000), '%F0%9F%92%B3']
    for (const id of [...ids, merchant_transaction_id]) {
      for (const path of [`/checkout/status/${id}`, `/checkout/status/${id}/stream`]) {
        const answer = await shop.ask(path)
        expect({ path, status: answer.status, code: (await answer.json()).code }).toEqual({
          path,
          status: 404,
          code: 'unknown_checkout',
        })
      }
    }
  })
})

const json = JSON.stringify(REQUEST)

test.each([
  ['the shop', SHOP, 201],
  ['no browser', '', 201],
  ['the server itself', 'http://127.0.0.1:4020', 201],
  ['another shop', 'https://evil.example', 403],
  ['a page without one', 'null', 403],
  ['one that begins alike', `${SHOP}.evil.example`, 403],
  ['the shop without TLS', 'http://shop.example', 403],
  ['the shop on another port', `${SHOP}:8443`, 403],
  ['nonsense', ' ', 403],
])('an origin of %s', async (_, origin, status) => {
  const { post } = await shopWithOrder()
  const answer = await post(json, JSON_TYPE, { origin })
  expect(answer.status).toBe(status)
  if (status === 403) {
    expect(await answer.json()).toMatchObject({ code: 'origin_not_allowed' })
    expect(answer.headers.get('access-control-allow-origin')).toBeNull()
  }
})

describe('a field of initiate', () => {
  test('a national number is completed for the country, and sent in Latin digits', async () => {
    const { shop, post } = await shopWithOrder()
    const answer = await post(JSON.stringify({ ...REQUEST, payer_msisdn: '٠٧٠٠ ٠٠٠ ٠٠١', country: 'ug' }))
    expect(answer.status).toBe(201)
    expect(shop.gatewayBodies().at(-1)).toContain('"256700000001"')
  })

  test.each<[string, unknown, string]>([
    ['order', undefined, 'is required'],
    ['order', '', 'must not be blank'],
    ['order', 'x'.repeat(4_001), 'must be at most 4000 characters'],
    ['payer_name', 'x'.repeat(101), 'must be at most 100 characters'],
    ['payer_name', '\u200b', 'is required'],
    ...[
      '=HYPERLINK("http://evil.example","Receipt")',
      "@SUM(1+1)*cmd|' /C calc'!A0",
      '\u200d=1+1',
      '\u2060+1',
      '\t-1',
      '\uff1d1+1',
      '\u22121',
      'Pay again at https://evil.example/pay',
      'Pay again at WWW.evil.example',
      'http\u200b:\uff0f/evil.example',
    ].map((name): [string, string, string] => [
      'payer_name',
      name,
      'must be a name: without a link, and not beginning with =, +, - or @',
    ]),
    ['payer_email', 'asha', 'must be an e-mail address'],
    ['payer_email', 'mailto:asha@example.com', 'must be an e-mail address'],
    ['payer_email', '<asha@example.com>', 'must be an e-mail address'],
    ['payer_msisdn', undefined, 'is required'],
    ['payer_msisdn', '12', 'must be a phone number with its country code'],
    ['payer_msisdn', '+25670000000', 'must have as many digits as the phone numbers of its country'],
    ['launch', 'iframe', 'must be redirect or popup'],
    ['lang', 'x'.repeat(36), 'must be at most 35 characters'],
    ['return_url', `${SHOP}/${'x'.repeat(2_000)}`, 'must be at most 2000 characters'],
  ])('the field %s of %j is refused, as JSON and as a form: %s', async (field, value, rule) => {
    const { shop, post } = await shopWithOrder()
    const { [field]: _, ...others }: Record<string, string> = REQUEST
    const form = new URLSearchParams({ ...others, ...(typeof value === 'string' && { [field]: value }) })
    for (const answer of [
      await post(JSON.stringify({ ...others, [field]: value })),
      await post(form.toString(), FORM),
    ]) {
      const problem = await answer.json()
      expect(answer.headers.get('content-type')).toBe('application/problem+json')
      expect(answer.headers.get('access-control-allow-origin')).toBe(SHOP)
      expect(problem).toMatchObject({ code: 'invalid_request', retryable: false, status: 422 })
      expect(problem.errors).toEqual([{ path: field, message: rule }])
    }

    expect(shop.gatewayRequests()).toEqual([])
  })

  test.each([
    ['paymentMethodCode', 'payment_method_code'],
    ['return-url', 'return_url'],
    ['payer_mssidn', 'payer_msisdn'],
    ['Method', 'method'],
  ])('the misspelt field %s is refused by its name, as JSON and as a form', async (field, meant) => {
    const { shop, post } = await shopWithOrder()
    const { [meant]: _, ...others }: Record<string, string> = REQUEST
    const fields = { ...others, [field]: 'prompt' }
    const path = field.includes('-') ? `["${field}"]` : field
    for (const answer of [
      await post(JSON.stringify(fields)),
      await post(new URLSearchParams(fields).toString(), FORM),
    ]) {
      const { status, errors } = await answer.json()
      const message = `is not known here: did you mean ${meant}`
      expect({ status, errors }).toEqual({ status: 422, errors: [{ path, message }] })
    }

    expect(shop.gatewayRequests()).toEqual([])
  })

  const OF_A_SHOP = {
    authenticity_token: 'x',
    csrfmiddlewaretoken: 'x',
    _csrf: 'x',
    _method: 'post',
    commit: 'Pay',
    county: 'Mombasa',
    payment_method: 'mobile',
    lunch: 'no',
    land: 'KE',
    phone: '0700000001',
  }

  test('a field of a form of a shop is ignored if it is none of ours', async () => {
    const { post } = await shopWithOrder()
    const form = new URLSearchParams({ ...REQUEST, ...OF_A_SHOP })
    expect((await post(form.toString(), FORM)).status).toBe(201)
  })

  test.each(Object.entries(OF_A_SHOP))(
    'a field that is none of ours is refused in JSON: %s',
    async (path, value) => {
      const { post } = await shopWithOrder()
      const { errors } = await (await post(JSON.stringify({ ...REQUEST, [path]: value }))).json()
      expect(errors).toEqual([{ path, message: expect.stringMatching(/^is not known here: /) }])
    },
  )

  test.each<[field: string, typed: string, sent: string]>([
    ['payer_msisdn', '+254 0700 009 000', '254700009000'],
    ['payer_email', '\u202aas\u00adha@example.com\u200b\u202c', 'asha@example.com'],
    ['payer_name', 'Asha\r\nBcc: all@evil.example', 'Asha Bcc: all@evil.example'],
    ['payer_name', '💳'.repeat(100), '💳'.repeat(100)],
    ['payer_name', 'Booking.com', 'Booking.com'],
    ['payer_name', "N'Golo Kanté-Ünal (a+b=c)", "N'Golo Kanté-Ünal (a+b=c)"],
  ])('the field %s of %j is sent as %j, for the hosted page and for a prompt', async (field, typed, sent) => {
    const { shop, post } = await shopWithOrder({ env: { GATEWAY_CHARGE_METHODS: 'MOMO_KEN' } })
    shop.order('A-2', '500')
    for (const start of [{}, { order: 'A-2', method: 'prompt' }]) {
      const answer = await post(JSON.stringify({ ...REQUEST, [field]: typed, ...start }))
      expect([answer.status, JSON.parse(shop.gatewayBodies().at(-1) ?? '')]).toMatchObject([
        201,
        { [field]: sent },
      ])
    }
  })
})

test.each([
  ['Booking.com', 'Booking.com'],
  ['=Acme', 'Acme'],
  ['@www.acme.example', 'acme.example'],
  ['http://acme.example', 'http acme.example'],
  ['-\u200d=+Asha  Otieno', 'Asha Otieno'],
])('the name %j in an order is sent as %j', async (name, sent) => {
  const { shop, post } = await shopWithOrder()
  shop.order('A-2', '500', { payer: { name, email: REQUEST.payer_email, msisdn: REQUEST.payer_msisdn } })
  const answer = await post(JSON.stringify({ order: 'A-2' }))
  expect([answer.status, JSON.parse(shop.gatewayBodies().at(-1) ?? '')]).toMatchObject([
    201,
    { payer_name: sent },
  ])
})

test('a name in an order of which nothing is left is asked for, and keeps no other detail from being used', async () => {
  const { shop, post } = await shopWithOrder()
  shop.order('A-2', '500', {
    payer: { name: '=@', email: REQUEST.payer_email, msisdn: REQUEST.payer_msisdn },
  })
  const answer = await post(JSON.stringify({ order: 'A-2' }))
  expect({ status: answer.status, errors: (await answer.json()).errors }).toMatchObject({
    status: 422,
    errors: [{ path: 'payer_name' }],
  })
  const typed = await post(JSON.stringify({ order: 'A-2', payer_name: 'Asha Otieno' }))
  expect(typed.status).toBe(201)
})

test("a form may repeat the fields of a shop's own", async () => {
  const { post } = await shopWithOrder()
  const form = `${new URLSearchParams(REQUEST)}&colour%5B%5D=red&colour%5B%5D=green`
  expect((await post(form, FORM)).status).toBe(201)
})

test.each<[string, BodyInit, string | null, number]>([
  ['broken', '{"order": "A-1"', JSON_TYPE, 422],
  ['an array', '[]', JSON_TYPE, 422],
  ['not UTF-8', new Uint8Array([0xff, 0xfe, 0x00]), JSON_TYPE, 422],
  ['nested deeply', '['.repeat(15_000) + ']'.repeat(15_000), JSON_TYPE, 422],
  ['nested too deeply to be whole', '{"a":'.repeat(6_000), JSON_TYPE, 422],
  ['of another type', JSON.stringify(REQUEST), 'text/plain', 422],
  ['too large', JSON.stringify({ ...REQUEST, payer_name: 'x'.repeat(1_000_000) }), JSON_TYPE, 413],
  ['too large a form', `order=A-1&x=${'x'.repeat(1_000_000)}`, FORM, 413],
  ['prototypes', '{"__proto__":{"order":"A-1"},"constructor":{"prototype":{"order":"A-1"}}}', JSON_TYPE, 422],
  ['a form with an order twice', `${new URLSearchParams(REQUEST)}&order=A-2`, FORM, 422],
  ['a form of a prototype', '__proto__[order]=A-1&__proto__=A-1', FORM, 422],
])('a body that is %s is refused with a problem document', async (_, body, type, status) => {
  const { shop, post } = await shopWithOrder()
  const answer = await post(body, type)
  expect({ status: answer.status, 'content-type': answer.headers.get('content-type') }).toEqual({
    status,
    'content-type': 'application/problem+json',
  })
  expect((await answer.json()).detail).toMatch(/^.{10,}\.$/)
  expect(await shop.rows()).toEqual([])
  expect({}).not.toHaveProperty('order')
})
