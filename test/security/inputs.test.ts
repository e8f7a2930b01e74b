import fc from 'fast-check'
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'

import { CheckoutPayload } from '../../server/contract/checkout.ts'
import { parseJson, withLongNumbersAsText } from '../../server/contract/parse.ts'
import { createMaskedFetch } from '../../server/http/masked-fetch.ts'
import { toReportedState } from '../../server/payins/status-answer.ts'
import { isAllowedReturn } from '../../server/routes/allowed-pages.ts'
import { withoutPunctuation } from '../../server/routes/checkout-form.ts'
import { serverBase } from '../../widget/button/checkout-settings.ts'
import { describedApp } from '../support/described.ts'
import { problemsOf } from '../support/least-config.ts'
import { sourcesIn } from '../support/source-tree.ts'
import { localPayout } from '../support/spec/payouts.ts'
import { checkoutPayload, paymentRecord } from '../support/spec/shapes.ts'
import { createApiWorld } from '../support/worlds/api-world.ts'
import { API_KEY, SHOP } from '../support/worlds/environment.ts'
import { posted } from '../support/worlds/sandbox-line.ts'
import { createScriptedGateway, failureOf, json } from '../support/worlds/scripted-gateway.ts'
import { PAYER, createWorld } from '../support/worlds/world.ts'

import type { GatewayClient } from '../../server/gateway/client.ts'
import type { FetchInit } from '../../server/http/exchange.ts'

/** An input of eight times the size may take so many times the processor time: a quadratic algorithm takes 64 times. */
const MAX_GROWTH = 24
/** Less is lost in the noise. Quadratic algorithms took from 60 ms to 14 s for these inputs. */
const LEAST_CPU_MS = 30

/** Checks that the processor time of `work` grows with the size of its input, and not with its square. */
async function expectLinear(work: (size: number) => unknown, size: number) {
  const small = await leastCpuOf(() => work(size / 8))
  expect(await leastCpuOf(() => work(size))).toBeLessThan(Math.max(LEAST_CPU_MS, MAX_GROWTH * small))
}

test.each<[string, number, (size: number) => unknown]>([
  ['an Accept-Language header of many commas', 16_000, (size) => askForPage(','.repeat(size))],
  ['an address with many full stops', 60_000, (size) => withoutPunctuation(`${'.'.repeat(size)}a`)],
  [
    'PUBLIC_URL with many slashes',
    60_000,
    (size) => configured('PUBLIC_URL', `https://a${'/'.repeat(size)}b`),
  ],
  [
    'a secret of many letters',
    60_000,
    (size) => configured('MERCHANT_API_KEY', `${'a'.repeat(size)}bcdefghi`),
  ],
  [
    'the attribute server with many slashes',
    60_000,
    (size) => serverBase(`//a${'/'.repeat(size)}b`, 'https://a'),
  ],
  [
    'JSON of many quotes and spaces',
    250_000,
    (size) => parseJson(`["${'\\"'.repeat(size)}"${' '.repeat(size)}]`),
  ],
  ['a report of many payments', 1_000, (size) => toReportedState(reportOf(size), 0, 'KES')],
  [
    'JSON of many texts without an end',
    100_000,
    (size) => withLongNumbersAsText(`${'9'.repeat(17)}${'"\\'.repeat(size)}`),
  ],
  [
    'JSON of many quotes',
    250_000,
    (size) => withLongNumbersAsText(`${'9'.repeat(17)}${'"'.repeat(size + 1)}`),
  ],
  [
    'an answer of many backslashes, in which secrets are hidden',
    100_000,
    (size) => tellMasked('\\'.repeat(size), '+/a secret of a test'),
  ],
  [
    'an answer in which an access token of many signs is hidden',
    100_000,
    (size) => tellMasked('.-+/'.repeat(size / 4), '.-+/'.repeat(size / 4)),
  ],
])('%s takes little time', async (_, size, work) => {
  await expectLinear(work, size)
})

test.each(['{}', '0', 'null'])(
  'a charge with as many splits "%s" as its body can hold takes little time',
  async (split) => {
    const world = await createWorld()
    const headers = { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json' }

    const charge = async (size: number) => {
      const list = Array.from({ length: size / (split.length + 1) }, () => split).join()
      const body = `{"extra_data":{"split_settlements":[${list}]}}`
      const answer = await world.ask('/api/charges', { method: 'POST', headers, body })
      expect(answer.status).toBe(422)
    }

    await expectLinear(charge, 31_000)
  },
)

const NONSENSE = Array.from({ length: 900 }, () => ({}))
const MAX_CHARACTERS = 10_000

test('the log says in few words what is wrong with an order of 900 wrong splits', async () => {
  const world = await createWorld()
  world.orders.set('A-1', {
    order: 'A-1',
    amount: '5',
    currency: 'KES',
    narration: 'x',
    splits: Object(NONSENSE),
  })
  expect((await world.initiate('A-1', PAYER)).status).toBe(503)
  expect(world.logged.at(-1)?.message).toContain('and more than 80 more')
  expect(world.logged.at(-1)?.message.length).toBeLessThan(MAX_CHARACTERS)
})

test('an error says in few words what is wrong with 900 rates', async () => {
  const rates = Object.fromEntries(NONSENSE.map((rate, index) => [`${'x'.repeat(1_000)}${index}`, rate]))
  const gateway = createScriptedGateway(() => json({ base_currency: 'KES', rates }))
  const { code, message } = await failureOf(gateway.outcome(gateway.client.getRates('KES')))
  expect(code).toBe('gateway_answer_invalid')
  expect(message.length).toBeLessThan(MAX_CHARACTERS)
})

const RECIPIENTS = 100_000
/**
 * For lists of 100,000 items. Six times the CPU time on a machine of its own: on a busy one the same work takes up to
 * four times as long.
 */
const MAX_LIST_CPU_MS = 3_000

test.each<[string, recipient: (index: number) => unknown]>([
  ['words', () => ({ phone_number: 'x', amount: '-' })],
  [
    'valid recipients, and nonsense at the end',
    (index) => (index < RECIPIENTS - 200 ? { phone_number: `2547${10_000_000 + index}`, amount: '1' } : 'x'),
  ],
])('an airtime list of %s is refused in a small response, without a long pause', async (_, recipient) => {
  const world = await createWorld()
  const recipients = Array.from({ length: RECIPIENTS }, (_item, index) => recipient(index))
  const { answer, cpuMs } = await cpuOf(() => world.api('/airtime', { reference: 'A-1', recipients }))
  expect(answer.status).toBe(422)
  const text = await answer.text()
  expect(text.length).toBeLessThan(30_000)
  const { errors, detail } = JSON.parse(text)
  expect({ errors: errors.length, detail }).toEqual({
    errors: 100,
    detail: expect.stringContaining('more than 80 more'),
  })
  expect(cpuMs).toBeLessThan(MAX_LIST_CPU_MS)
})

test.each([
  [
    'airtime entries',
    2_000,
    (client: GatewayClient): Promise<unknown> => client.getAirtimeStatus('A-1'),
    (list: unknown[]) => list,
  ],
  [
    'payments',
    1_000,
    (client: GatewayClient): Promise<unknown> =>
      client.getCheckoutStatus(checkoutPayload.merchant_transaction_id),
    (payments: unknown[]) => ({ ...checkoutPayload, payments }),
  ],
  [
    'payments of a charge',
    1_000,
    (client: GatewayClient): Promise<unknown> => client.getChargeStatus('C-1'),
    (payments: unknown[]) => ({ ...checkoutPayload, payments }),
  ],
])(
  'an answer of the gateway with more %s than %i is refused without a long pause',
  async (_, most, ask, bodyWith) => {
    const gateway = createScriptedGateway(() => json(bodyWith(Array(100_000).fill({}))))
    const { answer, cpuMs } = await cpuOf(() => failureOf(gateway.outcome(ask(gateway.client))))
    const { code, message } = answer
    expect({ code, message }).toEqual({
      code: 'gateway_answer_invalid',
      message: expect.stringContaining(`must have at most ${most} items`),
    })
    expect(cpuMs).toBeLessThan(MAX_LIST_CPU_MS)
  },
)

function reportOf(size: number) {
  const payments = Array.from({ length: size }, (_, index) => ({
    ...paymentRecord,
    transaction_id: String(index),
  }))
  return CheckoutPayload.parse({ ...checkoutPayload, payments })
}

/** Tells an answer in which a secret is hidden. */
async function tellMasked(text: string, secret: string) {
  const fetch = createMaskedFetch(() => new Response(text), [secret])
  const { signal } = new AbortController()
  const { mask } = await fetch(SHOP, { method: 'GET', headers: {}, signal, redirect: 'manual' })
  return mask?.(text)
}

function askForPage(language: string) {
  return describedApp.request('/nothing', { headers: { accept: 'text/html', 'accept-language': language } })
}

function configured(name: string, value: string) {
  return problemsOf({ [name]: value })
}

async function cpuOf<T>(work: () => T): Promise<{ answer: Awaited<T>; cpuMs: number }> {
  const before = process.cpuUsage()
  const answer = await work()
  const { user, system } = process.cpuUsage(before)
  return { answer, cpuMs: (user + system) / 1_000 }
}

async function leastCpuOf(work: () => unknown): Promise<number> {
  const times = []
  for (let run = 0; run < 5; run++) {
    times.push((await cpuOf(work)).cpuMs)
  }

  return Math.min(...times)
}

const THROWING: readonly unknown[] = [
  { length: { toString: 1 } },
  { size: { toString: 1, valueOf: 1 } },
  { toString: 1, valueOf: 1, toJSON: 1 },
  [{ length: { valueOf: 1, toString: null } }],
]

// Once Node 20 has optimized it, URL.canParse accepts this host, and new URL throws.
const LATIN = 'http://\u00de\u009b'

test('text that optimized code takes for a URL is refused all the same', () => {
  const isAllowed = (url: string) => isAllowedReturn(url, [SHOP])
  const wrong: number[] = []
  for (let round = 0; round < 10_000; round++) {
    if (!isAllowed(SHOP) || isAllowed(LATIN)) {
      wrong.push(round)
    }
  }

  expect(wrong).toEqual([])
  const users = sourcesIn('server', 'demo').filter((path) =>
    /URL\.canParse\(/.test(readFileSync(path, 'utf8')),
  )
  expect(users).toEqual([])
})

test('no schema compares the length of a value that may have another type', () => {
  const isHasty = (text: string) => /z\s*\.(string|array)\([^)]*\)\s*\.(min|max|length|nonempty)\(/.test(text)
  const files = sourcesIn('server', 'demo').filter((path) => isHasty(readFileSync(path, 'utf8')))
  expect(files).toEqual([])
})

test.each(THROWING)(
  'in ORDER_PUBLIC_KEYS, a value on which a parser throws is named as a problem of the configuration',
  (value) => {
    for (const keys of [value, [{ kid: value }], [{ kid: 'a', crv: value }]]) {
      expect(problemsOf({ ORDER_PUBLIC_KEYS: JSON.stringify({ keys }) })).toEqual([
        expect.stringContaining('ORDER_PUBLIC_KEYS must be'),
      ])
    }
  },
)

test.each(THROWING)(
  'in a fault of the sandbox, a value on which a parser throws is refused',
  async (route) => {
    const { sandbox } = await createWorld()
    const answer = await sandbox.app.request('/_sandbox/faults', posted({ fault: 'html', route }))
    expect(answer.status).toBe(400)
  },
)

// Two programs read such JSON differently: the first or the last value counts.
const TWICE = [
  ['as it is', '"amount":"1","amount":"1500"'],
  ['with spaces', '"amount" : "1" , "amount"\n:"1500"'],
  ['escaped', '"amount":"1","\\u0061mount":"1500"'],
  ['deeper', '"amount":"1500","payer":{"name":"Asha","name":"Juma"}'],
  ['with what is within', '"amount":"1500","splits":{"a":1},"splits":[]'],
] as const

describe.each(TWICE)('JSON that names a field twice, %s, is refused', (_, twice) => {
  test('from the API', async () => {
    const world = await createWorld()
    const headers = { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json' }
    for (const path of ['/api/payouts', '/checkout/initiate']) {
      const answer = await world.ask(path, { method: 'POST', headers, body: `{"order":"A-1",${twice}}` })
      expect(await answer.json()).toMatchObject({
        code: 'invalid_request',
        detail: expect.stringContaining('names a field twice'),
      })
    }
  })

  test('from ORDERS_URL', async () => {
    const body = `{"order":"A-1","currency":"KES","narration":"Two kangas",${twice}}`
    const { answer, logged } = await start('A-1', () => new Response(body))
    expect(await answer.json()).toMatchObject({ code: 'orders_unavailable' })
    expect(logged.join()).toContain('names a field twice')
  })

  test('from the gateway', async () => {
    const text = JSON.stringify({ ...checkoutPayload, amount: undefined }).replace('{', `{${twice},`)
    const gateway = createScriptedGateway(() => new Response(text))
    const asked = gateway.client.getCheckoutStatus(checkoutPayload.merchant_transaction_id)
    expect(await failureOf(gateway.outcome(asked))).toMatchObject({
      code: 'gateway_answer_unreadable',
      message: expect.stringContaining('names a field twice'),
    })
  })
})

test('JSON that names each field once is read as it is', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      const value = parseJson(text)
      expect(value).toEqual(JSON.parse(text.replaceAll(/\\u[dD][89a-fA-F]../g, '\\ufffd')))
    }),
  )
})

// A header of an e-mail, NUL, a terminal sequence, and marks that reverse, hide or end what follows.
test.each([
  '\r\nBcc: all@evil.example',
  '\0',
  '\u001b[2J',
  '\u009b2J',
  '\u202e',
  '\u2066\u2069',
  '\u200b',
  '\u2028',
])('what a page, an order and a backend write with %j goes to the gateway without it', async (evil) => {
  const shop = await createApiWorld()
  const text = `Asha${evil}Otieno`
  shop.order('A-1', '500', { narration: text })
  expect((await shop.initiate('A-1', { payer_name: text })).status).toBe(201)
  const payout = { ...localPayout, recipient_last_name: text, payment_description: text }
  expect((await shop.post('/payouts', payout)).status).toBe(201)
  const sent = shop.gatewayBodies().filter((body) => body.includes('Asha'))
  expect(sent.length).toBeGreaterThan(1)
  for (const body of sent) {
    expect(Object.values(JSON.parse(body)).join('')).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u)
    expect(body).toMatch(/Asha ?(\[?2J|Bcc: all@evil.example)?Otieno/)
  }
})

test.each(['asha@example.com\0x', 'asha@example.com\r\nBcc: all@evil.example', 'a@b.c, all@evil.example'])(
  'the e-mail address %j is refused',
  async (payer_email) => {
    const shop = await createApiWorld()
    shop.order('A-1')
    const answer = await shop.initiate('A-1', { payer_email })
    expect({ status: answer.status, errors: (await answer.json()).errors }).toMatchObject({
      status: 422,
      errors: [{ path: 'payer_email' }],
    })
  },
)

const ORDERS_URL = 'https://shop.example/internal/orders'

test.each([
  ...['../../admin', '/admin', 'A-1/', 'A//1', 'A/../1'].map((each) => [each, 'slash'] as const),
  ...['.', '..'].map((each) => [each, 'must not be "." or ".."'] as const),
  ...['..\\..\\admin', '%2e%2e%2fadmin', '..%5Cadmin', '%2e%2E', '%252e%252e%252fadmin'].map(
    (each) => [each, 'backslash'] as const,
  ),
  ...[
    'a/..?/admin',
    'a/..#/admin',
    'a/..;/admin',
    '..%3b/admin',
    'a/..%253b/admin',
    '..%3f/a',
    '..%23/a',
  ].map((each) => [each, 'before ";", "?" or "#"'] as const),
  ...['.%09./admin', 'a/..%00/admin', 'a/..%20/admin', 'a/%ef%bc%8e%ef%bc%8e/admin', 'a/.%E2%80%8B./b'].map(
    (each) => [each, 'between slashes'] as const,
  ),
  ['A-1\u0000', 'U+0000'] as const,
  ['A-1\r\nX-Admin: 1', 'U+000D'] as const,
  ['A-1\u0085', 'U+0085'] as const,
  ['A-\ud8001', 'U+FFFD'] as const,
])('an order that is a path is refused by name, and the backend is not asked: %j', async (order, named) => {
  const { answer, asked } = await start(order, () => Response.json({}))
  const { code, errors } = await answer.json()
  expect({ status: answer.status, code, errors, asked }).toMatchObject({
    status: 422,
    code: 'invalid_request',
    errors: [{ path: 'order' }],
    asked: [],
  })
  expect(errors[0].message).toContain(named)
})

test.each([
  'A-1',
  'A-1/refund',
  '...',
  '?all=1',
  '#1',
  'a;b=1',
  '@evil.example',
  '100%',
  'a..b',
  'a%2eb',
  '..a/b..',
  'x?admin=1',
  '.well-known',
])('no character of an order leaves the folder of ORDERS_URL: %j', async (order) => {
  const { asked } = await start(order, () => Response.json({}, { status: 404 }))
  expect(asked).toHaveLength(1)
  const { origin, pathname, search } = new URL(asked[0] ?? '')
  expect({ origin, search }).toEqual({ origin: 'https://shop.example', search: '' })
  expect(pathname.split('/').map(decodeURIComponent)).toEqual(['', 'internal', 'orders', order])
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
