import { describe, expect, test } from 'vitest'

import { SHOP } from '../../support/worlds/environment.ts'
import { createLimitedShop } from '../../support/worlds/limited-shop.ts'
import { REQUEST, shopWithOrder } from '../../support/worlds/shop-with-order.ts'

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
  // The `fetch` of a page may add credentials. No answer depends on them.
  'access-control-allow-credentials': 'true',
  'access-control-expose-headers': 'ETag,Retry-After',
}

const ANY = { ...SECURE, 'access-control-allow-origin': '*' }
const MISSING = { ...ANY, 'cross-origin-resource-policy': 'cross-origin' }
const OWN = { ...SECURE, ...READABLE }

describe('the headers', () => {
  test.each<[string, path: string, status: number, expected: object, sent?: Record<string, string>]>([
    ['a status', '/checkout/status/ID', 200, OWN],
    ['an unchanged status', '/checkout/status/ID', 304, OWN, { 'if-none-match': '"2.page", "3.page"' }],
    ['a stream', '/checkout/status/ID/stream', 200, OWN],
    ['an unknown checkout', '/checkout/status/none', 404, OWN],
    ['the stream of an unknown checkout', '/checkout/status/none/stream', 404, OWN],
    ['a path below /checkout that has no route', '/checkout/none', 404, OWN],
    ['a status for another origin', '/checkout/status/ID', 200, SECURE, { origin: 'https://evil.example' }],
    ['the state of the server', '/health/live', 200, SECURE],
    ['no path', '/nowhere', 404, SECURE],
    ["the widget's files", '/gateway-checkout.js', 200, ANY],
    ['a missing file', '/gateway-checkout/none.js', 404, MISSING],
    ['a missing module', '/gateway-checkout.mjs', 404, MISSING],
    ['a file at another path', '/pay/gateway-checkout.js', 404, MISSING],
    ['a stream at another path', '/pay/checkout/status/ID/stream', 404, MISSING],
  ])(
    'the headers of %s protect it, and let those pages read it that may: %s',
    async (_, path, status, expected, sent) => {
      const { shop } = await shopWithOrder()
      const { checkout_id } = await shop.start('A-1')
      const answer = await shop.ask(path.replace('ID', checkout_id), { headers: { origin: SHOP, ...sent } })
      await answer.body?.cancel()
      const headers = Object.fromEntries(answer.headers)
      expect({ status: answer.status, headers }).toMatchObject({ status, headers: expected })
      if (expected === SECURE) {
        expect(headers).not.toHaveProperty('access-control-allow-origin')
        expect(headers).not.toHaveProperty('access-control-allow-credentials')
      }
    },
  )

  test.each([
    [SHOP, { 'access-control-allow-origin': SHOP, 'access-control-allow-credentials': 'true' }],
    ['https://evil.example', { 'access-control-allow-origin': null }],
  ])(
    'the headers of a preflight let the `fetch` of an allowed page add its own: %s',
    async (origin, expected) => {
      const { app } = createLimitedShop()
      const asked = {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'x-shop',
      }
      const { headers } = await app.request('/checkout/initiate', { method: 'OPTIONS', headers: asked })
      for (const [name, value] of Object.entries(expected)) {
        expect(headers.get(name)).toBe(value)
      }
    },
  )

  test('the headers do not speak for the host of the shop where PUBLIC_URL has a path', async () => {
    const { app } = createLimitedShop({ PUBLIC_URL: 'https://shop.example/pay' })
    for (const path of ['/health/live', '/gateway-checkout.js', '/checkout/status/x', '/none', '/pay/docs']) {
      const { headers } = await app.request(path)
      expect({
        'strict-transport-security': headers.get('strict-transport-security'),
        'x-content-type-options': headers.get('x-content-type-options'),
      }).toEqual({ 'strict-transport-security': null, 'x-content-type-options': 'nosniff' })
    }
  })

  test.each([
    ['a new checkout', 'application/json', REQUEST, 201, OWN],
    ['a refused checkout', 'application/json', {}, 422, OWN],
    ['a redirect to the hosted page', 'text/html', REQUEST, 303, SECURE],
  ])('the headers of %s protect it, too', async (_, accept, fields, status, headers) => {
    const { post } = await shopWithOrder()
    const answer = await post(new URLSearchParams(fields).toString(), FORM, { accept })
    expect({ status: answer.status, fromEntries: Object.fromEntries(answer.headers) }).toMatchObject({
      status,
      fromEntries: headers,
    })
  })

  test.each(['text/html', '*/*', 'text/html,application/xhtml+xml'])(
    'the headers of an answer to JSON are those of JSON, with Accept: %s',
    async (accept) => {
      const { post } = await shopWithOrder()
      for (const [fields, status] of [[REQUEST, 201] as const, [{}, 422] as const]) {
        const type = 'Application/JSON; charset=utf-8'
        const answer = await post(JSON.stringify(fields), type, { accept })
        expect({ status: answer.status, 'content-type': answer.headers.get('content-type') }).toEqual({
          status,
          'content-type': expect.stringContaining('json'),
        })
        expect(await answer.json()).toMatchObject(status === 201 ? { order: 'A-1' } : { status })
      }
    },
  )
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
  expect({ status: known.status, text: await known.text() }).toEqual({ status: 304, text: '' })
})
