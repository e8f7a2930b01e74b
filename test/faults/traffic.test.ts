import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import type { Transaction } from '../../server/store.ts'
import type { Postgres } from '../support/postgres.ts'
import { openStore } from '../../server/store/open.ts'
import { freePort } from '../support/free-port.ts'
import { openPayoutGateway } from '../support/payout-gateway.ts'
import { startPostgres } from '../support/postgres.ts'
import { localPayout } from '../support/spec-payouts.ts'
import { API_KEY, ENVIRONMENT } from '../support/world.ts'

const KILLS = process.env.FULL ? 60 : 5
const CONNECTIONS = 8
const EVENTUALLY = { timeout: 120_000, interval: 200 }
const RESENT_MS = 2 * 60_000
const PAGE_SIZE = 1_000

const folder = mkdtempSync(join(tmpdir(), 'traffic-'))
const ENGINES = process.env.FULL ? (['SQLite', 'Postgres'] as const) : (['SQLite'] as const)
let postgres: Postgres | undefined
afterAll(async () => {
  rmSync(folder, { recursive: true, maxRetries: 10 })
  await postgres?.stop()
}, 60_000)

const NEW_STORE = {
  SQLite: async () => `sqlite:${join(folder, 'store.sqlite')}`,
  async Postgres() {
    postgres = await startPostgres()
    return postgres.newDatabase()
  },
}

async function openServer(gatewayUrl: string, storeUrl: string) {
  const { MERCHANT_WEBHOOK_URL: _, MERCHANT_WEBHOOK_SECRET: __, ...environment } = ENVIRONMENT
  const env = {
    ...process.env,
    ...environment,
    GATEWAY_BASE_URL: gatewayUrl,
    // Each payout is queried at least once: the default budget would delay the queries.
    GATEWAY_MAX_RPS: '1000',
    ORDERS_URL: 'http://127.0.0.1:9/orders',
    ORDERS_TOKEN: 'the token of a merchant in a test',
    STORE_URL: storeUrl,
    LOG_LEVEL: 'error',
  }
  let url = ''
  // A new port each time: another process may have taken the old one meanwhile.
  const start = async () => {
    const PORT = String(await freePort())
    url = `http://127.0.0.1:${PORT}`
    const own = { ...env, PORT, PUBLIC_URL: url }
    return spawn(process.execPath, ['server/dist/cli.js', 'serve'], {
      env: own,
      stdio: ['ignore', 'ignore', 'inherit'],
    })
  }
  let running = await start()
  onTestFinished(() => kill(running))
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
      await kill(running)
      running = await start()
    },
  }
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}

test.each(ENGINES)(
  `${KILLS} kills under load on %s lose no acknowledged payout and send none twice`,
  { timeout: 2_400_000 },
  async (engine) => {
    const gateway = await openPayoutGateway()
    const storeUrl = await NEW_STORE[engine]()
    const server = await openServer(gateway.url, storeUrl)
    await server.isReady()
    const acknowledged = await killUnderLoad(server)
    const restartedAt = Date.now()
    gateway.expectSentOnce()

    const payouts = openPayouts(storeUrl)
    const stored = await payouts()
    const references = new Set(stored.map(({ reference }) => reference))
    expect([...acknowledged].filter((reference) => !references.has(reference))).toEqual([])

    // The process was killed before it sent these payouts. They are sent again after two minutes of failed queries.
    const isKnown = new Set(gateway.sent.keys())
    const unsent = stored.filter(({ reference }) => !isKnown.has(reference))
    for (const { outcome, due_at } of unsent) {
      expect(outcome).toBe('sending')
      expect(due_at).toBeLessThan(restartedAt + RESENT_MS)
    }
  },
)

function openPayouts(storeUrl: string): () => Promise<Transaction[]> {
  const store = openStore(storeUrl, { isCommand: true })
  onTestFinished(() => store.close())
  return async () => {
    const rows: Transaction[] = []
    for (let after = { updated_at: -1, id: '' }; ;) {
      const page = await store.search('sandbox', 'payout', { limit: PAGE_SIZE, after })
      rows.push(...page)
      for (const { updated_at, id } of page.slice(-1)) after = { updated_at, id }
      if (page.length < PAGE_SIZE) return rows
    }
  }
}

async function killUnderLoad(server: Awaited<ReturnType<typeof openServer>>): Promise<Set<string>> {
  const acknowledged = new Set<string>()
  let next = { after: Infinity, now: () => {} }
  let isOver = false
  let number = 0
  const pay = async () => {
    while (!isOver) {
      const payout_reference = `P-${number++}`
      const isAcknowledged = async () => {
        const answer = await server.api('/payouts', { ...localPayout, payout_reference })
        if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`)
      }
      await vi.waitFor(isAcknowledged, { ...EVENTUALLY, interval: 100 })
      acknowledged.add(payout_reference)
      if (acknowledged.size > next.after) next.now()
    }
  }
  const merchants = Promise.all(Array.from({ length: CONNECTIONS }, pay))
  // A failed merchant ends the waits below. Between them, its error must not count as an error outside tests.
  merchants.catch(() => {})
  for (let kills = 0; kills < KILLS; kills++) {
    await server.isReady()
    const after = acknowledged.size + 1 + Math.floor(Math.random() * 60)
    await Promise.race([new Promise<void>((now) => (next = { after, now })), merchants])
    await server.killAndRestart()
  }
  await server.isReady()
  isOver = true
  await merchants
  return acknowledged
}
