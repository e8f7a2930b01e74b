import { CompactSign, SignJWT, UnsecuredJWT } from 'jose'
import { describe, expect, test } from 'vitest'
import type { FetchAnswer, FetchInit } from '../../server/exchange.ts'
import type { GivenOrder } from '../../server/orders/function.ts'
import { createTimeline } from '../../demo/sandbox/index.ts'
import { ordersByFunction } from '../../server/orders/function.ts'
import { ordersByUrl } from '../../server/orders/remote.ts'
import { signedOrders, signOrder } from '../../server/orders/signed.ts'
import { endless, json } from '../support/scripted-gateway.ts'
import { createWorld, SHOP, START } from '../support/world.ts'

const ORDER: GivenOrder = { order: 'A-1', amount: '1500', currency: 'KES', narration: 'Two kangas' }
const KEY = 'a signing key of 32 bytes or more'
const OLD_KEY = 'the key that was used before this'
const AUDIENCE = 'http://127.0.0.1:4020'
const NOW = START / 1000

describe('orders from a function', () => {
  test('are what the function says', async () => {
    const resolve = ordersByFunction((reference) => (reference === 'A-1' ? { ...ORDER, amount: 1500 } : null))
    expect(await resolve('A-1')).toEqual({ kind: 'order', order: ORDER })
    expect(await resolve('A-2')).toMatchObject({ kind: 'refused', code: 'order_unknown' })
  })

  test.each<[string, object]>([
    ['amount', { amount: '1,500' }],
    ['amount', { amount: 0.1 + 0.2 }],
    ['currency', { currency: 'kes' }],
    ['currency', { currency: '' }],
    ['narration', { narration: 'x'.repeat(256) }],
    ['order', { order: ' ' }],
    ['account', { account: 'x'.repeat(51) }],
    ['service', { service: 'x'.repeat(33) }],
    ['payer.email', { payer: { email: 'x'.repeat(101) } }],
    ['return_url', { return_url: 'javascript:alert(1)' }],
  ])('with a wrong %s are refused by its name', async (field, wrong) => {
    const resolution = await ordersByFunction(() => ({ ...ORDER, ...wrong }))('A-1')
    expect(resolution).toMatchObject({ kind: 'refused', code: 'orders_unavailable' })
    expect(resolution).toHaveProperty('detail', expect.stringContaining(`${field} `))
  })
})

describe('orders from a URL', () => {
  const asked: { url: string; init: FetchInit }[] = []

  async function resolve(reference: string, answer: (init: FetchInit) => FetchAnswer | Promise<FetchAnswer>) {
    const clock = createTimeline({ wall: null, start: START })
    const fetch = (url: string, init: FetchInit) => {
      asked.push({ url, init })
      return answer(init)
    }
    const given = ordersByUrl({ url: 'https://shop.example/orders', token: 'a-token', fetch, clock })(
      reference,
    )
    for (let turn = 0; turn < 5; turn++) await clock.advance(0)
    await clock.advance(6_000)
    return given
  }

  test('are asked for by their reference, with the token', async () => {
    const order = { ...ORDER, amount: 1500, return_url: `${SHOP}/thanks`, payer: { name: 'Asha Otieno' } }
    expect(await resolve('A-1/ü', () => json(order))).toEqual({
      kind: 'order',
      order: { ...order, amount: '1500' },
    })
    expect(asked.at(-1)).toMatchObject({
      url: 'https://shop.example/orders/A-1%2F%C3%BC',
      init: { method: 'GET', headers: { authorization: 'Bearer a-token' }, redirect: 'manual' },
    })
  })

  test.each<[string, () => FetchAnswer | Promise<FetchAnswer>, string]>([
    ['404', () => json({}, 404), 'order_unknown'],
    ['409', () => json({}, 409), 'order_not_payable'],
    ['401', () => json({}, 401), 'orders_unavailable'],
    ['500', () => json({}, 500), 'orders_unavailable'],
    [
      'a redirect',
      () => new Response(null, { status: 302, headers: { location: '/login' } }),
      'orders_unavailable',
    ],
    ['HTML', () => new Response('<html>'), 'orders_unavailable'],
    ['an empty body', () => new Response(''), 'orders_unavailable'],
    ['an array', () => json([ORDER]), 'orders_unavailable'],
    ['another shape', () => json({ ...ORDER, amount: null }), 'orders_unavailable'],
    ['a body without end', endless, 'orders_unavailable'],
    ['no connection', () => Promise.reject(new TypeError('fetch failed')), 'orders_unavailable'],
    ['silence', () => new Promise(() => {}), 'orders_unavailable'],
  ])('answered with %s', async (_, answer, code) => {
    const resolution = await resolve('A-1', answer)
    expect(resolution).toMatchObject({ kind: 'refused', code })
    expect(JSON.stringify(resolution)).not.toContain('a-token')
  })

  test.each([['.'], ['..'], ['\ud800']])('are never asked for at another address: %j', async (reference) => {
    const before = asked.length
    expect(await resolve(reference, () => json(ORDER))).toMatchObject({ code: 'order_unknown' })
    expect(asked).toHaveLength(before)
  })

  test.each([['../admin'], ['?all=1'], ['#'], ['%2e%2e/'], ['a\\b'], ['@evil.example']])(
    'stay below their address whatever the reference: %j',
    async (reference) => {
      await resolve(reference, () => json(ORDER))
      expect(new URL(asked.at(-1)?.url ?? '').href).toMatch(/^https:\/\/shop\.example\/orders\/[^/?#]+$/)
    },
  )
})

describe('signed orders', () => {
  const resolve = signedOrders({
    keys: [KEY, OLD_KEY],
    audience: AUDIENCE,
    clock: { now: () => START, sleep: never },
  })
  const options = { key: KEY, audience: AUDIENCE, issuedAt: NOW, lifetime: 600 }
  const bytes = (key: string) => new TextEncoder().encode(key)

  /** Signed by hand, with whatever claims. */
  function signed(claims: object, key = KEY, alg = 'HS256') {
    const payload = { ...ORDER, aud: AUDIENCE, iat: NOW, exp: NOW + 600, ...claims }
    return new CompactSign(bytes(JSON.stringify(payload))).setProtectedHeader({ alg }).sign(bytes(key))
  }

  test('are what the merchant signed', async () => {
    const jws = await signOrder({ ...ORDER, amount: 1500 }, options)
    expect(await resolve(jws)).toEqual({ kind: 'order', order: ORDER })
  })

  test('may be signed with the key that is being rotated out', async () => {
    expect(await resolve(await signOrder(ORDER, { ...options, key: OLD_KEY }))).toMatchObject({
      kind: 'order',
    })
  })

  test.each<[string, () => Promise<string> | string, string, RegExp]>([
    [
      'another key',
      () => signOrder(ORDER, { ...options, key: `another ${KEY}` }),
      'order_invalid',
      /signature/,
    ],
    [
      'a tampered payload',
      async () => tamper(await signOrder(ORDER, options), 1),
      'order_invalid',
      /signature/,
    ],
    [
      'a tampered signature',
      async () => tamper(await signOrder(ORDER, options), 2),
      'order_invalid',
      /signature/,
    ],
    ['no signature', () => new UnsecuredJWT({ ...ORDER }).encode(), 'order_invalid', /./],
    ['another algorithm', () => signed({}, KEY.repeat(2), 'HS512'), 'order_invalid', /signature/],
    [
      'its end behind it',
      () => signOrder(ORDER, { ...options, issuedAt: NOW - 601 }),
      'order_expired',
      /expired/,
    ],
    ['its end behind it, under the old key', () => signed({ exp: NOW }, OLD_KEY), 'order_expired', /expired/],
    ['another audience', () => signed({ aud: 'https://other.example' }), 'order_invalid', /"aud"/],
    ['its beginning ahead', () => signed({ nbf: NOW + 60 }), 'order_invalid', /"nbf"/],
    ['a wrong amount', () => signed({ amount: 'many' }), 'order_invalid', /amount/],
    ['a wrong currency', () => signed({ currency: 'kes' }), 'order_invalid', /currency/],
  ])('with %s are refused', async (_, make, code, detail) => {
    const resolution = await resolve(await make())
    expect(resolution).toMatchObject({ kind: 'refused', code, detail: expect.stringMatching(detail) })
  })

  test.each(['order', 'amount', 'currency', 'narration', 'aud', 'iat', 'exp'])(
    'need the claim %s',
    async (claim) => {
      const resolution = await resolve(await signed({ [claim]: undefined }))
      expect(resolution).toMatchObject({ kind: 'refused', code: 'order_invalid' })
      expect(resolution).toHaveProperty('detail', expect.stringContaining(`"${claim}" missing`))
    },
  )

  test.each([
    'A-1',
    '..',
    'a.b.c',
    'a.b.c.d.e',
    'eyJ.eyJ.x',
    'ü.ü.ü',
    '\ud800.\ud800.\ud800',
    '{"alg":"HS256"}',
  ])('are not %j', async (text) => {
    expect(await resolve(text)).toMatchObject({ kind: 'refused', code: 'order_invalid' })
  })

  test('with a header that asks for more than is understood are refused', async () => {
    const jws = await new SignJWT({ ...ORDER })
      .setProtectedHeader({ alg: 'HS256', crit: ['exp-v2'], 'exp-v2': 1 })
      .sign(bytes(KEY), { crit: { 'exp-v2': true } })
    expect(await resolve(jws)).toMatchObject({ kind: 'refused', code: 'order_invalid' })
  })
})

describe('the price', () => {
  test('never comes from the request', async () => {
    const shop = await createWorld()
    shop.order('A-1', '1500')
    const begun = await shop.start('A-1', { amount: '1', currency: 'UGX', price: '1', 'order.amount': '1' })
    expect(begun).toMatchObject({ amount: '1500', currency: 'KES' })
    await shop.pay(begun, 'approve')
    await shop.later(2_000)
    expect(await shop.status(begun.checkout_id)).toMatchObject({ outcome: 'paid', amount_paid: '1500' })
  })

  test.each(['10.5', '0.01', 0.5])('of %s has a fraction and is refused, not rounded', async (amount) => {
    const shop = await createWorld()
    shop.order('A-1', amount)
    const answer = await shop.initiate('A-1')
    expect(answer.status).toBe(422)
    expect(await answer.json()).toMatchObject({ code: 'amount_not_whole', retryable: false })
    expect(shop.gatewayRequests()).toEqual([])
  })

  test('of whole units may be written with a fraction of zeros', async () => {
    const shop = await createWorld()
    shop.order('A-1', '500.00')
    expect(await shop.start('A-1')).toMatchObject({ outcome: 'waiting' })
  })

  test.each(['0', '-5', '99999999999999999'])('is never %s', async (amount) => {
    const shop = await createWorld()
    shop.order('A-1', amount)
    const answer = await shop.initiate('A-1')
    expect(answer.status).toBe(422)
    expect(await answer.json()).toMatchObject({ code: 'invalid_request', errors: [{ path: 'order.amount' }] })
  })
})

test('a signed order is paid through the server that it was signed for', async () => {
  const shop = await createWorld({ ordersFromConfig: true, env: { ORDER_SIGNING_KEY: KEY } })
  const jws = await signOrder(ORDER, { key: KEY, audience: AUDIENCE, issuedAt: NOW, lifetime: 600 })
  expect(await shop.start(jws)).toMatchObject({ order: 'A-1', amount: '1500' })
  await shop.later(601_000)
  const late = await shop.initiate(jws)
  expect(late.status).toBe(409)
  expect(await late.json()).toMatchObject({ code: 'order_expired', retryable: false })
})

/** Changes one character of a part of a JWS. */
function tamper(jws: string, part: number): string {
  const parts = jws.split('.')
  const text = parts[part] ?? ''
  parts[part] = `${text.slice(0, 5)}${text[5] === 'A' ? 'B' : 'A'}${text.slice(6)}`
  return parts.join('.')
}

function never(): Promise<never> {
  return new Promise(() => {})
}
