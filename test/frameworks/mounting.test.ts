import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Embedded } from '../../server/start.ts'
import { embed } from '../../server/start.ts'
import { createCliWorld } from '../support/cli-world.ts'
import { freePort } from '../support/free-port.ts'
import { PAYER, SHOP } from '../support/world.ts'

const EVENTUALLY = { timeout: 30_000 }
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

let cli: Awaited<ReturnType<typeof createCliWorld>>
beforeAll(async () => {
  cli = await createCliWorld()
})
afterAll(() => cli.close())

function initiate(address: string, order: string, type = 'application/x-www-form-urlencoded') {
  const fields = { order, ...PAYER }
  const body = type.endsWith('json') ? JSON.stringify(fields) : new URLSearchParams(fields).toString()
  const headers = { accept: 'application/json', origin: SHOP, 'content-type': type }
  return fetch(`${address}/checkout/initiate`, { method: 'POST', headers, body })
}

test.concurrent.for(['node', 'express', 'fastify', 'hono'])(
  'mounted in %s below a path, an order is paid and the shop is told',
  async (framework, { expect }) => {
    const port = await freePort()
    const pay = `http://127.0.0.1:${port}/pay`
    const env = cli.fresh({
      PUBLIC_URL: pay,
      ALLOWED_ORIGINS: SHOP,
      DEFAULT_COUNTRY: 'KE',
      SHOP_PORT: String(port),
    })
    const child = spawn(process.execPath, [`server/examples/frameworks/${framework}.mjs`], {
      env: { PATH: process.env.PATH, ...env },
    })
    const ended = once(child, 'exit')
    let said = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (piece: Buffer) => (said += String(piece)))
    try {
      await vi.waitUntil(async () => (await live(pay)) === 200, EVENTUALLY)
      expect(await (await fetch(new URL('/', pay))).text()).toBe('The shop.')
      expect((await fetch(`${pay}/gateway-checkout.js`)).headers.get('content-type')).toMatch(/javascript/)
      const begun = await initiate(pay, `form-${framework}`)
      expect([begun.status, said]).toEqual([201, expect.not.stringContaining('error')])
      const { checkout_id, merchant_transaction_id } = await begun.json()
      expect((await initiate(pay, `json-${framework}`, 'application/json')).status).toBe(201)

      const stream = await fetch(`${pay}/checkout/status/${checkout_id}/stream`)
      const events = stream.body!.getReader()
      expect(new TextDecoder().decode((await events.read()).value)).toMatch(/^event: (status|beat)/m)
      await events.cancel()
      // The sandbox sends its callback below the path, too.
      await cli.control(`/checkouts/${merchant_transaction_id}/pay`, {})
      await vi.waitUntil(() => said.includes(`fulfil form-${framework} (evt_`), EVENTUALLY)
      child.kill('SIGTERM')
      expect(await ended).toEqual([0, null])
    } finally {
      child.kill('SIGKILL')
      await ended
    }
  },
)

test('a body that was read and kept is taken over; one that was not is refused with what to do', async () => {
  await embedded(async (pay, log) => {
    const server = createServer((request, response) => {
      let text = ''
      request.on('data', (piece: Buffer) => (text += String(piece)))
      request.on('end', () => {
        const bodies: Record<string, unknown> = {
          '/text': text,
          '/bytes': Buffer.from(text),
          '/fields': Object.fromEntries(new URLSearchParams(text)),
        }
        const body = bodies[request.url!.slice(0, request.url!.indexOf('/checkout'))]
        request.url = request.url!.replace(/^\/\w+(?=\/checkout)/, '')
        pay.handler(Object.assign(request, { body }), response)
      })
    })
    const address = await listenOn(server)
    for (const kept of ['text', 'bytes', 'fields'])
      expect([kept, (await initiate(`${address}/${kept}`, kept)).status]).toEqual([kept, 201])
    const refused = await initiate(`${address}/nothing`, 'nothing')
    expect(refused.status).toBe(500)
    expect(await refused.json()).toMatchObject({
      code: 'internal',
      detail: expect.stringContaining('mount the server before the code that reads bodies'),
    })
    expect(log).toEqual([expect.stringContaining('mount the server before')])
    server.close()
    server.closeAllConnections()
  })
})

test('a Request whose body was read is refused with what to do', async () => {
  await embedded(async (pay) => {
    const shop = new Hono()
    shop.use(async (c, next) => {
      await c.req.text()
      await next()
    })
    shop.all('/*', (c) => pay.fetch(c.req.raw))
    const server = serve({ fetch: shop.fetch, port: 0, hostname: '127.0.0.1' })
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const refused = await initiate(`http://127.0.0.1:${port}`, 'read')
    expect(await refused.json()).toMatchObject({ detail: expect.stringContaining('mount the server before') })
    await new Promise((resolve) => server.close(resolve))
  })
})

test.each([
  ['that removes the path', true],
  ['that keeps the path', false],
])('behind a proxy %s, the server is found below it', async (_, strips) => {
  await embedded(
    async (pay) => {
      const inner = createServer((request, response) => pay.handler(request, response))
      const address = await listenOn(inner)
      const proxy = createServer((request, response) => {
        const path = strips ? request.url!.replace(/^\/pay/, '') : request.url!
        const { method = 'GET', headers } = request
        const onward = send(`${address}${path}`, { method, headers }, (answer) => {
          response.writeHead(answer.statusCode ?? 502, answer.headers)
          answer.pipe(response)
        })
        request.pipe(onward)
      })
      const outside = `${await listenOn(proxy)}/pay`
      expect(await live(outside)).toBe(200)
      expect((await fetch(`${outside}/docs`)).status).toBe(200)
      const begun = await initiate(outside, `proxied-${strips}`)
      expect(begun.status).toBe(201)
      const { checkout_id } = await begun.json()
      const back = await fetch(`${outside}/checkout/return/${checkout_id}`, { redirect: 'manual' })
      expect([200, 303]).toContain(back.status)
      for (const server of [inner, proxy]) {
        server.close()
        server.closeAllConnections()
      }
    },
    { PUBLIC_URL: 'http://127.0.0.1:9/pay' },
  )
})

async function embedded(
  work: (pay: Embedded, errors: string[]) => Promise<void>,
  env: Record<string, string> = {},
): Promise<void> {
  const errors: string[] = []
  const quiet = { debug() {}, info() {}, warn() {} }
  const pay = await embed({
    orders: (order) => ({ order, amount: '500', currency: 'KES', narration: 'Two kangas' }),
    env: cli.fresh({ ALLOWED_ORIGINS: SHOP, DEFAULT_COUNTRY: 'KE', ...env }),
    log: { ...quiet, error: (_, message) => void errors.push(message) },
  })
  try {
    await work(pay, errors)
  } finally {
    await pay.stop()
  }
}

async function listenOn(server: ReturnType<typeof createServer>): Promise<string> {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function live(address: string): Promise<number> {
  return fetch(`${address}/health/live`).then(
    ({ status }) => status,
    () => 0,
  )
}
