import type { AddressInfo } from 'node:net'
import { serve } from '@hono/node-server'
import { connect } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { createSandbox } from '../../demo/sandbox/index.ts'
import { createApp } from '../../server/app.ts'
import { readConfig } from '../../server/config.ts'
import { openStore } from '../../server/store/open.ts'
import { ENVIRONMENT, PAYER } from '../support/world.ts'

const closing: (() => void)[] = []
afterEach(() => closing.splice(0).forEach((close) => close()))

/** The BFF behind a real port. */
async function listening() {
  const logged: string[] = []
  const log = (level: string) => (_: object, message: string) => void logged.push(`${level}: ${message}`)
  const sandbox = createSandbox({ seed: 1, publicUrl: 'http://127.0.0.1:4010' })
  const app = createApp({
    config: readConfig(ENVIRONMENT),
    store: openStore('sqlite::memory:'),
    orders: (order) => ({ order, amount: 500, currency: 'KES', narration: 'Two kangas' }),
    fetch: (url, init) => sandbox.app.request(url, init),
    log: { debug: () => {}, info: log('info'), warn: log('warn'), error: log('error') },
  })
  const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' })
  await new Promise<void>((resolve) => server.once('listening', resolve))
  closing.push(() => {
    server.close()
    if ('closeAllConnections' in server) server.closeAllConnections()
    sandbox.timeline.close()
  })
  // A listening TCP server has an address with a port.
  const { port } = server.address() as AddressInfo
  return { logged, port, url: `http://127.0.0.1:${port}` }
}

async function begun(url: string): Promise<string> {
  const body = new URLSearchParams({ order: 'A-1', ...PAYER })
  const answer = await fetch(`${url}/checkout/initiate`, {
    method: 'POST',
    headers: { accept: 'application/json' },
    body,
  })
  return (await answer.json()).checkout_id
}

test('the server survives pages that close their streams', async () => {
  const { url, logged } = await listening()
  const id = await begun(url)
  for (let page = 0; page < 20; page++) {
    const leaving = new AbortController()
    const answer = await fetch(`${url}/checkout/status/${id}/stream`, { signal: leaving.signal })
    const first = await answer.body?.getReader().read()
    expect(new TextDecoder().decode(first?.value)).toContain('retry: 2000')
    leaving.abort()
  }
  expect((await fetch(`${url}/health/live`)).status).toBe(200)
  expect(logged.filter((line) => line.startsWith('error'))).toEqual([])
})

test('the server survives a request that ends inside its body', async () => {
  const { url, port, logged } = await listening()
  const socket = connect(port, '127.0.0.1')
  socket.write(
    'POST /checkout/initiate HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 500\r\n\r\n{"order":',
    () => socket.destroy(),
  )
  await new Promise((resolve) => socket.once('close', resolve))
  expect((await fetch(`${url}/health/live`)).status).toBe(200)
  expect(logged).toEqual([])
})
