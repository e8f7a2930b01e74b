import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect, createServer as createSocketServer } from 'node:net'
import { Worker } from 'node:worker_threads'
import { afterEach, describe, expect, test } from 'vitest'
import type { Server as SocketServer } from 'node:net'
import type { LookupFunction } from 'node:net'
import type { Environment } from '../../server/config/config.ts'
import type { Fetch } from '../../server/http/exchange.ts'
import { createApp } from '../../server/app.ts'
import { readConfig } from '../../server/config/config.ts'
import { createPooledFetch } from '../../server/http/pooled-fetch.ts'
import { openStore } from '../../server/store/open.ts'
import { localPayout } from '../support/spec-payouts.ts'
import { authAnswer } from '../support/spec-shapes.ts'
import { API_KEY, ENVIRONMENT, PAYER } from '../support/world.ts'

const closing: (() => void)[] = []
afterEach(() => closing.splice(0).forEach((close) => close()))

const PRODUCTION = {
  ...ENVIRONMENT,
  GATEWAY_ENVIRONMENT: 'production',
  GATEWAY_CONSUMER_KEY: 'the-consumer-key',
  GATEWAY_CONSUMER_SECRET: 'the-consumer-secret',
  PUBLIC_URL: 'https://pay.shop.example',
}
const ORDER = { order: 'A-1', amount: '500', currency: 'KES', narration: 'Two kangas' }

describe('in production, a name that resolves to a private address', () => {
  const TARGETS = {
    gateway: { GATEWAY_BASE_URL: 'https://gateway.example' },
    orders: {
      GATEWAY_BASE_URL: 'https://9.9.9.9',
      ORDERS_URL: 'https://orders.example',
      ORDERS_TOKEN: 'a token of the backend of the shop',
    },
    webhook: { GATEWAY_BASE_URL: 'https://gateway.example', MERCHANT_WEBHOOK_URL: 'https://events.example' },
  }
  const ADDRESSES = ['127.0.0.1', '::ffff:127.0.0.1']

  test.each(ADDRESSES)('gets no connection from a request to the gateway: %s', async (address) => {
    const { env, connections, lookup } = await startCountingServer(address, TARGETS.gateway)
    const app = open({ ...env, MERCHANT_WEBHOOK_URL: undefined }, lookup, { withOrders: true })
    expect((await app.initiate()).status).toBe(503)
    expect(connections()).toBe(0)
  })

  test.each(ADDRESSES)(
    'gets no connection from a request for an order, unless it is allowed: %s',
    async (address) => {
      const { env, connections, lookup } = await startCountingServer(address, TARGETS.orders)
      const plain = { ...env, MERCHANT_WEBHOOK_URL: undefined }
      expect((await open(plain, lookup).initiate()).status).toBe(503)
      expect(connections()).toBe(0)
      expect((await open({ ...plain, PRIVATE_HOSTS: 'orders.example' }, lookup).initiate()).status).toBe(503)
      expect(connections()).toBe(1)
    },
  )

  test('gets no connection from a webhook, unless it is allowed', async () => {
    const { env, connections, lookup } = await startCountingServer('127.0.0.1', TARGETS.webhook)
    for (const PRIVATE_HOSTS of ['', 'events.example']) {
      const app = open({ ...env, PRIVATE_HOSTS }, lookup, { withOrders: true, gateway: refusingPayouts })
      await app.payOut()
      await expect.poll(() => app.logged.join(), { timeout: 10_000 }).toContain('could not be delivered')
      expect(connections()).toBe(PRIVATE_HOSTS ? 1 : 0)
    }
  })

  test('is reached in a rehearsal, which is logged at start', async () => {
    const { env, connections, lookup } = await startCountingServer('127.0.0.1', TARGETS.gateway)
    const rehearsal = { ...env, MERCHANT_WEBHOOK_URL: undefined, GATEWAY_REHEARSAL: '1' }
    const app = open(rehearsal, lookup, { withOrders: true })
    expect(app.logged).toEqual([expect.stringContaining('GATEWAY_REHEARSAL is set')])
    await app.initiate()
    expect(connections()).toBeGreaterThan(0)
  })
})

describe('a redirect is not followed', () => {
  test.each([302, 307])('by requests to the gateway, for orders, and of webhooks: %i', async (status) => {
    const trap = await serve(() => [200, {}, '{}'])
    const away = await serve(() => [status, { location: `${trap.url}/stolen` }, ''])
    const token = await serve((path) =>
      path === '/v1/auth'
        ? [200, {}, JSON.stringify(authAnswer)]
        : [status, { location: `${trap.url}/stolen` }, ''],
    )
    const base = { ...ENVIRONMENT, MERCHANT_WEBHOOK_URL: undefined }
    for (const gateway of [away, token]) {
      const app = open({ ...base, GATEWAY_BASE_URL: gateway.url }, undefined, { withOrders: true })
      expect([502, 503]).toContain((await app.initiate()).status)
      expect(gateway.count()).toBeGreaterThan(0)
    }
    const orders = { ORDERS_URL: `${away.url}/orders`, ORDERS_TOKEN: 'a token of the backend of the shop' }
    expect((await open({ ...base, ...orders }).initiate()).status).toBe(503)

    const webhook = { ...ENVIRONMENT, MERCHANT_WEBHOOK_URL: `${away.url}/events` }
    const app = open(webhook, undefined, { withOrders: true, gateway: refusingPayouts })
    await app.payOut()
    await expect.poll(() => app.logged.join(), { timeout: 10_000 }).toContain('could not be delivered')
    expect(trap.count()).toBe(0)
  })
})

async function startCountingServer(address: string, urls: Record<string, string>) {
  let connected = 0
  const server: SocketServer = createSocketServer((socket) => {
    connected += 1
    socket.on('error', () => {}).destroy()
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  closing.push(() => server.close())
  const port = portOf(server)
  const withPort = ([name, url]: [string, string]) => [
    name,
    url.includes('.example') ? `${url}:${port}` : url,
  ]
  const lookup: LookupFunction = (_, options, callback) => {
    const family = address.includes(':') ? 6 : 4
    if (options.all) callback(null, [{ address, family }])
    else callback(null, address, family)
  }
  const env: Environment = { ...PRODUCTION, ...Object.fromEntries(Object.entries(urls).map(withPort)) }
  return { env, lookup, connections: () => connected }
}

type Reply = (path: string) => [status: number, headers: Record<string, string>, body: string]

async function serve(reply: Reply) {
  let count = 0
  const server = createServer((request, response) => {
    count += 1
    const [status, headers, body] = reply(request.url ?? '')
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  closing.push(() => server.close().closeAllConnections())
  return { url: `http://127.0.0.1:${portOf(server)}`, count: () => count }
}

function portOf(server: SocketServer): number {
  const address = server.address()
  return typeof address === 'object' && address ? address.port : 0
}

const refusingPayouts: Fetch = (url) =>
  Response.json(
    url.endsWith('/v1/auth')
      ? authAnswer
      : {
          payout_reference: localPayout.payout_reference,
          response_code: 721,
          response_description: 'Rejected.',
          error_code: 'FAILED',
        },
  )

interface Options {
  withOrders?: boolean
  gateway?: Fetch
}

function open(env: Environment, lookup?: LookupFunction, { withOrders = false, gateway }: Options = {}) {
  const config = readConfig({
    ...env,
    ...(env['MERCHANT_WEBHOOK_URL'] ? {} : { MERCHANT_WEBHOOK_SECRET: undefined }),
  })
  const logged: string[] = []
  const log = (_: object, message: string) => void logged.push(message)
  const pooled = createPooledFetch({ privateHosts: config.privateHosts, ...(lookup && { lookup }) })
  const app = createApp({
    config,
    store: openStore('sqlite::memory:'),
    log: { debug() {}, info() {}, warn: log, error: log },
    fetch: (url, init) =>
      gateway && url.startsWith(config.gateway.baseUrl) ? gateway(url, init) : pooled(url, init),
    ...(withOrders && { orders: () => ORDER }),
  })
  const stop = new AbortController()
  void app.work(stop.signal)
  closing.push(() => stop.abort())
  const post = (path: string, body: object) =>
    app.request(path, {
      method: 'POST',
      headers: {
        accept: 'application/json',
        'content-type': 'application/json',
        authorization: `Bearer ${API_KEY}`,
      },
      body: JSON.stringify(body),
    })
  return {
    logged,
    initiate: () => post('/checkout/initiate', { order: 'A-1', ...PAYER }),
    payOut: async () => expect((await post('/api/payouts', localPayout)).status).toBe(201),
  }
}

test('a slow TCP handshake has more time than 250 ms, although the other address has no route', async () => {
  // The thread accepts nothing for a while: its queue is full, and the SYN is sent again after a second.
  const worker = new Worker(
    `const server = require('node:http').createServer((_, response) => response.end('{}'))
    server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
      require('node:worker_threads').parentPort.postMessage(server.address().port)
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 800)
    })`,
    { eval: true },
  )
  closing.push(() => void worker.terminate())
  const [port] = await once(worker, 'message')
  const fillers = [1, 2, 3].map(() => connect(port, '127.0.0.1').on('error', () => {}))
  closing.push(() => fillers.forEach((filler) => filler.destroy()))
  await Promise.all(fillers.slice(0, 2).map((filler) => once(filler, 'connect')))
  const lookup: LookupFunction = (_hostname, _options, callback) =>
    callback(null, [
      { address: '127.0.0.1', family: 4 },
      { address: '2001:db8::1', family: 6 },
    ])
  const send = createPooledFetch({ privateHosts: 'any', lookup })
  const signal = AbortSignal.timeout(8_000)
  const { status } = await send(`http://gateway.example:${port}/`, {
    method: 'GET',
    headers: {},
    redirect: 'manual',
    signal,
  })
  expect(status).toBe(200)
})
