import { describe, expect, test } from 'vitest'
import type { FetchAnswer, FetchInit } from '../../server/exchange.ts'
import type { OrderInput } from '../../server/orders/function.ts'
import { createTimeline } from '../../demo/sandbox/index.ts'
import { ordersByFunction } from '../../server/orders/function.ts'
import { ordersByUrl } from '../../server/orders/remote.ts'
import { endless, json } from '../support/scripted-gateway.ts'
import { createWorld, SHOP, START } from '../support/world.ts'

const ORDER: OrderInput = { order: 'A-1', amount: '1500', currency: 'KES', narration: 'Two kangas' }

describe('orders from a function', () => {
  const clock = createTimeline({ wall: null, start: START })

  test('are used as the function returns them', async () => {
    const resolve = ordersByFunction(
      (reference) => (reference === 'A-1' ? { ...ORDER, amount: 1500 } : null),
      clock,
    )
    expect(await resolve('A-1')).toEqual({ kind: 'order', order: ORDER })
    expect(await resolve('A-2')).toMatchObject({ kind: 'refused', code: 'order_unknown' })
  })

  test.each<[string, object]>([
    ['amount', { amount: '1,500' }],
    ['amount', { amount: 0.1 + 0.2 }],
    ['currency', { currency: 'kes' }],
    ['currency', { currency: '' }],
    ['currency', { currency: undefined }],
    ['narration', { narration: 'x'.repeat(256) }],
    ['order', { order: ' ' }],
    ['account', { account: 'x'.repeat(51) }],
    ['service', { service: 'x'.repeat(33) }],
    ['payer.email', { payer: { email: 'x'.repeat(101) } }],
    ['payer', { payer: 'Asha Otieno' }],
    ['splits\\[0\\]', { splits: ['PARTNER-001'] }],
    ['return_url', { return_url: 'javascript:alert(1)' }],
    ['return_url', { return_url: '/thanks' }],
  ])('with a wrong %s are refused by its name', async (field, wrong) => {
    const resolution = await ordersByFunction(() => ({ ...ORDER, ...wrong }), clock)('A-1')
    expect(resolution).toMatchObject({ kind: 'refused', code: 'orders_unavailable' })
    const named = expect.stringMatching(new RegExp(`: ${field} (must|is required)[^;]*$`))
    expect(resolution).toHaveProperty('detail', named)
  })

  test('time out when the function hangs', async () => {
    const asked = ordersByFunction(() => new Promise(() => {}), clock)('A-1')
    const failed = expect(asked).rejects.toThrow(/did not return within 10 seconds/)
    await clock.advance(10_000)
    await failed
  })

  test('may have null in optional fields', async () => {
    const nothing = { account: null, service: null, splits: null, return_url: null }
    const find = () => ({ ...ORDER, ...nothing, payer: { name: 'Asha Otieno', email: null, msisdn: null } })
    const order = { ...ORDER, payer: { name: 'Asha Otieno' } }
    expect(await ordersByFunction(find, clock)('A-1')).toEqual({ kind: 'order', order })
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

  test('are requested by their reference, with the token', async () => {
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

  test.each([['.'], ['..'], ['\ud800']])(
    'are unknown without a request for the reference %j',
    async (reference) => {
      const before = asked.length
      expect(await resolve(reference, () => json(ORDER))).toMatchObject({ code: 'order_unknown' })
      expect(asked).toHaveLength(before)
    },
  )

  test.each([['../admin'], ['?all=1'], ['#'], ['%2e%2e/'], ['a\\b'], ['@evil.example']])(
    'are requested below ORDERS_URL for the reference %j',
    async (reference) => {
      await resolve(reference, () => json(ORDER))
      expect(new URL(asked.at(-1)?.url ?? '').href).toMatch(/^https:\/\/shop\.example\/orders\/[^/?#]+$/)
    },
  )
})

test.each<[string, string, string, Record<string, string>]>([
  [
    'orders_unavailable',
    '1,500',
    "The merchant's order cannot be used: amount must be a decimal number.",
    {},
  ],
  ['amount_not_whole', '1.5', 'The gateway takes whole units of a currency, and 1.5 has a fraction.', {}],
  [
    'gateway_refused',
    '15',
    'The gateway refused POST /v2/checkout/initiate: 172 Invalid Service Code.',
    { GATEWAY_SERVICE_CODE: 'NONE' },
  ],
  [
    'gateway_contradiction',
    '15',
    "The gateway's answer to POST /v2/checkout/initiate has a different currency than requested.",
    { GATEWAY_SERVICE_CODE: 'CHECKOUT-UGX' },
  ],
])('%s, which only the shop can correct, is logged as a warning', async (code, amount, message, env) => {
  const shop = await createWorld({ env })
  shop.order('A-1', amount)
  await expect(shop.start('A-1')).rejects.toThrow(message)
  expect(shop.logged).toContainEqual({ level: 'warn', facts: { code }, message })
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

  test('of whole units may have a fraction of zeros', async () => {
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
