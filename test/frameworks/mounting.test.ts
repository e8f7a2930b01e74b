import Fastify from 'fastify'
import { Hono } from 'hono'
import { cloneRawRequest } from 'hono/request'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer, request as send } from 'node:http'
import { join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'

import { listen as serve } from '../../demo/sandbox/http/listen.ts'
import { embed } from '../../server/every-feature.ts'
import { newFolder } from '../support/folder.ts'
import { listen } from '../support/free-port.ts'
import { createCliWorld } from '../support/worlds/cli-world.ts'
import { SHOP } from '../support/worlds/environment.ts'
import { PAYER } from '../support/worlds/world.ts'

import type { Embedded } from '../../server/start.ts'

const BELOW_PAY = { PUBLIC_URL: 'http://127.0.0.1:9/pay' }
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

const cli = await createCliWorld()
afterAll(() => cli.close())

function initiate(address: string, order: string, type = 'application/x-www-form-urlencoded') {
  const fields = { order, ...PAYER }
  const body = type.endsWith('json') ? JSON.stringify(fields) : new URLSearchParams(fields).toString()
  const headers = { accept: 'application/json', origin: SHOP, 'content-type': type }
  return fetch(`${address}/checkout/initiate`, { method: 'POST', headers, body })
}

test('mounted in Fastify as the README shows, forms and JSON arrive', async () => {
  const chapter = readFileSync('server/README.md', 'utf8').split('**Fastify 5**')[1]!
  const [, snippet] = /```js\n(.*?)```/s.exec(chapter)!
  const folder = newFolder()
  writeFileSync(join(folder, 'mount.mjs'), `export default (shop, pay) => {\n${snippet}\n}`)
  const { default: mount } = await import(join(folder, 'mount.mjs'))
  const pay = await open([], BELOW_PAY)
  const shop = Fastify({ forceCloseConnections: true })
  mount(shop, pay)
  const address = `${await shop.listen({ port: 0, host: '127.0.0.1' })}/pay`
  expect(await live(address)).toBe(200)
  expect((await initiate(address, 'form')).status).toBe(201)
  expect((await initiate(address, 'json', 'application/json')).status).toBe(201)
  await shop.close()
})

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
    const address = await listen(server)
    for (const kept of ['text', 'bytes', 'fields']) {
      expect({ kept, status: (await initiate(`${address}/${kept}`, kept)).status }).toEqual({
        kept,
        status: 201,
      })
    }

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

test('a Request whose body was read is refused with what to do, and a clone of it is taken', async () => {
  await embedded(async (pay) => {
    const shop = new Hono()
    shop.use(async (c, next) => {
      await c.req.text()
      await next()
    })
    shop.all('/pay/*', async (c) => pay.fetch(await cloneRawRequest(c.req), c.env))
    shop.all('/*', (c) => pay.fetch(c.req.raw))
    const { url, close } = await serve(shop, 0)
    const refused = await initiate(url, 'read')
    expect(await refused.json()).toMatchObject({ detail: expect.stringContaining('mount the server before') })
    expect((await initiate(`${url}/pay`, 'cloned')).status).toBe(201)
    await close()
  }, BELOW_PAY)
})

test.each([
  ['that removes the path', true],
  ['that keeps the path', false],
])('behind a proxy %s, the server is found below it', async (_, strips) => {
  await embedded(async (pay) => {
    const inner = createServer((request, response) => pay.handler(request, response))
    const address = await listen(inner)
    const proxy = createServer((request, response) => {
      const path = strips ? request.url!.replace(/^\/pay/, '') : request.url!
      const { method = 'GET', headers } = request
      const onward = send(`${address}${path}`, { method, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(response)
      })
      request.pipe(onward)
    })
    const outside = `${await listen(proxy)}/pay`
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
  }, BELOW_PAY)
})

async function embedded(
  work: (pay: Embedded, errors: string[]) => Promise<void>,
  env: Record<string, string> = {},
): Promise<void> {
  const errors: string[] = []
  const pay = await open(errors, env)
  try {
    await work(pay, errors)
  } finally {
    await pay.stop()
  }
}

function open(errors: string[], env: Record<string, string>): Promise<Embedded> {
  const quiet = { debug() {}, info() {}, warn() {} }
  return embed({
    orders: (order) => ({ order, amount: '500', currency: 'KES', narration: 'Two kangas' }),
    env: cli.fresh({ ALLOWED_ORIGINS: SHOP, DEFAULT_COUNTRY: 'KE', ...env }),
    log: { ...quiet, error: (_, message) => void errors.push(message) },
  })
}

async function live(address: string): Promise<number> {
  return fetch(`${address}/health/live`).then(
    ({ status }) => status,
    () => 0,
  )
}
