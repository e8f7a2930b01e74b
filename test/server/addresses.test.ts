import { describe, expect, test } from 'vitest'
import { JSON_TYPE, REQUEST, shopWithOrder } from '../support/shop-with-order.ts'
import { SHOP } from '../support/world.ts'

describe('an address', () => {
  test.each([
    ['GET', '/'],
    ['GET', '/checkout'],
    ['GET', '/checkout/initiate'],
    ['PUT', '/checkout/initiate'],
    ['DELETE', '/checkout/status/x'],
    ['GET', '/callbacks/checkout/x'],
    ['POST', '/callbacks'],
    ['GET', '/%E0%A4%A'],
    ['GET', '/checkout/../config'],
    ['GET', '/gateway-checkout/..%2f..%2fpackage.json'],
    ['GET', '/gateway-checkout/none.js'],
  ])('%s %s that is none is a problem document', async (method, path) => {
    const { shop } = await shopWithOrder()
    const answer = await shop.ask(path, { method })
    expect([answer.status, answer.headers.get('content-type')]).toEqual([404, 'application/problem+json'])
    expect(await answer.json()).toMatchObject({ code: 'not_found', retryable: false })
  })

  test.each(['unknown', '__proto__', '%00', '%E0%A4%A', "'--", 'x'.repeat(8_000), '%F0%9F%92%B3'])(
    'of a checkout that nobody has is unknown: %s',
    async (id) => {
      const { shop } = await shopWithOrder()
      for (const path of [
        `/checkout/status/${id}`,
        `/checkout/status/${id}/stream`,
        `/checkout/return/${id}`,
      ]) {
        const answer = await shop.ask(path)
        expect([path, answer.status, (await answer.json()).code]).toEqual([path, 404, 'unknown_checkout'])
      }
    },
  )

  test('of a checkout is not its reference, which the gateway knows', async () => {
    const { shop } = await shopWithOrder()
    const { merchant_transaction_id } = await shop.start('A-1')
    expect((await shop.ask(`/checkout/status/${merchant_transaction_id}`)).status).toBe(404)
  })
})

describe('an origin', () => {
  const json = JSON.stringify(REQUEST)

  test.each([
    ['the shop', SHOP, 201],
    ['the server itself', 'http://127.0.0.1:4020', 201],
    ['another shop', 'https://evil.example', 403],
    ['a page without one', 'null', 403],
    ['one that begins alike', `${SHOP}.evil.example`, 403],
    ['the shop without TLS', 'http://shop.example', 403],
    ['the shop on another port', `${SHOP}:8443`, 403],
    ['nonsense', ' ', 403],
  ])('of %s', async (_, origin, status) => {
    const { post } = await shopWithOrder()
    const answer = await post(json, JSON_TYPE, { origin })
    expect(answer.status).toBe(status)
    if (status === 403) {
      expect(await answer.json()).toMatchObject({ code: 'origin_not_allowed' })
      expect(answer.headers.get('access-control-allow-origin')).toBeNull()
    }
  })

  test('that is not named belongs to no browser', async () => {
    const { shop } = await shopWithOrder()
    const init = { method: 'POST', headers: { accept: JSON_TYPE, 'content-type': JSON_TYPE }, body: json }
    expect((await shop.ask('/checkout/initiate', init)).status).toBe(201)
  })
})

describe('a return address', () => {
  const env = { RETURN_URLS: `${SHOP}/basket,https://other.example` }
  const ALLOWED = [
    `${SHOP}/basket`,
    `${SHOP}/basket?item=1#top`,
    `${SHOP}/basket/done`,
    'https://other.example',
    'https://other.example/anything',
  ]

  test.each([
    ...ALLOWED,
    'https://evil.example/basket',
    `${SHOP}.evil.example/basket`,
    `${SHOP}@evil.example/basket`,
    'https://shop.example:8443/basket',
    'http://shop.example/basket',
    `${SHOP}/basketball`,
    `${SHOP}/basket/../admin`,
    `${SHOP}/`,
    'https://user:password@shop.example/basket',
    'javascript:alert(1)',
    'javascript://shop.example/basket%0aalert(1)',
    'data:text/html,x',
    '//shop.example/basket',
    '/basket',
    'https:\\\\evil.example\\basket',
    'https://other.example.',
  ])('has to be below one of RETURN_URLS: %s', async (return_url) => {
    const { post } = await shopWithOrder({ env })
    const answer = await post(JSON.stringify({ ...REQUEST, return_url }))
    const { code } = await answer.json()
    const refused = [422, 'return_url_not_allowed']
    expect([answer.status, code]).toEqual(ALLOWED.includes(return_url) ? [201, undefined] : refused)
  })
})
