import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { expect, onTestFinished, test, vi } from 'vitest'
import { freePort } from '../support/free-port.ts'
import { localPayout } from '../support/spec-payouts.ts'
import { API_KEY, ENVIRONMENT } from '../support/world.ts'

const KILLS = process.env.FULL ? 200 : 5
const CONNECTIONS = 8
const EVENTUALLY = { timeout: 120_000, interval: 200 }

async function openGateway() {
  const sent = new Map<string, { times: number; request: Record<string, string> }>()
  const app = new Hono()
  app.post('/v1/auth', (c) => c.json({ access_token: 'a-token', expiresIn: 3_600 }))
  app.post('/v1/payouts/initiate', async (c) => {
    const request = await c.req.json()
    const { payout_reference } = request
    sent.set(payout_reference, { times: (sent.get(payout_reference)?.times ?? 0) + 1, request })
    return c.json({ payout_reference, response_code: 720, response_description: 'Accepted' })
  })
  app.get('/v1/payouts/:payout_reference/status', (c) => {
    const payout_reference = c.req.param('payout_reference')
    const known = sent.get(payout_reference)?.request
    if (!known) return c.json({ payout_reference, response_code: 723, response_description: 'Not found' })
    const {
      recipient_amount: amount,
      destination_currency: currency,
      recipient_account_number: account_number,
    } = known
    const data = { payment_status: 700, amount, currency, account_number }
    return c.json({ payout_reference, destination: account_number, data })
  })
  const port = await freePort()
  const server = serve({ fetch: app.fetch, hostname: '127.0.0.1', port })
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return { url: `http://127.0.0.1:${port}`, sent }
}

async function openServer(gatewayUrl: string, storeUrl: string) {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const { MERCHANT_WEBHOOK_URL: _, MERCHANT_WEBHOOK_SECRET: __, ...environment } = ENVIRONMENT
  const env = {
    ...process.env,
    ...environment,
    GATEWAY_BASE_URL: gatewayUrl,
    PUBLIC_URL: url,
    ORDERS_URL: 'http://127.0.0.1:9/orders',
    ORDERS_TOKEN: 'the token of a merchant in a test',
    STORE_URL: storeUrl,
    PORT: String(port),
    LOG_LEVEL: 'error',
  }
  const start = () =>
    spawn(process.execPath, ['server/dist/cli.js', 'serve'], { env, stdio: ['ignore', 'ignore', 'inherit'] })
  let running = start()
  onTestFinished(() => void running.kill('SIGKILL'))
  const api = (path: string, body?: object) =>
    fetch(`${url}/api${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(20_000),
    })
  return {
    api,
    isReady: () =>
      vi.waitFor(async () => expect((await fetch(`${url}/health/ready`)).ok).toBe(true), EVENTUALLY),
    async killAndRestart() {
      running.kill('SIGKILL')
      await once(running, 'exit')
      running = start()
    },
  }
}

test(
  `${KILLS} kills under load lose no acknowledged payout and send none twice`,
  { timeout: 900_000 },
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'traffic-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const gateway = await openGateway()
    const server = await openServer(gateway.url, `sqlite:${join(folder, 'store.sqlite')}`)
    await server.isReady()

    const acknowledged = new Set<string>()
    let isOver = false
    let number = 0
    const pay = async () => {
      while (!isOver) {
        const payout_reference = `P-${number++}`
        const isAcknowledged = async () => {
          const answer = await server.api('/payouts', { ...localPayout, payout_reference })
          if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`)
        }
        await vi.waitFor(isAcknowledged, { ...EVENTUALLY, interval: 20 })
        acknowledged.add(payout_reference)
      }
    }
    const merchants = Array.from({ length: CONNECTIONS }, pay)
    for (let kill = 0; kill < KILLS; kill++) {
      await server.isReady()
      const soon = acknowledged.size + 1 + Math.floor(Math.random() * 60)
      await vi.waitFor(() => expect(acknowledged.size).toBeGreaterThan(soon), { ...EVENTUALLY, interval: 1 })
      await server.killAndRestart()
    }
    await server.isReady()
    isOver = true
    await Promise.all(merchants)

    const sentTwice = [...gateway.sent].filter(([, { times }]) => times > 1).map(([reference]) => reference)
    expect(sentTwice).toEqual([])
    const lost: string[] = []
    for (const reference of acknowledged)
      if (!(await server.api(`/payouts/${reference}`)).ok) lost.push(reference)
    expect(lost).toEqual([])
    // The process was killed before it sent these payouts. They are sent again after two minutes of failed queries.
    const unsent = [...acknowledged].filter((reference) => !gateway.sent.has(reference))
    for (const reference of unsent)
      expect(await (await server.api(`/payouts/${reference}`)).json()).toMatchObject({ outcome: 'sending' })
    if (!process.env.FULL) return
    await vi.waitFor(async () => {
      for (const reference of acknowledged) {
        const outcome = gateway.sent.has(reference) ? 'succeeded' : 'sending'
        expect(await (await server.api(`/payouts/${reference}`)).json()).toMatchObject({ outcome })
      }
    }, EVENTUALLY)
  },
)
