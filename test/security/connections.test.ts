import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect, createServer as createSocketServer } from 'node:net'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { Worker } from 'node:worker_threads'
import { brotliCompressSync, createGzip, deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, onTestFinished, test } from 'vitest'

import { readConfig } from '../../server/config/config.ts'
import { createApp } from '../../server/every-feature.ts'
import { exchange, isNotConnected } from '../../server/http/exchange.ts'
import { createPooledFetch } from '../../server/http/pooled-fetch.ts'
import { connectionsWith, readOpenFilesLimit } from '../../server/listener/connection-limit.ts'
import { openStore } from '../../server/store/open.ts'
import { openPostgres } from '../../server/store/postgres/driver.ts'
import { systemClock } from '../../server/work/clock.ts'
import { newFolder } from '../support/folder.ts'
import { listen } from '../support/free-port.ts'
import { LEAST } from '../support/least-config.ts'
import { clientOf, countByStatus } from '../support/worlds/client.ts'
import { API_KEY } from '../support/worlds/environment.ts'
import { createLimitedShop } from '../support/worlds/limited-shop.ts'
import { createListeningShop } from '../support/worlds/listening-shop.ts'
import { runHere } from '../support/worlds/terminal.ts'
import { PAYER } from '../support/worlds/world.ts'

import type { Environment } from '../../server/config/variables.ts'
import type { Client } from '../support/worlds/client.ts'
import type { LookupFunction, Socket } from 'node:net'
import type { TestContext } from 'vitest'

const HEAD = 'POST /checkout/initiate HTTP/1.1\r\nHost: pay.shop.example\r\n'
const FORM = 'Content-Type: application/x-www-form-urlencoded\r\n'
const HALVES = [
  HEAD,
  `${HEAD}${FORM}Content-Length: 1000\r\n\r\norder=A-1`,
  `${HEAD}${FORM}Transfer-Encoding: chunked\r\n\r\n9\r\norder=A-1\r\n`,
  'GET /health/live HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\nx',
]

/** The end of the test that runs: tests that wait run beside each other. */
type AtEnd = TestContext['onTestFinished']

// The first of them waits for ten seconds.
describe.concurrent('on a real connection', () => {
  test(
    '300 half-sent headers and bodies are closed within 20 seconds',
    { timeout: 40_000 },
    async ({ onTestFinished }) => {
      const shop = await createListeningShop()
      const closed = Array.from({ length: 300 }, async (_, index) =>
        once(await open(shop.port, HALVES[index % HALVES.length]!, onTestFinished), 'close'),
      )
      const startedAt = performance.now()
      await Promise.all(closed)
      expect(performance.now() - startedAt).toBeLessThan(20_000)
      shop.close()
    },
  )

  test("the shop's cookies of 50 kB keep nobody from paying", async ({ onTestFinished }) => {
    const shop = await createListeningShop()
    const long = `GET /health/live HTTP/1.1\r\nHost: x\r\nCookie: ${'x'.repeat(50_000)}\r\n\r\n`
    const [answer] = await once(await open(shop.port, long, onTestFinished), 'data')
    expect(String(answer)).toContain(' 200 ')
    shop.close()
  })

  test('a header of a megabyte is refused', async ({ onTestFinished }) => {
    const shop = await createListeningShop()
    const long = `${HEAD}X-Long: ${'x'.repeat(1_000_000)}\r\n\r\n`
    const [answer] = await once(await open(shop.port, long, onTestFinished), 'data')
    expect(String(answer)).toContain('431')
    shop.close()
  })

  test('errors of the socket that listens are logged, and connections are accepted after them', async () => {
    const shop = await createListeningShop()
    const err = new Error('accept EINVAL')
    for (const _ of [1, 2]) {
      shop.server.emit('error', err)
    }

    const errors = shop.logged.filter(({ level }) => level === 'error')
    expect(errors.map(({ facts }) => facts)).toEqual([{ err }, { err }])
    expect((await fetch(`http://127.0.0.1:${shop.port}/health/live`)).status).toBe(200)
    shop.close()
  })

  test('connections are limited in number, and closed when nobody reads', async () => {
    const shop = await createListeningShop()
    const maxConnections = connectionsWith(readOpenFilesLimit())
    expect(shop.server).toMatchObject({ maxConnections, timeout: 60_000, keepAliveTimeout: 75_000 })
    shop.close()
  })

  test.each([
    [null, 20_000],
    [1_048_576, 20_000],
    [65_536, 20_000],
    [20_000, 15_648],
    [1_024, 512],
    [256, 128],
  ])('of %s files that the process may open, %i are for connections', (openFiles, connections) => {
    expect(connectionsWith(openFiles)).toBe(connections)
  })

  test('a request with two Host headers is refused', async ({ onTestFinished }) => {
    const shop = await createListeningShop()
    const request = 'GET /health/live HTTP/1.1\r\nHost: x\r\nhost: y\r\n\r\n'
    const [answer] = await once(await open(shop.port, request, onTestFinished), 'data')
    expect(String(answer)).toContain('400 Bad Request')
    shop.close()
  })

  test('at the limit of connections, those that wait for a request make room', async ({ onTestFinished }) => {
    const shop = await createListeningShop()
    shop.server.maxConnections = 2
    const request = 'GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n'
    for (let client = 0; client < 5; client++) {
      const [answer] = await once(await open(shop.port, request, onTestFinished), 'data')
      expect(String(answer)).toContain('200 OK')
    }

    shop.close()
  })

  test('at the limit of connections, one that has sent nothing makes room, the oldest first, and a request that runs does not', async ({
    onTestFinished,
  }) => {
    const shop = await createListeningShop()
    shop.server.maxConnections = 4
    const running = await open(shop.port, HALVES[1]!, onTestFinished)
    const oldest = await open(shop.port, '', onTestFinished)
    const newer = await open(shop.port, '', onTestFinished)
    const request = 'GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n'
    const [answer] = await once(await open(shop.port, request, onTestFinished), 'data')
    expect(String(answer)).toContain('200 OK')
    expect({ running: running.closed, oldest: oldest.closed, newer: newer.closed }).toEqual({
      running: false,
      oldest: true,
      newer: false,
    })
    shop.close()
  })

  test('1,300 requests that hang hold up no other to the same host', async ({ onTestFinished }) => {
    let hanging = 0
    const server = createServer(({ url }, response) => void (url === '/' ? response.end() : (hanging += 1)))
    const url = await listen(server)
    onTestFinished(() => server.close().closeAllConnections())
    const send = createPooledFetch({ privateHosts: 'any' })
    const ask = async (path: string) => send(url + path, { ...GET, signal: new AbortController().signal })
    for (let count = 0; count < 1_300; count++) {
      void ask('/hangs').catch(() => {})
    }

    await expect.poll(() => hanging, { timeout: 20_000 }).toBe(1_300)
    expect((await ask('/')).status).toBe(200)
  })

  test('a slow TCP handshake has more time than 250 ms, although the other address has no route', async ({
    onTestFinished,
  }) => {
    // The thread accepts nothing for a while: its queue is full, and the SYN is sent again after a second.
    const worker = new Worker(
      `const server = require('node:http').createServer((_, response) => response.end('{}'))
      server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
        require('node:worker_threads').parentPort.postMessage(server.address().port)
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 800)
      })`,
      { eval: true },
    )
    onTestFinished(() => void worker.terminate())
    const [port] = await once(worker, 'message')
    const fillers = [1, 2, 3].map(() => connect(port, '127.0.0.1').on('error', () => {}))
    onTestFinished(() => fillers.forEach((filler) => filler.destroy()))
    await Promise.all(fillers.slice(0, 2).map((filler) => once(filler, 'connect')))
    const lookup: LookupFunction = (_hostname, _options, callback) =>
      callback(null, [
        { address: '127.0.0.1', family: 4 },
        { address: '2001:db8::1', family: 6 },
      ])
    const send = createPooledFetch({ privateHosts: 'any', lookup })
    const signal = AbortSignal.timeout(8_000)
    const { status } = await send(`http://gateway.example:${port}/`, { ...GET, signal })
    expect(status).toBe(200)
  })
})

test.each([
  ['/checkout/initiate', 'application/json', 10_000],
  ['/api/payouts', 'application/json', 10_000],
  ['/api/airtime', 'application/json', 60_000],
])('a body of %s that does not end is refused after its time', async (path, type, ms) => {
  const { app, clock } = createLimitedShop()
  const headers = { 'content-type': type, authorization: `Bearer ${API_KEY}`, accept: 'application/json' }
  const init = { method: 'POST', headers, body: endless(), duplex: 'half' } as const
  await app.request('/health/ready')
  const asked = clientOf(app, '198.51.100.4').ask(path, init)
  await clock.advance(ms)
  const answer = await asked
  expect({ status: answer.status, detail: (await answer.json()).detail }).toEqual({
    status: 422,
    detail: 'The body did not arrive in time.',
  })
})

function endless(): ReadableStream<Uint8Array> {
  return new ReadableStream({ start: (controller) => controller.enqueue(new TextEncoder().encode('{')) })
}

async function open(port: number, text: string, atEnd: AtEnd): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1' })
  atEnd(() => void socket.destroy())
  socket.on('error', () => {})
  socket.resume()
  await once(socket, 'connect')
  socket.write(text)
  return socket
}

const ATTACKER = '203.0.113.7'
const SHOPPER = '198.51.100.4'

test(
  'an address that opens 100 streams of each of 12 orders gets 1,000, and other addresses still get theirs',
  { timeout: 60_000 },
  async () => {
    const { app } = createLimitedShop()
    const attacker = clientOf(app, ATTACKER)
    const answers: Response[] = []
    let path = ''
    for (let order = 0; order < 12; order++) {
      path = await streamOf(attacker, `A-${order}`)
      answers.push(...(await Promise.all(Array.from({ length: 100 }, () => attacker.ask(path)))))
    }

    expect(countByStatus(answers)).toEqual({ 200: 1_000, 503: 200 })
    const shopper = clientOf(app, SHOPPER)
    expect((await shopper.ask(await streamOf(shopper, 'A-shopper'))).status).toBe(200)

    await answers[0]?.body?.cancel()
    expect((await attacker.ask(path)).status).toBe(200)
  },
)

test('100 streams that nobody reads are closed within three minutes', async () => {
  const { app, clock } = createLimitedShop()
  const client = clientOf(app, ATTACKER)
  const path = await streamOf(client, 'A-1')
  const unread = await Promise.all(Array.from({ length: 100 }, () => client.ask(path)))
  const read = clientOf(app, SHOPPER)
  expect({ byStatus: countByStatus(unread), status: (await read.ask(path)).status }).toEqual({
    byStatus: { 200: 100 },
    status: 503,
  })
  await clock.advance(180_000)
  expect((await read.ask(path)).status).toBe(200)
})

async function streamOf(client: Client, order: string): Promise<string> {
  const answer = await client.initiate(order)
  const { checkout_id } = await answer.json()
  return `/checkout/status/${checkout_id}/stream`
}

const REHEARSAL = { GATEWAY_REHEARSAL: '1' }
const GET = { method: 'GET', headers: {}, redirect: 'manual', signal: AbortSignal.timeout(60_000) } as const

async function serve(status: number, headers: Record<string, string> = {}) {
  let connections = 0
  const server = createServer((_, response) => void response.writeHead(status, headers).end())
  server.on('connection', () => (connections += 1))
  const { port } = new URL(await listen(server))
  onTestFinished(() => server.close().closeAllConnections())
  return { port, connections: () => connections }
}

// The gateway, orders and webhooks are reached by one `fetch`, which the server creates from its configuration.
test('only a request that was not connected has certainly not left: no handshake, no address, or none that is allowed', async () => {
  const received: string[] = []
  const server = createSocketServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', (bytes) => {
      received.push(String(bytes))
      socket.destroy()
    })
  })
  const { port } = new URL(await listen(server))
  onTestFinished(() => void server.close())

  const causeOf = async (url: string, privateHosts: 'any' | [] = 'any') => {
    const fetch = createPooledFetch({ privateHosts })
    const init = { method: 'POST', headers: {}, body: '{}', signal: AbortSignal.timeout(8_000) }
    return Promise.resolve(fetch(url, { ...init, redirect: 'manual' })).catch((error: unknown) => error)
  }

  // A server that does not speak TLS.
  expect(isNotConnected(await causeOf(`https://127.0.0.1:${port}/`))).toBe(true)
  expect(isNotConnected(await causeOf('https://10.0.0.5/', []))).toBe(true)
  expect(isNotConnected(await causeOf('https://nothing.invalid/'))).toBe(true)
  expect(received.join()).not.toContain('POST')

  expect(isNotConnected(await causeOf(`http://127.0.0.1:${port}/`))).toBe(false)
  expect(received.at(-1)).toContain('POST')
})

test.each(['127.0.0.1', '::ffff:127.0.0.1'])(
  'in production, a name that resolves to a private address gets no connection, unless it is allowed: %s',
  async (address) => {
    const { port, connections } = await serve(200)

    const lookup: LookupFunction = (_, { all }, callback) => {
      const family = address.includes(':') ? 6 : 4
      if (all) {
        callback(null, [{ address, family }])
      } else {
        callback(null, address, family)
      }
    }

    const send = (env: Environment, host = 'orders.example') => {
      const { privateHosts } = readConfig({ ...LEAST, ...env })
      return createPooledFetch({ privateHosts, lookup })(`http://${host}:${port}/`, GET)
    }

    await expect(send({ PRIVATE_HOSTS: 'events.example' })).rejects.toThrow(/orders.example has a private/)
    await expect(send({}, '127.0.0.1')).rejects.toThrow(/has a private address/)
    expect(connections()).toBe(0)
    expect(await send({ PRIVATE_HOSTS: 'orders.example' })).toMatchObject({ status: 200 })
    // The gateway of a rehearsal may be on this machine, but not anywhere else in a private network.
    await expect(send(REHEARSAL, 'gateway.example')).rejects.toThrow(/has a private address/)
    const lookAlike = { ...REHEARSAL, GATEWAY_BASE_URL: `http://127.0.0.1:${port}` }
    expect(await send(lookAlike, '127.0.0.1')).toMatchObject({ status: 200 })
    expect(connections()).toBe(2)
  },
)

test.each(['orders.lan', '9.9.9.9'])(
  'in production, a host of PRIVATE_HOSTS that is on the internet gets no request without TLS: %s',
  async (host) => {
    const lookup: LookupFunction = (_, __, callback) => callback(null, [{ address: '9.9.9.9', family: 4 }])
    const { privateHosts } = readConfig({ ...LEAST, PRIVATE_HOSTS: host })
    const send = createPooledFetch({ privateHosts, lookup })
    const why = `${host} has a public address, where nothing is sent without TLS.`
    await expect(send(`http://${host}:9/`, GET)).rejects.toThrow(why)
  },
)

describe('a database', () => {
  /** Opens the store of a URL whose host leads to these addresses, and says why it cannot be used. */
  async function reasonOf(storeUrl: string, ...addresses: string[]): Promise<string> {
    const found = addresses.map((address) => ({ address, family: 4 }))
    const lookup: LookupFunction = (_, { all }, callback) =>
      all ? callback(null, found) : callback(null, found[0]!.address, found[0]!.family)
    const driver = openPostgres(storeUrl, lookup)
    const reason = await driver.query('SELECT 1').then(String, (error: Error) => error.message)
    await driver.close()
    return reason
  }

  test.each(['db', 'db.lan', 'db.internal'])(
    'a database without TLS gets nothing at a public address, whatever its name: %s',
    async (host) => {
      const why = `${host} has a public address, where nothing is sent without TLS.`
      for (const query of ['', '?sslmode=no-verify']) {
        const storeUrl = `postgres://shop:a-password-of-the-shop@${host}:9/shop${query}`
        expect(await reasonOf(storeUrl, '203.0.113.9')).toContain(why)
      }
    },
  )

  test('a database without TLS gets nothing at an address of STORE_URL that is public', async () => {
    const why = '203.0.113.9 has a public address, where nothing is sent without TLS.'
    expect(await reasonOf('postgres://shop:a-password-of-the-shop@203.0.113.9:9/shop')).toContain(why)
    const STORE_URL = 'postgres://shop:a-password-of-the-shop@203.0.113.9/shop'
    expect(() => readConfig({ ...LEAST, STORE_URL, PRIVATE_HOSTS: '203.0.113.9' })).toThrow(
      /STORE_URL must use TLS/,
    )
  })

  test('a database with TLS is found by the lookup function of all connections', async () => {
    const STORE_URL = 'postgres://shop:word@db.example:1/shop?sslmode=verify-full'
    expect(await reasonOf(STORE_URL, '127.0.0.7')).toContain('127.0.0.7:1')
  })

  test('a database at a Unix socket is reached at its path', async () => {
    const greetings: string[] = []
    const folder = newFolder()
    const database = createSocketServer((socket) => {
      socket.once('data', (bytes) => {
        greetings.push(bytes.toString('latin1'))
        socket.destroy()
      })
    })
    await once(database.listen(join(folder, '.s.PGSQL.5432')), 'listening')
    onTestFinished(() => void database.close())
    await reasonOf(`postgres:///shop?user=shop&host=${folder}`)
    expect(greetings).toEqual([expect.stringContaining('shop')])
  })

  test('a database without TLS is reached by a name at its private address, and at no other', async () => {
    const greetings: string[] = []
    const database = createSocketServer((socket) => {
      socket.once('data', (bytes) => {
        greetings.push(bytes.toString('latin1'))
        socket.destroy()
      })
    })
    const { port } = new URL(await listen(database))
    onTestFinished(() => void database.close())
    await reasonOf(`postgres://shop:word@db:${port}/shop`, '203.0.113.9', '127.0.0.1')
    expect(greetings).toEqual([expect.stringContaining('shop')])
  })
})

test('HTTPS_PROXY is for public hosts that NO_PROXY does not name, and the start says so', async () => {
  const seen: string[] = []
  const proxy = createServer()
  proxy.on('connect', ({ url, headers }, socket) => {
    seen.push(`${url} ${headers['proxy-authorization']}`)
    socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n')
  })
  const { port } = new URL(await listen(proxy))
  onTestFinished(() => proxy.close().closeAllConnections())
  const own = await serve(200)
  const asked: string[] = []

  const lookup: LookupFunction = (hostname, _, callback) => {
    asked.push(hostname)
    callback(null, [{ address: '127.0.0.1', family: 4 }])
  }

  const logged: string[] = []
  const line = (_: object, message: string) => void logged.push(message)
  for (const name of ['HTTPS_PROXY', 'https_proxy']) {
    const config = readConfig({
      ...LEAST,
      [name]: `http://user:word-of-pass@127.0.0.1:${port}`,
      NO_PROXY: 'direct.example',
      PRIVATE_HOSTS: 'orders.lan,127.0.0.1',
    })
    const send = createPooledFetch({ ...config, lookup })
    await expect(send('https://gateway.example/', GET)).rejects.toThrow(/502|Proxy/)
    expect(await send(`http://127.0.0.1:${own.port}/`, GET)).toMatchObject({ status: 200 })
    expect(await send(`http://orders.lan:${own.port}/`, GET)).toMatchObject({ status: 200 })
    // Reached directly, a name that resolves to a private address is refused as ever.
    await expect(send('https://direct.example/', GET)).rejects.toThrow(/direct.example has a private address/)
    await expect(send('https://10.0.0.5/', GET)).rejects.toThrow(/has a private address/)
    const log = { debug() {}, info: line, warn() {}, error() {} }
    createApp({ config, store: openStore('sqlite::memory:'), orders: () => null, log })
  }

  const credentials = `Basic ${Buffer.from('user:word-of-pass').toString('base64')}`
  expect(new Set(seen)).toEqual(new Set([`gateway.example:443 ${credentials}`]))
  expect(asked).not.toContain('gateway.example')
  expect(logged).toContainEqual(
    expect.stringContaining(`go through the proxy 127.0.0.1:${port} (HTTPS_PROXY)`),
  )
  expect(logged.join()).not.toContain('word-of-pass')
})

test('a rehearsal, whose gateway may be private, is logged at start', () => {
  const logged: string[] = []
  const log = (_: object, message: string) => void logged.push(message)
  createApp({
    config: readConfig({ ...LEAST, ...REHEARSAL }),
    store: openStore('sqlite::memory:'),
    orders: () => null,
    log: { debug() {}, info() {}, warn: log, error: log },
  })
  expect(logged).toEqual([expect.stringContaining('GATEWAY_REHEARSAL is set')])
})

const SECRET = `whsec_${Buffer.from('the secret of a merchant in a test').toString('base64')}`

test('every request to another server names its sender and its version', async () => {
  const senders = new Map<string, string | undefined>()

  const fetch = (url: string, { headers }: { headers: Record<string, string> }) => {
    senders.set(new URL(url).hostname, headers['user-agent'])
    if (url.endsWith('/v1/auth')) {
      return Response.json({ access_token: 'x', expiresIn: 3600 }, { status: 201 })
    }
    return Response.json({ order: 'A-1', amount: '1500', currency: 'KES', narration: 'Two kangas' })
  }

  const app = createApp({
    config: readConfig({
      ...LEAST,
      ORDERS_URL: 'https://orders.example/orders',
      ORDERS_TOKEN: API_KEY,
      DEFAULT_COUNTRY: 'KE',
      MERCHANT_WEBHOOK_URL: 'https://events.example/events',
      MERCHANT_WEBHOOK_SECRET: SECRET,
    }),
    store: openStore('sqlite::memory:'),
    fetch,
  })
  const headers = { accept: 'application/json' }
  const body = new URLSearchParams({ order: 'A-1', ...PAYER })
  const answer = await app.request('/checkout/initiate', { method: 'POST', headers, body })
  expect(await answer.json()).toMatchObject({ code: expect.stringMatching(/^gateway/) })
  const env = { ...LEAST, MERCHANT_WEBHOOK_SECRET: SECRET }
  await runHere(['events', 'ping', '--to', 'https://events.example/events'], env, { fetch })
  const sender = expect.stringMatching(/^gateway-checkout-server\/\d+\.\d+\.\d+/)
  expect(Object.fromEntries(senders)).toEqual({
    'orders.example': sender,
    'gateway.example': sender,
    'events.example': sender,
  })
})

describe('an answer that is compressed without being asked to be', () => {
  const PAGE = '<!doctype html><title>Fatal error</title>'

  async function answerWith(coding: string, body: Buffer | Readable) {
    const server = createServer(({ headers }, response) => {
      const isAsked = headers['accept-encoding'] !== 'identity'
      response.writeHead(isAsked ? 500 : 200, { 'content-encoding': coding })
      if (body instanceof Readable) {
        body.pipe(response)
      } else {
        response.end(body)
      }
    })
    const url = await listen(server)
    onTestFinished(() => server.close().closeAllConnections())
    const request = { method: 'GET', url, headers: {}, deadlineMs: 10_000, maxAnswerBytes: 100_000 }
    return {
      url,
      answer: await exchange(createPooledFetch({ privateHosts: 'any' }), systemClock, request),
    }
  }

  test.each([
    ['gzip', gzipSync(PAGE)],
    ['X-GZIP', gzipSync(PAGE)],
    ['deflate', deflateSync(PAGE)],
    ['br', brotliCompressSync(PAGE)],
    ['identity', Buffer.from(PAGE)],
  ])('is decoded: %s', async (coding, body) => {
    const { answer } = await answerWith(coding, body)
    expect(answer).toMatchObject({ kind: 'answer', status: 200, text: PAGE })
  })

  test('and empty is empty', async () => {
    const { answer } = await answerWith('gzip', Buffer.alloc(0))
    expect(answer).toMatchObject({ kind: 'answer', status: 200, text: '' })
  })

  test.each([
    ['of an unknown coding', 'zstd', Buffer.from('(/\xb5/'), /Content-Encoding is zstd, which is not known/],
    ['of two codings', 'br, gzip', gzipSync(brotliCompressSync(PAGE)), /Content-Encoding is br, gzip/],
    ['not of its coding', 'gzip', Buffer.from(PAGE), /incorrect header check/],
    ['cut off', 'gzip', gzipSync(PAGE).subarray(0, 20), /unexpected end of file/],
  ])('is no answer if it is %s', async (_, coding, body, reason) => {
    const { answer } = await answerWith(coding, body)
    expect(answer).toMatchObject({ kind: 'unreachable', status: 200, summary: expect.stringMatching(reason) })
  })

  test('is read up to the limit of its size, whatever it would become', async () => {
    const zeros = Buffer.alloc(1_000_000)
    const endless = Readable.from(Array.from({ length: 100_000 }, () => zeros))
    const { answer } = await answerWith('gzip', endless.pipe(createGzip()))
    expect(answer).toMatchObject({ kind: 'too_large', status: 200 })
  })

  test('accepts no event, if it is a page', async () => {
    const { url } = await answerWith('gzip', gzipSync(PAGE))
    const env = { ...LEAST, PRIVATE_HOSTS: '127.0.0.1', MERCHANT_WEBHOOK_SECRET: SECRET }
    const { err } = await runHere(['events', 'ping', '--to', url], env)
    expect(err).toContain('responded with HTTP 200 and a body that accepts nothing')
  })
})

// What each client makes of it is proven by `gateway-client`, `orders` and `outbox`.
test.each([302, 307])('a redirect is not followed: %i', async (status) => {
  const trap = await serve(200)
  const away = await serve(status, { location: `http://127.0.0.1:${trap.port}/stolen` })
  const answer = await createPooledFetch({ privateHosts: 'any' })(`http://127.0.0.1:${away.port}/`, GET)
  expect({ status: answer.status, connections: trap.connections() }).toEqual({ status, connections: 0 })
})
