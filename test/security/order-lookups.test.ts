import { describe, expect, test } from 'vitest'
import type { FetchAnswer, FetchInit } from '../../server/exchange.ts'
import { createApp } from '../../server/app.ts'
import { readConfig } from '../../server/config.ts'
import { openStore } from '../../server/store/open.ts'
import { endless, json } from '../support/scripted-gateway.ts'
import { ENVIRONMENT, PAYER } from '../support/world.ts'

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
    const { answer, asked } = await start(order, () => json({}))
    expect([answer.status, await answer.json(), asked]).toMatchObject([404, { code: 'order_unknown' }, []])
  })

  test.each(['A-1', 'ü 1', '?all=1', '#1', 'a;b=1', '@evil.example', '100%', 'a..b', '.well-known'])(
    'and no other character leaves the folder of ORDERS_URL: %j',
    async (order) => {
      const { asked } = await start(order, () => json({}, 404))
      expect(asked).toHaveLength(1)
      const { origin, pathname, search } = new URL(asked[0] ?? '')
      expect([origin, search]).toEqual(['https://shop.example', ''])
      expect(pathname.split('/').map(decodeURIComponent)).toEqual(['', 'internal', 'orders', order])
    },
  )
})

describe('a browser that asks what the backend answers', () => {
  const secret = { order: 'A-1', amount: 'internal', currency: 'x', narration: '' }

  test('sees the same response to every answer that is not an order', async () => {
    const answers: [string, () => FetchAnswer | Promise<FetchAnswer>, logged: RegExp][] = [
      ['401', () => json({}, 401), /HTTP 401/],
      ['403', () => json({}, 403), /HTTP 403/],
      ['405', () => json({}, 405), /HTTP 405/],
      ['500', () => json({}, 500), /HTTP 500/],
      ['a redirect', () => new Response(null, { status: 302, headers: { location: '/login' } }), /HTTP 302/],
      ['HTML', () => new Response('<html>'), /not JSON/],
      ['other JSON', () => json(secret), /amount must be a decimal number/],
      ['no end', endless, /ORDERS_URL responds with more than 64 kB/],
      ['no connection', () => Promise.reject(new TypeError('fetch failed')), /ORDERS_URL cannot be reached/],
    ]
    const seen = new Set<string>()
    for (const [name, backend, why] of answers) {
      const { answer, logged } = await start('A-1', backend)
      seen.add(`${answer.status} ${await answer.text()}`)
      expect([name, logged.at(-1)]).toEqual([name, expect.stringMatching(why)])
    }
    expect(seen.size).toBe(1)
    expect([...seen][0]).toMatch(/^503 .*"orders_unavailable"/)
    expect([...seen][0]).not.toMatch(/HTTP|amount|decimal/)
  })
})

async function start(order: string, backend: (init: FetchInit) => FetchAnswer | Promise<FetchAnswer>) {
  const asked: string[] = []
  const logged: string[] = []
  const log = (_: object, message: string) => void logged.push(message)
  const app = createApp({
    config: readConfig({ ...ENVIRONMENT, ORDERS_URL, ORDERS_TOKEN: 'a token of the backend' }),
    store: openStore('sqlite::memory:'),
    log: { debug: log, info: log, warn: log, error: log },
    fetch: async (url, init) => {
      asked.push(url)
      return backend(init)
    },
  })
  const headers = { accept: 'application/json', 'content-type': 'application/json' }
  const body = JSON.stringify({ order, ...PAYER })
  const answer = await app.request('/checkout/initiate', { method: 'POST', headers, body })
  return { answer, asked, logged }
}
