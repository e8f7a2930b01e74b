import { afterEach, describe, expect, test } from 'vitest'
import { once } from 'node:events'
import { connect } from 'node:net'
import { createListeningShop } from '../support/listening-shop.ts'
import { createLimitedShop } from '../support/limited-shop.ts'
import type { Socket } from 'node:net'

const LIVE = 'GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n'
const sockets: Socket[] = []
afterEach(() => sockets.splice(0).forEach((socket) => socket.destroy()))

describe('requests that are sent without reading a response', () => {
  test('are handled one at a time, and a connection with many of them is closed', async () => {
    const shop = await createListeningShop()
    const socket = await open(shop.port)
    const closed = once(socket, 'close')
    socket.write('GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(1_300))
    await closed
    expect(shop.handled()).toBe(1)
    shop.close()
  })

  test('all get their response, in their order, if they are few', async () => {
    const shop = await createListeningShop()
    const socket = await open(shop.port)
    const last = 'GET /health/ready HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'
    let text = ''
    socket.on('data', (data) => (text += data))
    socket.resume()
    const closed = once(socket, 'close')
    socket.write(LIVE.repeat(9) + last)
    await closed
    expect(text.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(10)
    expect(shop.handled()).toBe(10)
    shop.close()
  })

  test('do not escape the pause of refused clients', { timeout: 10_000 }, async () => {
    const shop = await createListeningShop()
    const wrong = { headers: { authorization: 'Bearer wrong' } }
    const url = `http://127.0.0.1:${shop.port}/api/payouts`
    for (let index = 0; index < 20; index++) await fetch(url, wrong)
    const socket = await open(shop.port)
    let answered = 0
    socket.on('data', (data) => (answered += String(data).match(/429 Too/g)?.length ?? 0))
    const startedAt = performance.now()
    socket.write('GET /api/payouts HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer wrong\r\n\r\n'.repeat(3))
    while (answered < 3) await once(socket, 'data')
    expect(performance.now() - startedAt).toBeGreaterThan(2_900)
    shop.close()
  })

  test('whose response nobody takes lose their connection', async () => {
    const shop = await createListeningShop()
    expect(shop.server).toMatchObject({ timeout: 60_000 })
    shop.close()
  })
})

describe('the documentation of the API', () => {
  test.each(['/openapi.json', '/docs'])('%s is rendered once, and browsers keep it', async (path) => {
    const { app } = createLimitedShop()
    const first = await app.request(path)
    const again = await app.request(path)
    const etag = first.headers.get('etag') ?? ''
    expect(etag).toMatch(/^".{20,}"$/)
    expect(await again.text()).toBe(await first.text())
    expect(Object.fromEntries(again.headers)).toEqual(Object.fromEntries(first.headers))
    expect(first.headers.get('cache-control')).toBe('public, max-age=300')
    const known = await app.request(path, { headers: { 'if-none-match': `W/${etag}` } })
    expect([known.status, await known.text()]).toEqual([304, ''])
  })
})

async function open(port: number): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1' })
  sockets.push(socket)
  socket.on('error', () => {})
  await once(socket, 'connect')
  return socket
}
