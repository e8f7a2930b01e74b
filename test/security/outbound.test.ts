import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { Worker } from 'node:worker_threads'
import { afterEach, expect, test } from 'vitest'
import type { Server } from 'node:http'
import type { LookupFunction } from 'node:net'
import type { Environment } from '../../server/config/config.ts'
import { createApp } from '../../server/app.ts'
import { readConfig } from '../../server/config/config.ts'
import { createPooledFetch } from '../../server/http/pooled-fetch.ts'
import { openStore } from '../../server/store/open.ts'
import { LEAST } from '../support/least-config.ts'

const closing: (() => void)[] = []
afterEach(() => closing.splice(0).forEach((close) => close()))

const REHEARSAL = { GATEWAY_REHEARSAL: '1' }
const GET = { method: 'GET', headers: {}, redirect: 'manual', signal: AbortSignal.timeout(60_000) } as const

async function serve(status: number, headers: Record<string, string> = {}) {
  let connections = 0
  const server = createServer((_, response) => void response.writeHead(status, headers).end())
  server.on('connection', () => (connections += 1))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  closing.push(() => server.close().closeAllConnections())
  return { port: portOf(server), connections: () => connections }
}

function portOf(server: Server): number {
  const address = server.address()
  return typeof address === 'object' && address ? address.port : 0
}

// The gateway, orders and webhooks are reached by one `fetch`, which the server creates from its configuration.
test.each(['127.0.0.1', '::ffff:127.0.0.1'])(
  'in production, a name that resolves to a private address gets no connection, unless it is allowed: %s',
  async (address) => {
    const { port, connections } = await serve(200)
    const lookup: LookupFunction = (_, { all }, callback) => {
      const family = address.includes(':') ? 6 : 4
      if (all) callback(null, [{ address, family }])
      else callback(null, address, family)
    }
    const send = (env: Environment, host = 'orders.example') => {
      const { privateHosts } = readConfig({ ...LEAST, ...env })
      return createPooledFetch({ privateHosts, lookup })(`http://${host}:${port}/`, GET)
    }
    await expect(send({ PRIVATE_HOSTS: 'events.example' })).rejects.toThrow(/orders.example has a private/)
    await expect(send({}, '127.0.0.1')).rejects.toThrow(/has a private address/)
    expect(connections()).toBe(0)
    expect(await send({ PRIVATE_HOSTS: 'orders.example' })).toMatchObject({ status: 200 })
    expect(await send(REHEARSAL, 'gateway.example')).toMatchObject({ status: 200 })
    expect(connections()).toBe(2)
  },
)

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

// What each client makes of it is proven by `gateway-client`, `orders` and `outbox`.
test.each([302, 307])('a redirect is not followed: %i', async (status) => {
  const trap = await serve(200)
  const away = await serve(status, { location: `http://127.0.0.1:${trap.port}/stolen` })
  const answer = await createPooledFetch({ privateHosts: 'any' })(`http://127.0.0.1:${away.port}/`, GET)
  expect([answer.status, trap.connections()]).toEqual([status, 0])
})

test('1,300 requests that hang hold up no other to the same host', async () => {
  let hanging = 0
  const server = createServer(({ url }, response) => void (url === '/' ? response.end() : (hanging += 1)))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  closing.push(() => server.close().closeAllConnections())
  const send = createPooledFetch({ privateHosts: 'any' })
  const ask = async (path: string) =>
    send(`http://127.0.0.1:${portOf(server)}${path}`, { ...GET, signal: new AbortController().signal })
  for (let count = 0; count < 1_300; count++) void ask('/hangs').catch(() => {})
  await expect.poll(() => hanging, { timeout: 20_000 }).toBe(1_300)
  expect((await ask('/')).status).toBe(200)
})

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
  const { status } = await send(`http://gateway.example:${port}/`, { ...GET, signal })
  expect(status).toBe(200)
})
