import { describe, expect, test } from 'vitest'
import { createLimitedShop } from '../support/limited-shop.ts'
import { REQUEST, shopWithOrder } from '../support/shop-with-order.ts'
import { SHOP } from '../support/world.ts'

const FORM = 'application/x-www-form-urlencoded'
const SECURE = {
  'origin-agent-cluster': '?1',
  'referrer-policy': 'no-referrer',
  'strict-transport-security': 'max-age=15552000',
  'x-content-type-options': 'nosniff',
  'x-dns-prefetch-control': 'off',
  'x-download-options': 'noopen',
  'x-frame-options': 'DENY',
  'x-permitted-cross-domain-policies': 'none',
  'x-xss-protection': '0',
}
const READABLE = {
  vary: 'Origin',
  'access-control-allow-origin': SHOP,
  'access-control-expose-headers': 'ETag,Retry-After',
}

describe('the headers', () => {
  test.each([
    ['a status', '/checkout/status/ID', 200, ''],
    ['an unchanged status', '/checkout/status/ID', 304, '"2.page", "3.page"'],
    ['a stream', '/checkout/status/ID/stream', 200, ''],
    ['an unknown checkout', '/checkout/status/none', 404, ''],
    ['the stream of an unknown checkout', '/checkout/status/none/stream', 404, ''],
    ['a path below /checkout that has no route', '/checkout/none', 404, ''],
  ])('of %s protect it and let pages of the shop read it', async (_, path, status, known) => {
    const { shop } = await shopWithOrder()
    const { checkout_id } = await shop.start('A-1')
    const headers = { origin: SHOP, 'if-none-match': known }
    const answer = await shop.ask(path.replace('ID', checkout_id), { headers })
    await answer.body?.cancel()
    expect([answer.status, Object.fromEntries(answer.headers)]).toMatchObject([
      status,
      { ...SECURE, ...READABLE },
    ])
  })

  test('do not speak for the host of the shop where PUBLIC_URL has a path', async () => {
    const { app } = createLimitedShop({ PUBLIC_URL: 'https://shop.example/pay' })
    for (const path of ['/health/live', '/gateway-checkout.js', '/checkout/status/x', '/none', '/pay/docs']) {
      const { headers } = await app.request(path)
      expect([headers.get('strict-transport-security'), headers.get('x-content-type-options')]).toEqual([
        null,
        'nosniff',
      ])
    }
  })

  test.each([
    ['a new checkout', 'application/json', REQUEST, 201, { ...SECURE, ...READABLE }],
    ['a refused checkout', 'application/json', {}, 422, { ...SECURE, ...READABLE }],
    ['a redirect to the hosted page', 'text/html', REQUEST, 303, SECURE],
  ])('of %s, too', async (_, accept, fields, status, headers) => {
    const { post } = await shopWithOrder()
    const answer = await post(new URLSearchParams(fields).toString(), FORM, { origin: SHOP, accept })
    expect([answer.status, Object.fromEntries(answer.headers)]).toMatchObject([status, headers])
  })

  test.each(['text/html', '*/*', 'text/html,application/xhtml+xml'])(
    'of an answer to JSON are those of JSON, with Accept: %s',
    async (accept) => {
      const { post } = await shopWithOrder()
      for (const [fields, status] of [[REQUEST, 201] as const, [{}, 422] as const]) {
        const answer = await post(JSON.stringify(fields), 'Application/JSON; charset=utf-8', {
          origin: SHOP,
          accept,
        })
        expect([answer.status, answer.headers.get('content-type')]).toEqual([
          status,
          expect.stringContaining('json'),
        ])
        expect(await answer.json()).toMatchObject(status === 201 ? { order: 'A-1' } : { status })
      }
    },
  )

  test('of a page of another origin do not let it read a status', async () => {
    const { shop } = await shopWithOrder()
    const { checkout_id } = await shop.start('A-1')
    const answer = await shop.ask(`/checkout/status/${checkout_id}`, {
      headers: { origin: 'https://evil.example' },
    })
    const headers = Object.fromEntries(answer.headers)
    expect(headers).toMatchObject(SECURE)
    expect(headers).not.toHaveProperty('access-control-allow-origin')
  })

  test.each(['/health/live', '/nowhere'])('of %s let no other origin read it', async (path) => {
    const { shop } = await shopWithOrder()
    const headers = Object.fromEntries((await shop.ask(path)).headers)
    expect(headers).toMatchObject(SECURE)
    expect(headers).not.toHaveProperty('access-control-allow-origin')
  })

  test("of the widget's files let any page load them, and protect them", async () => {
    const { shop } = await shopWithOrder()
    const script = await shop.ask('/gateway-checkout.js')
    expect([script.status, Object.fromEntries(script.headers)]).toMatchObject([
      200,
      { ...SECURE, 'access-control-allow-origin': '*' },
    ])
  })

  test.each([
    '/gateway-checkout/none.js',
    '/gateway-checkout.mjs',
    '/pay/gateway-checkout.js',
    '/pay/checkout/initiate',
    '/pay/checkout/status/ID/stream',
  ])('of the missing %s let any page read that it is missing', async (path) => {
    const { shop } = await shopWithOrder()
    for (const method of path.endsWith('initiate') ? ['POST'] : ['GET', 'HEAD']) {
      const answer = await shop.ask(path, { method })
      expect([method, answer.status, Object.fromEntries(answer.headers)]).toMatchObject([
        method,
        404,
        { ...SECURE, 'access-control-allow-origin': '*', 'cross-origin-resource-policy': 'cross-origin' },
      ])
    }
  })
})

test.each(['/openapi.json', '/docs'])('%s is rendered once, and browsers keep it', async (path) => {
  const { app } = createLimitedShop()
  const first = await app.request(path)
  const again = await app.request(path)
  const etag = first.headers.get('etag') ?? ''
  expect(etag).toMatch(/^".{20,}"$/)
  expect(await again.text()).toBe(await first.text())
  expect(Object.fromEntries(again.headers)).toEqual(Object.fromEntries(first.headers))
  expect(first.headers.get('cache-control')).toBe('public, max-age=300')
  const known = await app.request(path, { headers: { 'if-none-match': `W/${etag}` } })
  expect([known.status, await known.text()]).toEqual([304, ''])
})
