import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { serve } from '@hono/node-server'
import { afterAll, expect, test } from 'vitest'
import type { View } from '../../server/contract/view.ts'
import { startSandbox } from '../../demo/sandbox/index.ts'
import { ENVIRONMENT, PAYER } from '../support/world.ts'

/** Virtual seconds in a real one: fast, and still far slower than an answer on loopback. */
const SPEED = 20
const EVENTUALLY = { timeout: 30_000, interval: 50 }
/** Worlds beside each other: they mostly wait. */
const AT_ONCE = 4
const folder = mkdtempSync(join(tmpdir(), 'kill-'))
afterAll(() => rmSync(folder, { recursive: true }))

test('killed at every step of a payment, the outcome still arrives once', { timeout: 600_000 }, async () => {
  const steps = await payment(null)
  expect(steps.died).toBe(false)
  expect(steps.taken.length).toBeGreaterThanOrEqual(16)

  const waiting = [...new Set(steps.taken)]
  const survived: string[] = []
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let dieAt = waiting.shift(); dieAt !== undefined; dieAt = waiting.shift()) {
        const { died } = await payment(dieAt)
        if (died) survived.push(dieAt)
      }
    }),
  )
  // Which worker is first may differ from run to run, so a rare step is not reached again.
  expect(survived.length).toBeGreaterThanOrEqual(steps.taken.length * 0.8)
})

/** One payment in a fresh world, by a shopper who tries again until it works; the BFF dies at the named step. */
async function payment(dieAt: string | null) {
  const epoch = Date.now()
  const merchant = await listen()
  const sandbox = await startSandbox({ port: 0 })
  sandbox.timeline.setSpeed(SPEED)
  const port = await freePort()
  const env = {
    ...process.env,
    ...ENVIRONMENT,
    GATEWAY_BASE_URL: sandbox.url,
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    MERCHANT_WEBHOOK_URL: merchant.url,
    STORE_URL: `sqlite:${join(folder, `${port}-${epoch}.sqlite`)}`,
    PORT: String(port),
    EPOCH: String(epoch),
    SPEED: String(SPEED),
  }
  let bff = await startBff({ ...env, ...(dieAt !== null && { DIE_AT: dieAt }) })
  const first = bff
  const reviving = once(bff.process, 'exit').then(async ([, signal]) => {
    if (signal === 'SIGKILL' && !over) bff = await startBff(env)
  })
  let over = false

  try {
    const begun = await insist(() => initiate(port))
    await pay(sandbox.url, begun)
    await expect.poll(() => merchant.heard.map(({ type }) => type), EVENTUALLY).toContain('checkout.paid')
    await expect
      .poll(() => insist(() => status(port, begun)), EVENTUALLY)
      .toMatchObject({ status: 801, outcome: 'paid' })
    expect(new Set(merchant.heard.map(({ id }) => id)).size).toBe(1)
    expect(await sessionsOf(sandbox.url)).toEqual([begun.merchant_transaction_id])
    return { died: first.process.signalCode === 'SIGKILL', taken: first.steps }
  } finally {
    over = true
    if (first.process.signalCode === 'SIGKILL') await reviving
    bff.process.kill('SIGKILL')
    await sandbox.close()
    await merchant.close()
  }
}

async function startBff(env: NodeJS.ProcessEnv) {
  const process_ = spawn(process.execPath, ['test/faults/mortal-bff.mjs'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const steps: string[] = []
  const started = new Promise<void>((resolve) => {
    createInterface(process_.stdout).on('line', (line) => {
      if (line === 'listening') resolve()
      if (line.startsWith('step ')) steps.push(line.slice('step '.length))
    })
    process_.once('exit', () => resolve())
  })
  await started
  return { process: process_, steps }
}

/** A shopper on a bad line: tries again until there is an answer. */
async function insist<T>(ask: () => Promise<T>): Promise<T> {
  let answer: { value: T } | null = null
  await expect
    .poll(async () => {
      answer = await ask().then(
        (value) => ({ value }),
        () => null,
      )
      return answer
    }, EVENTUALLY)
    .not.toBeNull()
  return answer!['value']
}

async function initiate(port: number): Promise<View> {
  const body = new URLSearchParams({ order: 'A-1', ...PAYER })
  const headers = { accept: 'application/json' }
  const signal = AbortSignal.timeout(5_000)
  const answer = await fetch(`http://127.0.0.1:${port}/checkout/initiate`, {
    method: 'POST',
    body,
    headers,
    signal,
  })
  if (!answer.ok) throw new Error(await answer.text())
  return answer.json()
}

async function status(port: number, { checkout_id }: View): Promise<View> {
  const signal = AbortSignal.timeout(5_000)
  return (await fetch(`http://127.0.0.1:${port}/checkout/status/${checkout_id}`, { signal })).json()
}

async function pay(sandbox: string, { merchant_transaction_id }: View): Promise<void> {
  const answer = await fetch(`${sandbox}/_sandbox/checkouts/${merchant_transaction_id}/pay`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ scenario: 'approve' }),
  })
  if (!answer.ok) throw new Error(await answer.text())
}

/** Every id under which the gateway was ever asked to open a session. */
async function sessionsOf(sandbox: string): Promise<string[]> {
  const { requests } = await (await fetch(`${sandbox}/_sandbox/requests`)).json()
  const initiates = requests.filter(({ path }: { path: string }) => path === '/v2/checkout/initiate')
  const ids = initiates.map(
    ({ body }: { body: { merchant_transaction_id: string } }) => body.merchant_transaction_id,
  )
  return [...new Set<string>(ids)]
}

async function listen() {
  const heard: { id: string; type: string }[] = []
  const port = await freePort()
  const server = serve({
    hostname: '127.0.0.1',
    port,
    fetch: async (request) => {
      const { type } = await request.json()
      heard.push({ id: request.headers.get('webhook-id') ?? '', type })
      return new Response(null, { status: 204 })
    },
  })
  await once(server, 'listening')
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()))
  return { url: `http://127.0.0.1:${port}/webhooks`, heard, close }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  await once(server.close(), 'close')
  return typeof address === 'object' && address ? address.port : 0
}
