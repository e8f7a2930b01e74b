import { describe, expect, test } from 'vitest'
import { JSON_TYPE, REQUEST, shopWithOrder } from '../support/shop-with-order.ts'
import { SHOP } from '../support/world.ts'

const FORM = 'application/x-www-form-urlencoded'

/** Asks in JSON and as a form; both have to be answered alike. */
async function refused(fields: Record<string, unknown>) {
  const { shop, post } = await shopWithOrder()
  const body = { ...REQUEST, ...fields }
  const asForm = Object.entries(body).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value]] : [],
  )
  const answers = [await post(JSON.stringify(body)), await post(new URLSearchParams(asForm).toString(), FORM)]
  expect(shop.gatewayRequests()).toEqual([])
  return Promise.all(answers.map(async (answer) => ({ answer, problem: await answer.json() })))
}

describe('a field of initiate', () => {
  test.each([
    ['UG', '256700000001'],
    ['ug', '256700000001'],
    ['XX', '254700000001'],
    ['', '254700000001'],
  ])('a national number in country %j is sent as %s', async (country, complete) => {
    const { shop, post } = await shopWithOrder()
    const answer = await post(JSON.stringify({ ...REQUEST, payer_msisdn: '0700 000 001', country }))
    expect(answer.status).toBe(201)
    expect(shop.gatewayBodies().at(-1)).toContain(`"${complete}"`)
  })

  test.each<[string, unknown, string]>([
    ['order', undefined, 'is required'],
    ['order', '', 'must not be blank'],
    ['order', '   ', 'must not be blank'],
    ['order', 'x'.repeat(4_001), 'must be at most 4000 characters'],
    ['payer_name', undefined, 'is required'],
    ['payer_name', '', 'is required'],
    ['payer_name', 'x'.repeat(101), 'must be at most 100 characters'],
    ['payer_email', undefined, 'is required'],
    ['payer_email', 'asha', 'must be an e-mail address'],
    ['payer_email', `${'x'.repeat(95)}@a.com`, 'must be at most 100 characters'],
    ['payer_msisdn', undefined, 'is required'],
    ['payer_msisdn', '12', 'must be a phone number with its country code'],
    ['payer_msisdn', 'not a number', 'must be a phone number with its country code'],
    ['payer_msisdn', '1'.repeat(26), 'must be at most 25 characters'],
    ['launch', 'iframe', 'must be redirect or popup'],
    ['lang', 'x'.repeat(36), 'must be at most 35 characters'],
    ['return_url', `${SHOP}/${'x'.repeat(2_000)}`, 'must be at most 2000 characters'],
  ])('%s of %j: %s', async (field, value, rule) => {
    for (const { answer, problem } of await refused({ [field]: value })) {
      expect(answer.status).toBe(422)
      expect(answer.headers.get('content-type')).toBe('application/problem+json')
      expect(answer.headers.get('access-control-allow-origin')).toBe(SHOP)
      expect(problem).toMatchObject({ code: 'invalid_request', retryable: false, status: 422 })
      expect(problem.errors).toEqual([{ path: field, message: rule }])
    }
  })

  test.each(['order', 'payer_name', 'payer_email', 'payer_msisdn', 'return_url', 'lang'])(
    '%s is text',
    async (field) => {
      const { post } = await shopWithOrder()
      for (const wrong of [7, null, true, {}, ['A-1']]) {
        const answer = await post(JSON.stringify({ ...REQUEST, [field]: wrong }))
        expect([answer.status, (await answer.json()).errors]).toEqual([
          422,
          [{ path: field, message: 'must be text' }],
        ])
      }
    },
  )

  test('that the merchant knows already need not be sent', async () => {
    const { shop, post } = await shopWithOrder()
    shop.order('A-2', '500', {
      payer: { name: 'Asha Otieno', email: 'asha@example.com', msisdn: '0700000001' },
    })
    expect((await post(JSON.stringify({ order: 'A-2', payer_name: '' }))).status).toBe(201)
  })
})

describe('a body', () => {
  test.each<[string, BodyInit, string | null, number]>([
    ['broken', '{"order": "A-1"', JSON_TYPE, 422],
    ['empty', '', JSON_TYPE, 422],
    ['an array', '[]', JSON_TYPE, 422],
    ['null', 'null', JSON_TYPE, 422],
    ['text', '"A-1"', JSON_TYPE, 422],
    ['not UTF-8', new Uint8Array([0xff, 0xfe, 0x00]), JSON_TYPE, 422],
    ['nested deeply', '['.repeat(15_000) + ']'.repeat(15_000), JSON_TYPE, 422],
    ['nested too deeply to be whole', '{"a":'.repeat(6_000), JSON_TYPE, 422],
    ['without a type', JSON.stringify(REQUEST), null, 422],
    ['of another type', JSON.stringify(REQUEST), 'text/plain', 422],
    ['of many parts', '--x--', 'multipart/form-data; boundary=x', 422],
    ['of a type that is nonsense', JSON.stringify(REQUEST), ';;;', 422],
    ['too large', JSON.stringify({ ...REQUEST, payer_name: 'x'.repeat(1_000_000) }), JSON_TYPE, 413],
    ['too large a form', `order=A-1&x=${'x'.repeat(1_000_000)}`, FORM, 413],
  ])('that is %s is refused with a problem document', async (_, body, type, status) => {
    const { shop, post } = await shopWithOrder()
    const answer = await post(body, type)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([status, 'application/problem+json'])
    expect((await answer.json()).detail).toMatch(/^.{10,}\.$/)
    expect(await shop.rows()).toEqual([])
  })

  test('cannot reach into what every object has', async () => {
    const { post } = await shopWithOrder()
    const body = `{"__proto__":{"order":"A-1","launch":"popup"},"constructor":{"prototype":{"order":"A-1"}}}`
    expect((await post(body)).status).toBe(422)
    expect((await post('__proto__[order]=A-1&__proto__=A-1', FORM)).status).toBe(422)
    expect({}).not.toHaveProperty('order')
  })

  test.each(['__proto__', 'constructor', 'A-1\u0000', '\ud800', "' OR 1=1 --", '../A-1', '💳'])(
    'may name any order, and only a known one is found: %j',
    async (order) => {
      const { post } = await shopWithOrder()
      const answer = await post(JSON.stringify({ ...REQUEST, order }))
      expect([answer.status, (await answer.json()).code]).toEqual([404, 'order_unknown'])
    },
  )

  test('may hold any character in a name', async () => {
    const { shop, post } = await shopWithOrder()
    const payer_name = 'Ashá \u0000 💳 \ud800 <b>"\'--'
    const answer = await post(JSON.stringify({ ...REQUEST, payer_name }))
    expect(answer.status).toBe(201)
    const { checkout_id } = await answer.json()
    expect((await shop.status(checkout_id)).outcome).toBe('waiting')
  })
})

describe('headers', () => {
  test.each([
    ['accept', '\u00ff;;,,'],
    ['accept-language', `${'x'.repeat(5_000)},;q=,-`],
    ['if-none-match', '"'.repeat(500)],
    ['last-event-id', '-1e999'],
    ['content-type', `${JSON_TYPE}; charset=${'x'.repeat(500)}`],
    ['cookie', 'x'.repeat(5_000)],
    ['x-forwarded-for', '127.0.0.1'],
  ])('of nonsense do no harm: %s', async (name, value) => {
    const { shop, post } = await shopWithOrder()
    const begun = await post(JSON.stringify(REQUEST), JSON_TYPE, { [name]: value })
    expect(begun.status).toBeLessThan(400)
    const { checkout_id } = await shop.start('A-1')
    for (const path of [`/checkout/status/${checkout_id}`, `/checkout/return/${checkout_id}`]) {
      expect((await shop.ask(path, { headers: { [name]: value } })).status).toBeLessThan(400)
    }
  })
})
