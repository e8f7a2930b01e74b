import { afterEach, describe, expect, test } from 'vitest'
import { once } from 'node:events'
import { connect } from 'node:net'
import { clientOf } from '../support/client.ts'
import { createLimitedShop } from '../support/limited-shop.ts'
import { createListeningShop } from '../support/listening-shop.ts'
import { API_KEY } from '../support/world.ts'
import type { Socket } from 'node:net'

const HEAD = 'POST /checkout/initiate HTTP/1.1\r\nHost: pay.shop.example\r\n'
const FORM = 'Content-Type: application/x-www-form-urlencoded\r\n'
const HALVES = [
  HEAD,
  `${HEAD}${FORM}Content-Length: 1000\r\n\r\norder=A-1`,
  `${HEAD}${FORM}Transfer-Encoding: chunked\r\n\r\n9\r\norder=A-1\r\n`,
  'GET /health/live HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\nx',
]
const sockets: Socket[] = []
afterEach(() => sockets.splice(0).forEach((socket) => socket.destroy()))

describe('on a real connection', () => {
  test('300 half-sent headers and bodies are closed within 20 seconds', { timeout: 40_000 }, async () => {
    const shop = await createListeningShop()
    const closed = Array.from({ length: 300 }, async (_, index) =>
      once(await open(shop.port, HALVES[index % HALVES.length]!), 'close'),
    )
    const startedAt = performance.now()
    await Promise.all(closed)
    expect(performance.now() - startedAt).toBeLessThan(20_000)
    shop.close()
  })

  test('a header of a megabyte is refused', async () => {
    const shop = await createListeningShop()
    const socket = await open(shop.port, `${HEAD}X-Long: ${'x'.repeat(1_000_000)}\r\n\r\n`)
    const [answer] = await once(socket, 'data')
    expect(String(answer)).toContain('431')
    shop.close()
  })

  test('errors of the socket that listens are logged, and connections are accepted after them', async () => {
    const shop = await createListeningShop()
    const err = new Error('accept EINVAL')
    for (const _ of [1, 2]) shop.server.emit('error', err)
    const errors = shop.logged.filter(({ level }) => level === 'error')
    expect(errors.map(({ facts }) => facts)).toEqual([{ err }, { err }])
    expect((await fetch(`http://127.0.0.1:${shop.port}/health/live`)).status).toBe(200)
    shop.close()
  })

  test('connections are limited in number, and closed when nobody reads', async () => {
    const shop = await createListeningShop()
    expect(shop.server).toMatchObject({ maxConnections: 20_000, timeout: 60_000, keepAliveTimeout: 5_000 })
    shop.close()
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
  expect([answer.status, (await answer.json()).detail]).toEqual([422, 'The body did not arrive in time.'])
})

function endless(): ReadableStream<Uint8Array> {
  return new ReadableStream({ start: (controller) => controller.enqueue(new TextEncoder().encode('{')) })
}

async function open(port: number, text: string): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1' })
  sockets.push(socket)
  socket.on('error', () => {})
  socket.resume()
  await once(socket, 'connect')
  socket.write(text)
  return socket
}
