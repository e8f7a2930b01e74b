import { describe, expect, test } from 'vitest'
import type { FetchInit } from '../../server/http/exchange.ts'
import { createWorld } from '../support/world.ts'

const ORDERS_URL = 'https://shop.example/internal/orders'

describe('an order that is a path', () => {
  test.each([
    '../../admin',
    '..\\..\\admin',
    '/admin',
    'A-1/refund',
    '.',
    '..',
    '...',
    'A-1\u0000',
    'A-1\r\nX-Admin: 1',
    'A-1\u0085',
    '\ud800',
    '%2e%2e%2fadmin',
    '..%5Cadmin',
    '%2e%2E',
    '%252e%252e%252fadmin',
  ])('is unknown, and the backend is not asked: %j', async (order) => {
    const { answer, asked } = await start(order, () => Response.json({}))
    expect([answer.status, await answer.json(), asked]).toMatchObject([404, { code: 'order_unknown' }, []])
  })

  test.each(['A-1', 'ü 1', '?all=1', '#1', 'a;b=1', '@evil.example', '100%', 'a..b', '.well-known'])(
    'and no other character leaves the folder of ORDERS_URL: %j',
    async (order) => {
      const { asked } = await start(order, () => Response.json({}, { status: 404 }))
      expect(asked).toHaveLength(1)
      const { origin, pathname, search } = new URL(asked[0] ?? '')
      expect([origin, search]).toEqual(['https://shop.example', ''])
      expect(pathname.split('/').map(decodeURIComponent)).toEqual(['', 'internal', 'orders', order])
    },
  )
})

async function start(order: string, backend: (init: FetchInit) => Response | Promise<Response>) {
  const asked: string[] = []
  const shop = await createWorld({
    ordersFromConfig: true,
    env: { ORDERS_URL, ORDERS_TOKEN: 'a token of the backend' },
    gateway(url, init) {
      asked.push(url)
      return backend(init)
    },
  })
  const answer = await shop.initiate(order)
  return { answer, asked, logged: shop.logged.map(({ message }) => message) }
}
