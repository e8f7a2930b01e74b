import { spawn } from 'node:child_process'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { json } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { systemClock } from '../../server/clock.ts'
import { MERCHANT, start } from '../support/command-line.ts'
import { freePort } from '../support/free-port.ts'
import { openPayoutGateway } from '../support/payout-gateway.ts'
import { startPostgres } from '../support/postgres.ts'
import { localPayout } from '../support/spec-payouts.ts'
import { API_KEY, ENVIRONMENT } from '../support/world.ts'

const CONNECTIONS = 64
const PAYOUTS = 60
const STOP_MS = 9_000
const LISTENS = /listens on port (\d+)/
const EVENTUALLY = { timeout: 120_000, interval: 200 }

async function openBackend() {
  const delivered = new Set<string>()
  let isOpen = false
  const accept = async (request: IncomingMessage, response: ServerResponse) => {
    const { type, data } = (await json(request)) as { type: string; data: { payout_reference: string } }
    delivered.add(`${type} ${data.payout_reference}`)
    response.writeHead(204).end()
  }
  const server = createServer((request, response) => void (isOpen && accept(request, response)))
  const port = await freePort()
  await once(server.listen(port, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return { url: `http://127.0.0.1:${port}/webhooks`, delivered, open: () => void (isOpen = true) }
}

function startLoad(port: number) {
  const acknowledged = new Set<string>()
  const args = ['test/faults/load.mjs', `http://127.0.0.1:${port}`, API_KEY, String(CONNECTIONS)]
  const child = spawn(process.execPath, args, {
    env: { PATH: process.env.PATH, PAYOUT: JSON.stringify(localPayout) },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  createInterface(child.stdout).on('line', (reference) => acknowledged.add(reference))
  return { acknowledged, ended: once(child, 'close') }
}

// `schedstat` begins with the nanoseconds for which the thread ran and those for which it waited for a core.
async function demandOf(pid: number): Promise<number> {
  const read = () => {
    const [ran, waited] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ').map(Number)
    return { at: performance.now(), ms: (ran! + waited!) / 1e6 }
  }
  const before = read()
  await systemClock.sleep(1_000)
  const after = read()
  return (after.ms - before.ms) / (after.at - before.at)
}

async function openStoreUrl(engine: 'SQLite' | 'Postgres'): Promise<string> {
  if (engine === 'Postgres') {
    const postgres = await startPostgres()
    onTestFinished(() => postgres.stop())
    return postgres.newDatabase()
  }
  const folder = mkdtempSync(join(tmpdir(), 'stop-'))
  onTestFinished(() => rmSync(folder, { recursive: true, maxRetries: 10 }))
  return `sqlite:${join(folder, 'store.sqlite')}`
}

const ENGINES = ['SQLite', 'Postgres'] as const

// Without FULL, `cli-drain.test.ts` stops a server whose gateway and webhook hang.
test.runIf(process.platform === 'linux' && process.env.FULL).each(ENGINES)(
  `on %s, it ends in ${STOP_MS / 1_000} seconds, and nothing is lost`,
  { timeout: 300_000 },
  async (engine) => {
    const storeUrl = await openStoreUrl(engine)
    const [gateway, backend, port] = [await openPayoutGateway(), await openBackend(), await freePort()]
    const env = {
      ...MERCHANT,
      GATEWAY_BASE_URL: gateway.url,
      PUBLIC_URL: `http://127.0.0.1:${port}`,
      ORDER_SIGNING_KEY: 'a signing key of at least 32 bytes, for a test',
      MERCHANT_API_KEY: API_KEY,
      MERCHANT_WEBHOOK_URL: backend.url,
      MERCHANT_WEBHOOK_SECRET: ENVIRONMENT.MERCHANT_WEBHOOK_SECRET!,
      STORE_URL: storeUrl,
      HOST: '127.0.0.1',
      PORT: String(port),
    }
    const server = await start(['serve'], env, LISTENS)
    onTestFinished(() => void server.child.kill('SIGKILL'))
    const load = startLoad(port)
    await expect.poll(() => load.acknowledged.size, EVENTUALLY).toBeGreaterThan(PAYOUTS)
    gateway.hang(true)
    let demand = 0
    const readDemand = async () => (demand = await demandOf(server.child.pid!))
    await expect.poll(readDemand, EVENTUALLY).toBeGreaterThan(0.7)

    const stoppedAt = performance.now()
    expect(await server.stop()).toBe(0)
    const tookMs = performance.now() - stoppedAt
    await load.ended
    console.log(
      `${engine}: ${(demand * 100).toFixed()} % of a core demanded, stopped in ${(tookMs / 1_000).toFixed(1)} s, ` +
        `${load.acknowledged.size} payouts acknowledged`,
    )
    expect(tookMs).toBeLessThan(STOP_MS)

    gateway.hang(false)
    backend.open()
    const again = await start(['serve'], env, LISTENS)
    onTestFinished(() => void again.child.kill('SIGKILL'))
    const startedAt = performance.now()
    const missing = () =>
      [...load.acknowledged].filter((reference) => !backend.delivered.has(`payout.succeeded ${reference}`))
    await expect.poll(missing, EVENTUALLY).toEqual([])
    const seconds = ((performance.now() - startedAt) / 1_000).toFixed()
    console.log(`${engine}: all ${load.acknowledged.size} settled and told ${seconds} s after the restart`)
    gateway.expectSentOnce()
    expect(await again.stop()).toBe(0)
  },
)
