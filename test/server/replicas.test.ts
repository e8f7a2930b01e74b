import { once } from 'node:events'
import { serve } from '@hono/node-server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CheckoutView } from '../../server/api/view.ts'
import type { Fetch } from '../../server/exchange.ts'
import { startSandbox } from '../../demo/sandbox/index.ts'
import { createApp } from '../../server/app.ts'
import { readConfig } from '../../server/config.ts'
import { openStore } from '../../server/store/open.ts'
import { freePort } from '../support/free-port.ts'
import type { Postgres } from '../support/postgres.ts'
import { startPostgres } from '../support/postgres.ts'
import { ENVIRONMENT, PAYER } from '../support/world.ts'

type Sandbox = Awaited<ReturnType<typeof startSandbox>>

let postgres: Postgres
let sandbox: Sandbox
let url: string
const stopping: (() => Promise<void>)[] = []

beforeAll(async () => {
  postgres = await startPostgres()
  url = await postgres.newDatabase()
  sandbox = await startSandbox({ port: 0 })
}, 60_000)
afterAll(async () => {
  await Promise.all(stopping.map((stop) => stop()))
  await Promise.all([sandbox.close(), postgres.stop()])
})

async function startReplica(fetch?: Fetch) {
  const port = await freePort()
  const config = readConfig({
    ...ENVIRONMENT,
    GATEWAY_BASE_URL: sandbox.url,
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    STORE_URL: url,
    MERCHANT_WEBHOOK_URL: undefined,
    MERCHANT_WEBHOOK_SECRET: undefined,
  })
  const events: string[] = []
  const store = openStore(config.storeUrl)
  const app = createApp({
    config,
    store,
    orders: (order) => ({ order, amount: '500', currency: 'KES', narration: 'Two kangas' }),
    onEvent: ({ id, type }) => void events.push(`${type} ${id}`),
    ...(fetch && { fetch }),
  })
  const over = new AbortController()
  const working = app.work(over.signal)
  const server = serve({ fetch: app.fetch, port, hostname: '127.0.0.1' })
  await once(server, 'listening')
  stopping.push(async () => {
    over.abort()
    const closed = once(server, 'close')
    server.close()
    if ('closeAllConnections' in server) server.closeAllConnections()
    await Promise.all([closed, working])
    await store.close()
  })
  return {
    events,
    async initiate(order: string): Promise<CheckoutView> {
      const body = JSON.stringify({ order, ...PAYER })
      const headers = { 'content-type': 'application/json', accept: 'application/json' }
      const answer = await app.request('/checkout/initiate', { method: 'POST', headers, body })
      return answer.json()
    },
    stream: async (id: string) => (await app.request(`/checkout/status/${id}/stream`)).text(),
  }
}

async function pay({ merchant_transaction_id }: CheckoutView): Promise<void> {
  const address = `${sandbox.url}/_sandbox/checkouts/${merchant_transaction_id}/pay`
  const headers = { 'content-type': 'application/json' }
  const paid = await fetch(address, { method: 'POST', headers, body: '{"scenario":"approve"}' })
  expect(paid.ok).toBe(true)
}

test('an order has one checkout at all servers, and its payment is shown by one that cannot reach the gateway', async () => {
  const one = await startReplica()
  const other = await startReplica(() => Promise.reject(new Error('The gateway is away.')))
  const first = await one.initiate('A-1')
  const views = await Promise.all([one, other, one, other].map((replica) => replica.initiate('A-1')))
  expect(new Set(views.map(({ checkout_id }) => checkout_id))).toEqual(new Set([first.checkout_id]))

  const shown = other.stream(first.checkout_id)
  await pay(first)
  expect(await shown).toContain('"outcome":"paid"')
  await expect.poll(() => [...one.events, ...other.events].length, { timeout: 20_000 }).toBe(1)
  expect([...one.events, ...other.events][0]).toMatch(/^checkout\.paid /)
}, 60_000)
