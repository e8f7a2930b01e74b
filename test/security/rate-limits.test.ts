import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'

import { readConfig } from '../../server/config/config.ts'
import { Secret } from '../../server/config/secret.ts'
import { signOrder } from '../../server/index.ts'
import { silentLog } from '../../server/log/log.ts'
import { createLimiter } from '../../server/rate-limits/failed-requests.ts'
import { createClientNetwork } from '../../server/rate-limits/network.ts'
import { createCallbackTokens } from '../../server/transactions/callback-address.ts'
import { systemClock } from '../../server/work/clock.ts'
import { newFolder } from '../support/folder.ts'
import { LEAST } from '../support/least-config.ts'
import { clientOf, countByStatus, repeat } from '../support/worlds/client.ts'
import { BFF } from '../support/worlds/environment.ts'
import { createLimitedShop } from '../support/worlds/limited-shop.ts'
import { START } from '../support/worlds/world.ts'

import type { CheckoutView } from '../../server/api/view.ts'
import type { Environment } from '../../server/config/variables.ts'
import type { Client } from '../support/worlds/client.ts'

const ATTACKER = '203.0.113.7'
const SHOPPER = '198.51.100.4'
const CALLBACK_SECRET = 'Zq7-vN2x_kT9w.bL4m3RfY8s-callback'
const CREDENTIALS = 'gateway:k7-Tq2vN9x_w.bL4m3RfY8s'
const TRIES = 100
const KEY = 'a signing key of 32 bytes or more'

const POST = { method: 'POST', body: '{}' }
const basic = (pair: string) => ({ authorization: `Basic ${Buffer.from(pair).toString('base64')}` })
const resume = (client: Client, checkout_id: string, order: string) =>
  client.ask('/checkout/resume', {
    method: 'POST',
    headers: { accept: 'application/json' },
    body: new URLSearchParams({ order, checkout_id }),
  })
const forge = (client: Client, turn: number, headers: Record<string, string> = {}) =>
  client.ask(`/callbacks/checkout/A-${turn}.${'A'.repeat(22)}`, { ...POST, headers })
const genuinePath = (reference: string) =>
  `/callbacks/checkout/${createCallbackTokens('checkout', [new Secret(CALLBACK_SECRET)]).create(reference)}`
const signed = (order: string) =>
  signOrder(
    { order, amount: '500', currency: 'KES', narration: 'Two kangas' },
    { key: KEY, audience: BFF, issuedAt: START / 1_000, lifetime: 3_600 },
  )

interface Guessing {
  limit: string
  /** How many guesses of an address are answered in a minute, and how. */
  most?: number
  status: number
  env?: Environment
  /** Whether the answers are pages, as on the way back. */
  isPage?: boolean
  guess: (client: Client, turn: number, live: CheckoutView) => Promise<Response>
}

const checkouts = { limit: 'checkouts', status: 404 }
const GUESSES: Record<string, Guessing> = {
  'API keys': {
    limit: 'api_keys',
    most: 20,
    status: 401,
    guess: (client, turn) => client.api(`a wrong key, number ${turn}`),
  },
  orders: { limit: 'orders', status: 404, guess: (client, turn) => client.initiate(`${turn}`) },
  'orders by their pages': {
    limit: 'orders',
    status: 404,
    guess: (client, turn) => client.ask(`/pay/${turn}`),
  },
  'orders by their pages, with a sign behind': {
    limit: 'orders',
    status: 404,
    guess: (client, turn) => client.ask(`/pay/${turn}.`),
  },
  'signed orders': {
    limit: 'orders',
    status: 422,
    env: { ORDERS_URL: undefined, ORDERS_TOKEN: undefined, ORDER_SIGNING_KEY: KEY },
    guess: (client, turn) => client.initiate(`${turn}`),
  },
  'checkouts by status': { ...checkouts, guess: (client, turn) => client.ask(`/checkout/status/${turn}`) },
  'checkouts by stream': {
    ...checkouts,
    guess: (client, turn) => client.ask(`/checkout/status/${turn}/stream`),
  },
  'checkouts by return page': {
    ...checkouts,
    isPage: true,
    guess: (client, turn) => client.ask(`/checkout/return/${turn}`),
  },
  'checkouts by resume': { ...checkouts, guess: (client, turn) => resume(client, `${turn}`, 'A-1') },
  'the order of a checkout': {
    ...checkouts,
    guess: (client, turn, { checkout_id }) => resume(client, checkout_id, `A-guess-${turn}`),
  },
  'addresses of callbacks': { limit: 'callbacks', status: 404, guess: (client, turn) => forge(client, turn) },
  'addresses of callbacks by tests': {
    limit: 'callbacks',
    status: 404,
    guess: (client, turn) => client.ask(`/callbacks/checkout/A-${turn}.${'A'.repeat(22)}`),
  },
  'credentials of callbacks': {
    limit: 'callbacks',
    status: 401,
    env: { CALLBACK_BASIC_AUTH: CREDENTIALS },
    guess: (client, turn) => forge(client, turn, basic(`gateway:${turn}`)),
  },
}

/** Opens a shop with a live checkout. `text` writes an order as its pages do. */
async function openShop(env: Environment = {}) {
  const shop = createLimitedShop({ CALLBACK_SECRET, ...env })
  const text = async (order: string) => (env['ORDER_SIGNING_KEY'] ? signed(order) : order)
  const live: CheckoutView = await (await clientOf(shop.app, SHOPPER).initiate(await text('A-1'))).json()
  return { ...shop, text, live, client: clientOf(shop.app, ATTACKER) }
}

describe.each(Object.entries(GUESSES))('an address that guesses %s', (_, guessing) => {
  const { limit, most = 30, status, env, guess, isPage = false } = guessing

  test('an address that guesses gets so many answers a minute, then refusals with a wait, and the log has one warning', async () => {
    const { client, clock, live, logged, metricsText } = await openShop(env)
    const counts = { [status]: most, 429: TRIES - most }
    const answers = await repeat(TRIES, (turn) => guess(client, turn, live))
    expect(countByStatus(answers)).toEqual(counts)
    const last = answers.at(-1)!
    expect(Object.fromEntries(last.headers)).toMatchObject({
      'content-type': isPage ? 'text/html; charset=UTF-8' : 'application/problem+json',
      'retry-after': '60',
      ratelimit: `"${limit}";r=0;t=60`,
      'ratelimit-policy': `"${limit}";q=${most};w=60`,
    })
    if (!isPage) {
      expect(await last.json()).toMatchObject({ code: 'too_many_requests', status: 429, retryable: true })
    }

    const warnings = logged.filter(({ level }) => level === 'warn')
    expect(warnings.map(({ facts }) => facts)).toEqual([{ limit, network: '203.0.113.0/24' }])
    expect(await metricsText()).toContain(`limited_total{limit="${limit}"} ${TRIES - most}`)
    await clock.advance(60_000)
    const atOnce = await Promise.all(Array.from({ length: TRIES }, (__, turn) => guess(client, turn, live)))
    expect(countByStatus(atOnce)).toEqual(counts)
  })

  test('an address that guesses keeps nobody behind it from anything that exists', async () => {
    const { client, live, text } = await openShop(env)
    await repeat(100, (turn) => guess(client, turn, live))
    expect((await guess(client, 100, live)).status).toBe(429)
    expect((await client.api()).status).toBe(200)
    expect((await client.initiate(await text('A-2'))).status).toBe(201)
    expect((await client.ask(`/pay/${await text('A-3')}`)).status).toBe(200)
    const again = await client.initiate(await text('A-1'))
    expect(await again.json()).toMatchObject({ checkout_id: live.checkout_id })
    const own = [
      client.ask(`/checkout/status/${live.checkout_id}`),
      client.ask(`/checkout/status/${live.checkout_id}/stream`),
      client.ask(`/checkout/return/${live.checkout_id}`),
      resume(client, live.checkout_id, await text('A-1')),
      client.ask(genuinePath(live.merchant_transaction_id), { ...POST, headers: basic(CREDENTIALS) }),
    ]
    for (const answer of await Promise.all(own)) {
      expect(answer.status).toBe(200)
      await answer.body?.cancel()
    }
  })
})

test('the right credentials, once guessed, show nothing without a genuine address', async () => {
  const { client } = await openShop({ CALLBACK_BASIC_AUTH: CREDENTIALS })
  await repeat(30, (turn) => forge(client, turn, basic(`gateway:${turn}`)))
  expect((await forge(client, 30, basic(CREDENTIALS))).status).toBe(429)
})

test('callbacks about transactions that were pruned are not counted', async () => {
  const { client } = await openShop()
  const answers = await repeat(100, (turn) => client.ask(genuinePath(`pruned-${turn}`), POST))
  expect(countByStatus(answers)).toEqual({ 404: 100 })
})

test('a shopper whose page polls a pruned checkout for ten minutes can still start and watch another', async () => {
  const { app, clock } = createLimitedShop()
  const shopper = clientOf(app, SHOPPER)
  for (let poll = 0; poll < 300; poll++) {
    await shopper.ask('/checkout/status/pruned')
    await clock.advance(2_000)
  }

  await repeat(100, () => shopper.ask('/checkout/status/pruned'))
  const { checkout_id } = await (await shopper.initiate('A-1')).json()
  expect((await shopper.ask(`/checkout/status/${checkout_id}`)).status).toBe(200)
})

test('200 shoppers behind one address pay at once, also while their neighbour guesses', async () => {
  const { app, lookups } = createLimitedShop()
  const address = clientOf(app, ATTACKER)
  const guesses = Promise.all(Array.from({ length: 100 }, (_, order) => address.initiate(`${order}`)))
  const answers = Promise.all(Array.from({ length: 200 }, (_, order) => address.initiate(`A-${order}`)))
  expect(countByStatus(await answers)).toEqual({ 201: 200 })
  expect(countByStatus(await guesses)).toEqual({ 404: 30, 429: 70 })
  expect(lookups).toHaveLength(300)
})

const OTHER = '198.51.100.4'
const PROXY = '10.1.2.3'
const PROXIES = '10.0.0.0/8,2001:db8:ffff::/48'

const socket = (remoteAddress: string) => ({ incoming: { socket: { remoteAddress } } })
const handedOn = (address: string) => ({ address })
const by = (xForwardedFor: string) => ({ 'x-forwarded-for': xForwardedFor })

/** Returns the function that finds the network of a client, for a value of TRUSTED_PROXIES. */
function networks(TRUSTED_PROXIES: string) {
  const warned: string[] = []
  const log = { ...silentLog, warn: (_: object, message: string) => void warned.push(message) }
  const find = createClientNetwork(readConfig({ ...LEAST, TRUSTED_PROXIES }), log)
  const networkOf = (env: unknown, headers: Record<string, string> = {}) =>
    find({ env, req: { header: (name) => headers[name] } })
  return { networkOf, warned }
}

test.each<[proxies: string, env: object, headers: Record<string, string>, network: string]>([
  ['', socket(ATTACKER), {}, ATTACKER],
  // However the socket writes it.
  ['', socket(`::ffff:${ATTACKER}`), {}, ATTACKER],
  ['', socket(`64:ff9b::${ATTACKER}`), {}, ATTACKER],
  // All addresses of an IPv6 /64 count as one.
  ['', socket('2001:db8:1:2::7'), {}, '2001:db8:1:2::/64'],
  ['', socket('2001:db8:1:2:ffff::1'), {}, '2001:db8:1:2::/64'],
  // Of TRUSTED_PROXIES, the client is the last address that is not one of them.
  [PROXIES, socket(PROXY), by(ATTACKER), ATTACKER],
  [PROXIES, socket(PROXY), by(`${ATTACKER}:4711, 10.9.9.9`), ATTACKER],
  [PROXIES, socket(PROXY), { forwarded: `for=${ATTACKER};proto=https` }, ATTACKER],
  [PROXIES, socket(PROXY), { forwarded: `proto=https;for="${ATTACKER}:1"` }, ATTACKER],
  [PROXIES, socket(PROXY), { forwarded: `for=${ATTACKER};host="x,for=${SHOPPER}"` }, ATTACKER],
  [PROXIES, socket(PROXY), { forwarded: `host="x;for=${SHOPPER}";for=${ATTACKER}` }, ATTACKER],
  [
    PROXIES,
    socket(PROXY),
    { forwarded: `host="x\\",for=${SHOPPER}";For = ${ATTACKER}:80 ; by=_a` },
    ATTACKER,
  ],
  [PROXIES, socket(PROXY), { forwarded: `for=${SHOPPER}, for="${ATTACKER}"` }, ATTACKER],
  [PROXIES, socket('2001:db8:ffff::1'), { forwarded: 'for="[2001:db8::1]:4711"' }, '2001:db8:0:0::/64'],
  [PROXIES, socket(PROXY), { ...by(ATTACKER), forwarded: `for=${ATTACKER}` }, ATTACKER],
  // A client cannot write its own address.
  [PROXY, socket(PROXY), by(`${OTHER}, ${ATTACKER}`), ATTACKER],
  ['none', socket(ATTACKER), by(OTHER), ATTACKER],
  // Where a framework hands on the client's address, or that of a trusted proxy.
  ['', handedOn(ATTACKER), by(OTHER), ATTACKER],
  [PROXIES, handedOn(PROXY), by(ATTACKER), ATTACKER],
])('behind TRUSTED_PROXIES=%s, a request of %j with %j is of %s', (proxies, env, headers, network) => {
  const { networkOf, warned } = networks(proxies)
  expect({ network: networkOf(env, headers), warned }).toEqual({ network, warned: [] })
})

test.each<[string, proxies: string, connection: string, headers: Record<string, string>[], warning: string]>([
  [
    'headers that no trusted proxy sent',
    '',
    ATTACKER,
    [by(OTHER), by(' '), by(''), { forwarded: `for=${OTHER}` }],
    'but not from TRUSTED_PROXIES',
  ],
  [
    'a proxy that names no client',
    PROXIES,
    PROXY,
    [{}, { 'x-real-ip': OTHER }, by('unknown'), by('10.9.9.9'), by(''), { forwarded: 'proto=https' }],
    'names no client',
  ],
  [
    'a proxy whose Forwarded cannot be read, or names two',
    PROXIES,
    PROXY,
    [{ forwarded: `for=${OTHER};host="x,for=${OTHER}` }, { forwarded: `for=${ATTACKER};for=${OTHER}` }],
    'names no client',
  ],
  ['proxies everywhere', '0.0.0.0/0', ATTACKER, [by(OTHER), by(`${OTHER}, ${PROXY}`)], 'names no client'],
  [
    'a proxy that passes on a header of the client beside its own',
    PROXIES,
    PROXY,
    [
      { ...by(OTHER), forwarded: `for=${ATTACKER}` },
      { ...by(ATTACKER), forwarded: `for=${OTHER}` },
      { ...by('unknown'), forwarded: `for=${OTHER}` },
    ],
    'another one in Forwarded',
  ],
])('with %s, requests count for the address of the connection, and the log says so once', (...row) => {
  const [, proxies, connection, all, warning] = row
  const { networkOf, warned } = networks(proxies)
  for (const headers of [...all, ...all]) {
    expect(networkOf(socket(connection), headers)).toBe(connection)
  }

  expect(warned).toEqual([expect.stringContaining(warning)])
})

test.each([
  ['no address', undefined],
  ['an empty text', handedOn('')],
  ['a word', handedOn('unknown')],
  ['a name', handedOn('localhost')],
  ['a whole header', handedOn(`${ATTACKER}, ${PROXY}`)],
])('where a framework hands on %s, the client is unknown, and the log says so once', (_, env) => {
  const { networkOf, warned } = networks('')
  expect(networkOf(env)).toBeNull()
  expect(networkOf(env)).toBeNull()
  expect(warned).toEqual([expect.stringContaining('fetch(request, { address })')])
})

describe('the template for Next', () => {
  const ROUTE = 'app/pay/[[...path]]/route.js'

  /** Guesses 40 keys through the route of the template. Next hands on the client's own X-Forwarded-For, if it has one. */
  async function guess(TRUSTED_PROXIES: string | undefined, header: (attempt: number) => string) {
    const { app, logged } = createLimitedShop({ TRUSTED_PROXIES })
    vi.stubGlobal('paymentServer', app)
    vi.stubEnv('TRUSTED_PROXIES', TRUSTED_PROXIES)
    const folder = newFolder()
    cpSync(join('demo/create/templates/next', ROUTE), join(folder, ROUTE))
    writeFileSync(join(folder, 'pay.mjs'), 'export const pay = async () => globalThis.paymentServer')
    const { GET } = await import(join(folder, ROUTE))
    let attempt = 0
    const answers = await repeat(40, async () => {
      const headers = { authorization: 'Bearer wrong', 'x-forwarded-for': header(attempt++) }
      return GET(new Request('https://shop.example/api/payouts', { headers }))
    })
    vi.unstubAllGlobals()
    vi.unstubAllEnvs()
    return {
      statuses: countByStatus(answers),
      warned: logged.filter(({ message }) => message.startsWith('Requests')),
    }
  }

  test.each([
    ['none', 'none'],
    ['nothing', undefined],
  ])(
    'the template for Next believes no header of the client: without a proxy (TRUSTED_PROXIES: %s), clients are unknown',
    async (_, proxies) => {
      const { statuses, warned } = await guess(proxies, () => SHOPPER)
      expect(statuses).toEqual({ 401: 40 })
      expect(warned).toMatchObject([{ message: expect.stringContaining("without the client's address") }])
    },
  )

  test('the template for Next counts the address that the proxy adds, whatever the client writes before it', async () => {
    const { statuses } = await guess(PROXIES, (attempt) => `198.51.100.${attempt}, ${ATTACKER}`)
    expect(statuses).toEqual({ 401: 20, 429: 20 })
  })
})

test('no limit per address applies to clients that are unknown', async () => {
  const { app } = createLimitedShop()
  const headers = { authorization: 'Bearer wrong' }
  const answers = await repeat(50, async () => app.request('/api/payouts', { headers }))
  expect(countByStatus(answers)).toEqual({ 401: 50 })
})

test('requests without a key, which another website can cause, do not lock out the merchant', async () => {
  const { app } = createLimitedShop()
  const merchant = clientOf(app, OTHER)
  const answers = await Promise.all(Array.from({ length: 100 }, () => merchant.api('')))
  expect(countByStatus(answers)).toEqual({ 401: 100 })
  expect((await merchant.api()).status).toBe(200)
})

test('20,001 networks with wrong keys do not end the refusal of an address that guessed orders', () => {
  const { take } = createLimiter({ clock: systemClock, log: silentLog, metrics: undefined })
  for (let order = 0; order < 30; order++) {
    expect(take('orders', ATTACKER)).toBeNull()
  }

  for (let network = 0; network < 20_001; network++) {
    take('api_keys', `2001:db8:1:${network}::/64`)
  }

  expect(take('orders', ATTACKER)).toMatchObject({ code: 'too_many_requests' })
})
