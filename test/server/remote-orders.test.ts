import { describe, expect, test } from 'vitest'
import type { FetchAnswer, FetchInit } from '../../server/http/exchange.ts'
import { createTimeline } from '../../demo/sandbox/index.ts'
import { Secret } from '../../server/config/secret.ts'
import { ordersByUrl } from '../../server/orders/remote.ts'
import { json } from '../support/scripted-gateway.ts'
import { SHOP, START } from '../support/world.ts'

const REFUSED = new Error('connect ECONNREFUSED 127.0.0.1:443')
const redirect = (location: string) => new Response(null, { status: 301, headers: { location } })
const ORDER = { order: 'A-1', amount: '1500', currency: 'KES', narration: 'Two kangas' }

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
    for (let turn = 0; turn < 5; turn++) await clock.advance(0)
    await clock.advance(6_000)
    return given
  }

  test('are requested by their reference, with the token', async () => {
    const order = {
      ...ORDER,
      order: 'A-1 ü',
      amount: 1500,
      return_url: `${SHOP}/thanks`,
      payer: { name: 'Asha Otieno' },
    }
    expect(await resolve('A-1 ü', () => json(order))).toEqual({
      kind: 'order',
      order: { ...order, amount: '1500' },
    })
    expect(asked.at(-1)).toMatchObject({
      url: 'https://shop.example/orders/A-1%20%C3%BC',
      init: { method: 'GET', headers: { authorization: 'Bearer a-token' }, redirect: 'manual' },
    })
  })

  test('are those that were asked for, in the spelling of the database', async () => {
    const stored = (order: string) => () => json({ ...ORDER, order })
    for (const order of ['A-1É', 'a-1é', 'A-1e'])
      expect(await resolve('a-1É', stored(order))).toMatchObject({ kind: 'order', order: { order } })
    for (const order of ['A-2', 'A-11', '1'])
      expect(await resolve('A-1', stored(order))).toMatchObject({
        code: 'orders_unavailable',
        reason: expect.stringContaining(
          `about the order "A-1", and ORDERS_URL answered with another one, "${order}"`,
        ),
      })
  })

  test.each([
    [404, 'order_unknown'],
    [409, 'order_not_payable'],
  ])('answered with %i are refused as %s', async (status, code) => {
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
      'about the order "A-1": ORDERS_URL responds with HTTP 500: look at its log. It begins: {}',
    ],
    [
      'a redirect',
      () => redirect('https://www.shop.example/orders/A-1/?token=a-token'),
      '"A-1": ORDERS_URL redirects with HTTP 301 to https://www.shop.example/orders/A-1/, which is not followed: set ORDERS_URL to where it leads.',
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
      'The shop answered about the order "A-1" with text that is not JSON. It begins: <b>Fatal error</b> *** ***',
    ],
    ['an empty body', () => new Response(''), 'The shop answered about the order "A-1" with an empty body.'],
    ['silence', () => new Promise(() => {}), 'the order "A-1": ORDERS_URL did not respond within 5 seconds'],
  ])('answered with %s are logged with reference and cure', async (_, answer, reason) => {
    const resolution = await resolve('A-1', answer)
    expect(resolution).toMatchObject({ reason: expect.stringContaining(reason) })
    expect(JSON.stringify(resolution)).not.toContain('a-token')
    expect(resolution).toMatchObject({ detail: 'The order cannot be looked up at the moment.' })
  })
})
