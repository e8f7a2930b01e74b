import { Writable } from 'node:stream'
import { describe, expect, test } from 'vitest'

import { endpoints } from '../../../server/contract/endpoints.ts'
import { readTraceId } from '../../../server/http/exchange.ts'
import { createLog } from '../../../server/log/log.ts'
import { initiateAnswer } from '../../support/spec/shapes.ts'
import { SHOP } from '../../support/worlds/environment.ts'
import { PAYOUTS } from '../../support/worlds/payable.ts'
import { posted } from '../../support/worlds/sandbox-line.ts'
import { createWorld, formOf, PAYER } from '../../support/worlds/world.ts'

import type { WorldOptions } from '../../support/worlds/world.ts'

/** Starts a checkout, and returns the answer and the lines of the log. */
async function start(form: Record<string, string>, { gateway, env = {}, order, headers }: Start = {}) {
  const shop = await createWorld({
    env,
    gateway: gateway ?? (() => Promise.reject(new Error('away'))),
  })
  shop.order('A-1', '1500', order)
  const answer = await shop.ask('/checkout/initiate', formOf('A-1', form, headers))
  const lines = shop.logged
    .filter(({ level, facts }) => level !== 'debug' && 'code' in facts)
    .map(({ level, facts, message }) => ({ ...facts, level, message }))
  return { status: answer.status, body: await answer.json(), lines }
}

interface Start extends Pick<WorldOptions, 'env' | 'gateway'> {
  order?: object
  headers?: Record<string, string>
}

const REFUSED_LOGIN = () =>
  Response.json(
    { statusCode: 401, message: 'Invalid Authentication Credentials', error: 'Unauthorized' },
    { status: 401 },
  )

describe('a refused start', () => {
  test('a start that is refused for wrong credentials says so on the page and in the log, and is not worth a retry', async () => {
    const { status, body, lines } = await start({}, { gateway: REFUSED_LOGIN })
    expect({ status, body }).toEqual({
      status: 502,
      body: expect.objectContaining({
        code: 'gateway_unauthorized',
        retryable: false,
        detail: expect.stringContaining('does not accept GATEWAY_CONSUMER_KEY and GATEWAY_CONSUMER_SECRET'),
      }),
    })
    expect(JSON.stringify(body)).not.toContain('send the same request again')
    expect(lines).toContainEqual(
      expect.objectContaining({ level: 'warn', order: 'A-1', message: expect.stringContaining('/v1/auth') }),
    )
  })

  const INITIATED = { ...initiateAnswer, redirect_url: undefined, redirectUrl: initiateAnswer.redirect_url }
  const ERROR = { status_code: 174, status_description: 'Request failed', message: 'Try later' }
  const HTML = () => new Response('<html>Maintenance</html>', { headers: { 'content-type': 'text/html' } })

  test.each<[string, () => Response, { status: number; code: string; names: RegExp }]>([
    [
      'lacks a field',
      () => Response.json(INITIATED),
      { status: 502, code: 'gateway_answer_invalid', names: /redirect_url / },
    ],
    [
      'is an error under HTTP 200',
      () => Response.json(ERROR),
      { status: 502, code: 'gateway_answer_invalid', names: /with the error 174/ },
    ],
    [
      'is HTML',
      HTML,
      { status: 503, code: 'gateway_unavailable', names: /is not valid JSON, names a field twice/ },
    ],
  ])("a refused start whose gateway's answer %s says so, and may be repeated", async (_, answer, right) => {
    const opened = (url: string) => (url.endsWith(endpoints.initiateCheckout.path) ? answer() : undefined)
    const { status, body, lines } = await start({}, { gateway: opened })
    expect({ status, code: body.code, retryable: body.retryable }).toEqual({
      status: right.status,
      code: right.code,
      retryable: true,
    })
    expect(lines).toContainEqual(
      expect.objectContaining({ order: 'A-1', message: expect.stringMatching(right.names) }),
    )
    if (right.code === 'gateway_answer_invalid') {
      expect(body.detail).toMatch(right.names)
    }
  })

  test.each<[string, Record<string, string>, Start, RegExp]>([
    [
      'the origin',
      {},
      { headers: { origin: 'https://evil.example' } },
      /does not name the header Origin: https:\/\/evil\.example/,
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
  ])('a refused start names in the log what was refused: %s', async (_, form, options, message) => {
    const { lines } = await start(form, options)
    expect(lines).toEqual([expect.objectContaining({ message: expect.stringMatching(message) })])
    for (const secret of Object.values(PAYER)) {
      expect(JSON.stringify(lines)).not.toContain(secret)
    }
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
  for (const { facts } of lines) {
    expect(facts).toMatchObject({ order: 'A-1' })
  }
})

test('a start under another host than that of PUBLIC_URL is named once, and no request that is refused', async () => {
  const other = { host: 'pay.shop.example' }
  const right = [
    { host: '127.0.0.1:4020' },
    { host: 'localhost:4020' },
    { host: '127.0.0.1' },
    { host: 'gateway_checkout', 'x-forwarded-host': '127.0.0.1:4020' },
  ]
  const shop = await createWorld()
  shop.order('A-1')

  const named = async (order: string, ...sent: Record<string, string>[]) => {
    for (const headers of sent) {
      await shop.ask('/checkout/initiate', { ...formOf(order), headers: { origin: SHOP, ...headers } })
    }

    return shop.logged.filter(({ message }) => message.startsWith('Requests arrive under another host'))
  }

  expect([await named('A-1', ...right), await named('NOBODY', other)]).toEqual([[], []])
  expect(await named('A-1', other, other)).toMatchObject([
    { level: 'warn', facts: { ...other, public_url: 'http://127.0.0.1:4020' } },
  ])
})

const SECOND = 1_000
const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736'
const TRACEPARENT = `00-${TRACE_ID}-00f067aa0ba902b7-01`

describe('a trace', () => {
  const idsOf = (headers: (string | undefined)[]) =>
    new Set(headers.filter(Boolean).map((header) => readTraceId(header)))

  test("a trace of the merchant's request goes on to the gateway and to the event, over a restart", async () => {
    const away = { is: true }
    const shop = await createWorld({ backend: () => new Response(null, { status: away.is ? 500 : 204 }) })
    await shop.api('/payouts', PAYOUTS.local, { traceparent: TRACEPARENT })
    await shop.later(60 * SECOND)
    await shop.restart()
    away.is = false
    await shop.later(600 * SECOND)
    expect(shop.types()).toContain('payout.succeeded')
    expect(idsOf(shop.traceparents.gateway)).toEqual(new Set([TRACE_ID]))
    expect(idsOf(shop.traceparents.merchant)).toEqual(new Set([TRACE_ID]))
    expect(new Set(shop.traceparents.merchant).size).toBe(shop.traceparents.merchant.length)
    const about = shop.logged.filter(({ facts }) => 'trace_id' in facts && facts.trace_id === TRACE_ID)
    expect(about.map(({ message }) => message)).toEqual(
      expect.arrayContaining([
        'Exchange with the gateway',
        'The payout is settled: succeeded.',
        'An event could not be delivered to the merchant; it is retried.',
        "The merchant's backend accepted payout.succeeded.",
      ]),
    )
  })

  test('a trace of a checkout begins here, whatever its page sends, and differs from every other', async () => {
    const shop = await createWorld()
    for (const order of ['A-1', 'A-2']) {
      shop.order(order)
      const headers = { accept: 'application/json', traceparent: TRACEPARENT }
      const answer = await shop.ask('/checkout/initiate', posted({ order, ...PAYER }, headers))
      await shop.pay(await answer.json(), 'approve')
    }

    await shop.later(10 * SECOND)
    const told = idsOf(shop.traceparents.merchant)
    expect(told.size).toBe(2)
    expect(told).not.toContain(TRACE_ID)
    expect(idsOf(shop.traceparents.gateway)).toEqual(told)
  })

  test.each([
    '',
    '00-0-0-01',
    `ff-${TRACE_ID}-00f067aa0ba902b7-01`,
    `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`,
  ])('a trace is not taken over from the invalid header "%s"', (header) =>
    expect(readTraceId(header)).toBeNull(),
  )
})

async function logged(env: Record<string, string>, isTTY: boolean): Promise<string> {
  let text = ''

  const write = (chunk: unknown, _: BufferEncoding, done: () => void) => {
    text += String(chunk)
    done()
  }

  const stdout = Object.assign(new Writable({ write }), { isTTY })
  const log = await createLog({ level: 'info', stdout, env })
  log.info({ reference: 'A-1', ms: 31, trace_id: 'abc' }, 'The checkout is settled: paid.')
  log.warn({ err: new Error('refused \u001b[2J') }, 'An event could not be delivered.')
  log.debug({}, 'Not at this level.')
  return text
}

test('on a terminal, each entry is a readable line', async () => {
  const [paid, failed, ...stack] = (await logged({ NO_COLOR: '1' }, true)).trimEnd().split('\n')
  expect(paid).toMatch(/^\d\d:\d\d:\d\d The checkout is settled: paid\. reference=A-1 ms=31$/)
  expect(failed).toMatch(/^\d\d:\d\d:\d\d warning An event could not be delivered\. refused \?\[2J$/)
  expect(stack.length).toBeGreaterThan(0)
  expect(stack.filter((line) => !/^ +at /.test(line))).toEqual([])
})

test('so it is where a framework runs the server for a developer, without a terminal', async () => {
  expect(await logged({ NODE_ENV: 'development' }, false)).toMatch(
    /^\d\d:\d\d:\d\d The checkout is settled: paid\./,
  )
})

test('colours need a terminal without NO_COLOR', async () => {
  expect(await logged({}, true)).toContain('\u001b[33mwarning\u001b[0m')
  expect(await logged({ TERM: 'dumb' }, true)).not.toContain('\u001b')
  expect(await logged({ NO_COLOR: '1' }, true)).not.toContain('\u001b')
  expect(await logged({ NODE_ENV: 'development' }, false)).not.toContain('\u001b')
})

test('elsewhere, each entry is JSON', async () => {
  const lines = (await logged({ NODE_ENV: 'production' }, false)).trimEnd().split('\n')
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    expect.objectContaining({ level: 30, reference: 'A-1', trace_id: 'abc' }),
    expect.objectContaining({ level: 40, err: expect.objectContaining({ message: 'refused \u001b[2J' }) }),
  ])
})
