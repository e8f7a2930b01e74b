import { describe, expect, test } from 'vitest'
import type { Fetch } from '../../server/exchange.ts'
import type { Environment } from '../../server/config.ts'
import { createApp } from '../../server/app.ts'
import { readConfig } from '../../server/config.ts'
import { openStore } from '../../server/store/open.ts'
import { json } from '../support/scripted-gateway.ts'
import { ENVIRONMENT, PAYER, createWorld } from '../support/world.ts'

interface Line {
  level: string
  message: string
  code?: string
  order?: string
}

/** Starts a checkout, and returns the answer and the lines of the log. */
async function start(form: Record<string, string>, { fetch, ...more }: Start = {}) {
  const logged: Line[] = []
  const log = (level: string) => (facts: object, message: string) =>
    void logged.push({ ...facts, level, message })
  const app = createApp({
    config: readConfig({ ...ENVIRONMENT, MERCHANT_WEBHOOK_URL: undefined, ...more.env }),
    store: openStore('sqlite::memory:'),
    orders: (order) =>
      order === 'A-9' ? null : { order, amount: '1500', currency: 'KES', narration: 'x', ...more.order },
    log: { debug: () => {}, info: log('info'), warn: log('warn'), error: log('error') },
    fetch: fetch ?? (() => Promise.reject(new Error('away'))),
  })
  const headers = { accept: 'application/json', ...more.headers }
  const body = new URLSearchParams({ order: 'A-1', ...PAYER, ...form })
  const answer = await app.request('/checkout/initiate', { method: 'POST', headers, body })
  return {
    status: answer.status,
    body: await answer.json(),
    lines: logged,
  }
}

interface Start {
  fetch?: Fetch
  env?: Environment
  order?: object
  headers?: Record<string, string>
}

const REFUSED_LOGIN: Fetch = () =>
  json({ statusCode: 401, message: 'Invalid Authentication Credentials', error: 'Unauthorized' }, 401)

describe('a refused start', () => {
  test('for wrong credentials says so on the page and in the log, and is not worth a retry', async () => {
    const { status, body, lines } = await start({}, { fetch: REFUSED_LOGIN })
    expect([status, body]).toEqual([
      502,
      expect.objectContaining({
        code: 'gateway_unauthorized',
        retryable: false,
        detail: expect.stringContaining('does not accept GATEWAY_CONSUMER_KEY and GATEWAY_CONSUMER_SECRET'),
      }),
    ])
    expect(JSON.stringify(body)).not.toContain('send the same request again')
    expect(lines).toContainEqual(
      expect.objectContaining({ level: 'warn', order: 'A-1', message: expect.stringContaining('/v1/auth') }),
    )
  })

  test('for a gateway that cannot be reached has its address and the cause in the log', async () => {
    const cause = new Error('getaddrinfo ENOTFOUND gateway.example')
    const fetch = () => Promise.reject(new TypeError('fetch failed', { cause }))
    const { body, lines } = await start({}, { fetch })
    expect(body).toMatchObject({ code: 'gateway_unavailable', retryable: true })
    expect(lines).toContainEqual(
      expect.objectContaining({
        level: 'warn',
        code: 'gateway_unavailable',
        order: 'A-1',
        message: expect.stringMatching(/at http:\S+ \(getaddrinfo ENOTFOUND gateway\.example\)/),
      }),
    )
    expect(JSON.stringify(body)).not.toContain('ENOTFOUND')
  })

  test.each<[string, Record<string, string>, Start, RegExp]>([
    [
      'the origin',
      {},
      { headers: { origin: 'https://evil.example' } },
      /does not name https:\/\/evil\.example/,
    ],
    [
      'the return URL',
      { return_url: 'https://a.example/x?key=1' },
      {},
      /this return_url on https:\/\/a\.example\.$/,
    ],
    ['the order', { order: 'A-9' }, {}, /no order/],
    ['the field', { payer_email: 'nobody' }, {}, /payer_email must be an e-mail address/],
    [
      'the currency, and the setting',
      {},
      { order: { currency: 'EUR' }, env: { GATEWAY_SERVICE_CODE: 'KES=CHECKOUT-KES' } },
      /GATEWAY_SERVICE_CODE has no service for EUR/,
    ],
  ])('names in the log what was refused: %s', async (_, form, options, message) => {
    const { lines } = await start(form, options)
    expect(lines).toEqual([expect.objectContaining({ message: expect.stringMatching(message) })])
    for (const secret of Object.values(PAYER)) expect(JSON.stringify(lines)).not.toContain(secret)
  })
})

test('every line about a checkout has its order, from the start to the acknowledged event', async () => {
  let isDown = true
  const shop = await createWorld({ backend: () => new Response(null, { status: isDown ? 500 : 204 }) })
  shop.order('A-1')
  const view = await shop.start('A-1')
  await shop.pay(view, 'approve')
  await shop.later(60_000)
  isDown = false
  await shop.later(60_000)
  const lines = shop.logged.filter(({ level, facts }) => level !== 'debug' && 'trace_id' in facts)
  expect(lines.map(({ message }) => message)).toEqual(
    expect.arrayContaining([
      'The checkout is settled: paid.',
      'An event could not be delivered to the merchant; it is retried.',
      "The merchant's backend accepted checkout.paid.",
    ]),
  )
  for (const { facts } of lines) expect(facts).toMatchObject({ order: 'A-1' })
})
