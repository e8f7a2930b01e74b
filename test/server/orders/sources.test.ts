import { describe, expect, test } from 'vitest'

import { createTimeline } from '../../../demo/sandbox/index.ts'
import { Secret } from '../../../server/config/secret.ts'
import { ordersByFunction, ordersByUrl } from '../../../server/orders/sources.ts'
import { SHOP } from '../../support/worlds/environment.ts'
import { json } from '../../support/worlds/scripted-gateway.ts'
import { START } from '../../support/worlds/world.ts'

import type { FetchAnswer, FetchInit } from '../../../server/http/exchange.ts'
import type { OrderInput } from '../../../server/orders/order.ts'

const ORDER: OrderInput = { order: 'A-1', amount: '1500', currency: 'KES', narration: 'Two kangas' }

describe('orders from a function', () => {
  const clock = createTimeline({ wall: null, start: START })

  test('orders from a function are used as the function returns them', async () => {
    const resolve = ordersByFunction(
      (reference) => (reference === 'A-1' ? { ...ORDER, amount: 1500 } : null),
      clock,
    )
    expect(await resolve('A-1')).toEqual({ kind: 'order', order: ORDER, isNewest: true })
    expect(await resolve('A-2')).toMatchObject({ kind: 'refused', code: 'order_unknown' })
  })

  test('orders from a function time out when the function hangs', async () => {
    const asked = ordersByFunction(() => new Promise(() => {}), clock)('A-1')
    await clock.advance(10_000)
    expect(await asked).toMatchObject({
      code: 'orders_unavailable',
      reason: expect.stringMatching(/did not return within 10 seconds/),
    })
  })

  test.each([
    ['throws', () => Promise.reject(new TypeError('The database of asha@example.com is away'))],
    [
      'throws at once',
      () => {
        throw new TypeError('The database is away')
      },
    ],
    // oxlint-disable-next-line prefer-promise-reject-errors -- Merchants throw anything.
    ['throws a text', () => Promise.reject('The database is away')],
  ])(
    'orders from a function are unavailable where the function %s, and the log has what and where',
    async (_, find) => {
      const resolution = await ordersByFunction(find, clock)('A-1')
      expect(resolution).toMatchObject({
        kind: 'refused',
        code: 'orders_unavailable',
        detail: 'The order cannot be looked up at the moment.',
        reason: expect.stringMatching(/The database.* is away/),
      })
      expect(JSON.stringify(resolution)).not.toContain('asha@')
    },
  )
})

const REFUSED = new Error('connect ECONNREFUSED 127.0.0.1:443')
const redirect = (location: string) => new Response(null, { status: 301, headers: { location } })

describe('orders from a URL', () => {
  const asked: { url: string; init: FetchInit }[] = []

  async function resolve(reference: string, answer: (init: FetchInit) => FetchAnswer | Promise<FetchAnswer>) {
    const clock = createTimeline({ wall: null, start: START })

    const fetch = (url: string, init: FetchInit) => {
      asked.push({ url, init })
      return answer(init)
    }

    const given = ordersByUrl({
      url: 'https://shop.example/orders',
      token: new Secret('a-token'),
      fetch,
      clock,
    })(reference)
    for (let turn = 0; turn < 5; turn++) {
      await clock.advance(0)
    }

    await clock.advance(6_000)
    return given
  }

  test('orders from a URL are requested by their reference, with the token', async () => {
    const order = {
      ...ORDER,
      order: 'A-1 #2',
      amount: 1500,
      return_url: `${SHOP}/thanks`,
      payer: { name: 'Asha Otieno' },
    }
    expect(await resolve('A-1 #2', () => json(order))).toEqual({
      kind: 'order',
      order: { ...order, amount: '1500' },
      isNewest: true,
    })
    expect(asked.at(-1)).toMatchObject({
      url: 'https://shop.example/orders/A-1%20%232',
      init: { method: 'GET', headers: { authorization: 'Bearer a-token' }, redirect: 'manual' },
    })
  })

  test('orders from a URL are those that were asked for, in the spelling of the database', async () => {
    const stored = (order: string) => () => json({ ...ORDER, order })
    for (const order of ['A-1', 'a-1']) {
      expect(await resolve('A-1', stored(order))).toMatchObject({ kind: 'order', order: { order } })
    }

    for (const order of ['A-2', 'A-11', '1']) {
      expect(await resolve('A-1', stored(order))).toMatchObject({
        code: 'orders_unavailable',
        reason: expect.stringContaining(
          `about the order "A-1", and ORDERS_URL answered with another one, "${order}"`,
        ),
      })
    }
  })

  test.each([
    ['INV/2026/00042', 'INV%2F2026%2F00042'],
    ['#1042', '%231042'],
    ['A-1042.', 'A-1042.'],
    ['..a/b..', '..a%2Fb..'],
    ['...', '...'],
    ['A%2e1', 'A%252e1'],
    ['%E6%97%A5%E6%9C%AC-1', '%25E6%2597%25A5%25E6%259C%25AC-1'],
  ])('orders from a URL may have the reference %s', async (order, segment) => {
    expect(await resolve(order, () => json({ ...ORDER, order }))).toMatchObject({ order: { order } })
    expect(asked.at(-1)?.url).toBe(`https://shop.example/orders/${segment}`)
  })

  const SLIPS = ['/A-1', 'A-1/', 'INV//1', '/', '.', '..', '../A-1', 'A/./1', 'A/..', 'A/..;/1', 'A/.;x']
  const ENCODED = ['A\\1', 'A%2F1', '%252E', 'A%5c1', 'A%25255C1']
  test.each([...SLIPS, ...ENCODED])(
    'orders from a URL are not asked for by the path that %j would make, and the refusal says why',
    async (order) => {
      const before = asked.length
      const refused = await resolve(order, () => json({ ...ORDER, order }))
      const detail = expect.stringMatching(
        /^order must have no slash at an end.*, and no backslash or encoded/,
      )
      expect(refused).toMatchObject({ code: 'invalid_request', detail })
      expect(asked).toHaveLength(before)
    },
  )

  test.each([
    [404, 'order_unknown'],
    [409, 'order_not_payable'],
  ])('orders from a URL answered with %i are refused as %s', async (status, code) => {
    const resolution = await resolve('A-1', () => json({}, status))
    expect(resolution).toMatchObject({ kind: 'refused', code })
    expect(JSON.stringify(resolution)).not.toContain('a-token')
  })

  test.each<[string, () => FetchAnswer | Promise<FetchAnswer>, string]>([
    [
      '401',
      () => json({}, 401),
      'about the order "A-1": ORDERS_URL responds with HTTP 401: does it have the same ORDERS_TOKEN',
    ],
    [
      '500',
      () => json({}, 500),
      'about the order "A-1": ORDERS_URL responds with HTTP 500: look at its log.',
    ],
    [
      'a redirect',
      () => redirect('https://www.shop.example/orders/A-1/?token=a-token'),
      '"A-1": ORDERS_URL redirects with HTTP 301 to https://www.shop.example/orders/A-1/, which is not followed. No ORDERS_URL leads there, because it ends before the reference: the shop has to answer at https://shop.example/orders/A-1 itself, without a slash at the end, and without a login.',
    ],
    [
      'a redirect to another host',
      () => redirect('https://www.shop.example/api/orders/A-1?token=a-token'),
      'to https://www.shop.example/api/orders/A-1, which is not followed: set ORDERS_URL to https://www.shop.example/api/orders.',
    ],
    [
      'a redirect to a login',
      () => redirect('/login?next=/orders/A-1'),
      'to https://shop.example/login, which is not followed. No ORDERS_URL leads there',
    ],
    [
      'a redirect to a path',
      () => redirect('/orders/A-1/'),
      'redirects with HTTP 301 to https://shop.example/orders/A-1/, which is not followed',
    ],
    ['a redirect to nowhere', () => redirect('http://['), 'redirects with HTTP 301 to no valid address'],
    [
      'no connection',
      () => Promise.reject(new TypeError('fetch failed', { cause: new AggregateError([REFUSED]) })),
      'ORDERS_URL cannot be reached at https://shop.example (connect ECONNREFUSED 127.0.0.1:443).',
    ],
    [
      'a page',
      () => new Response('<b>Fatal error</b>\n  asha@example.com, +254 700 000 001'),
      'The shop answered about the order "A-1" with text that is not valid JSON, names a field twice, or is nested more than 100 levels deep: look at its log.',
    ],
    ['an empty body', () => new Response(''), 'The shop answered about the order "A-1" with an empty body.'],
    ['403', () => json({}, 403), 'HTTP 403'],
    ['other JSON', () => json({ ...ORDER, amount: 'internal' }), 'amount must be a decimal number'],
    [
      'no end',
      () => new Response(' '.repeat(64_001)),
      'ORDERS_URL responds with HTTP 200 and more than 64 kB',
    ],
    [
      'a long page of an error',
      () => new Response(' '.repeat(64_001), { status: 500 }),
      'ORDERS_URL responds with HTTP 500 and more than 64 kB: look at its log.',
    ],
    ['silence', () => new Promise(() => {}), 'the order "A-1": ORDERS_URL did not respond within 5 seconds'],
  ])(
    'orders from a URL answered with %s are logged with the cause, and the browser sees one refusal for all',
    async (_, answer, reason) => {
      const resolution = await resolve('A-1', answer)
      expect(resolution).toMatchObject({
        kind: 'refused',
        code: 'orders_unavailable',
        detail: 'The order cannot be looked up at the moment.',
        reason: expect.stringContaining(reason),
      })
      expect(JSON.stringify(resolution)).not.toContain('a-token')
    },
  )
})
