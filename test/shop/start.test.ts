import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { createServer } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'

import { orderReference } from '../../demo/shop/goods.ts'
import { openDemo } from '../e2e/demo.ts'
import { newFolder } from '../support/folder.ts'
import { freePort, listen } from '../support/free-port.ts'
import { endOf } from '../support/worlds/command-line.ts'
import { formOf } from '../support/worlds/world.ts'

const PORTS = ['SANDBOX_PORT', 'BFF_PORT', 'SHOP_PORT'] as const

async function startWith(env: Record<string, string>) {
  const folder = newFolder()
  const free = await Promise.all(PORTS.map(async (name) => [name, String(await freePort())]))
  const all = { PATH: process.env.PATH, TMPDIR: folder, ...Object.fromEntries(free), ...env }
  const { code, err } = await endOf(spawn(process.execPath, ['demo/dist/dev.js'], { env: all }))
  return { code, err, left: readdirSync(folder) }
}

test('the demo reports which port is taken, and how to choose another', async () => {
  const other = createServer()
  const { port } = new URL(await listen(other))
  const said = `Port ${port} is taken. SANDBOX_PORT, BFF_PORT and SHOP_PORT choose others.\n`
  expect(await startWith({ BFF_PORT: port })).toEqual({ code: 1, err: said, left: [] })
  other.close()
})

test('the demo reports an invalid variable in one message', async () => {
  const rule = 'at least 24 characters long, such as the output of "openssl rand -base64 32"'
  const said = `The configuration cannot be used:\n  - MERCHANT_API_KEY must be ${rule}.\n`
  expect(await startWith({ MERCHANT_API_KEY: 'short' })).toEqual({ code: 1, err: said, left: [] })
})

test('the warnings of the demo are sentences', async () => {
  const demo = spawn(process.execPath, ['demo/dist/dev.js'], {
    env: {
      PATH: process.env.PATH,
      TMPDIR: newFolder(),
      MERCHANT_WEBHOK_URL: 'https://shop.example',
      ...Object.fromEntries(await Promise.all(PORTS.map(async (name) => [name, String(await freePort())]))),
    },
  })
  onTestFinished(() => void demo.kill())
  let said = ''
  for (const stream of [demo.stdout, demo.stderr]) {
    stream.on('data', (piece: Buffer) => (said += piece.toString()))
  }

  await vi.waitUntil(() => said.includes('Ctrl+C'), { timeout: 20_000 })
  expect(said).toMatch(/^\d\d:\d\d:\d\d .*warning.* MERCHANT_WEBHOK_URL is set, but is not read/m)
  expect(said.split('\n').filter((line) => line.startsWith('{'))).toEqual([])
})

test('a shop opened as 127.0.0.1 or as localhost can pay, whichever name the other servers are given', async () => {
  const demo = await openDemo()
  onTestFinished(() => demo.close())
  const named = (url: string, name: string) => url.replace('127.0.0.1', name)
  for (const shopName of ['127.0.0.1', 'localhost']) {
    for (const name of ['127.0.0.1', 'localhost']) {
      const shop = named(demo.shop, shopName)
      expect((await fetch(shop)).status).toBe(200)
      const form = formOf(orderReference(500, randomUUID()), { return_url: `${shop}/` }, { origin: shop })
      const answer = await fetch(`${named(demo.bff, name)}/checkout/initiate`, form)
      const { redirect_url, code }: { redirect_url: string; code?: string } = await answer.json()
      expect({ shop, name, status: answer.status, code }).toEqual({
        shop,
        name,
        status: 201,
        code: undefined,
      })
      expect(answer.headers.get('access-control-allow-origin')).toBe(shop)
      expect((await fetch(named(redirect_url, name))).status).toBe(200)
    }
  }
})
