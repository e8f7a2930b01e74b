/** Runs a BFF that is killed at a step and then restarted, with a sandbox and a merchant's backend. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { serve } from '@hono/node-server'
import { vi } from 'vitest'
import { startSandbox } from '../../demo/sandbox/index.ts'
import { createPortalAddress } from '../../server/callbacks/portal-address.ts'
import { readConfig } from '../../server/config.ts'
import { openStore } from '../../server/store/open.ts'
import { freePort } from '../support/free-port.ts'
import { ENVIRONMENT } from '../support/world.ts'

/** Virtual seconds per real second. Low enough that local responses arrive before virtual timeouts. */
const SPEED = 20
const EVENTUALLY = { timeout: 120_000, interval: 50 }

export type KillableWorld = Awaited<ReturnType<typeof openKillableWorld>>

/**
 * A transaction is unfinished if it is due within this many milliseconds. Settled transactions are due after an hour.
 */
const REST_MS = 10 * 60_000

/**
 * @param storeUrl A new, empty store.
 * @param dieAt The step at which the first process kills itself; `null` to only record the steps.
 */
export async function openKillableWorld(storeUrl: string, dieAt: string | null) {
  const epoch = Date.now()
  const merchant = await listen()
  const sandbox = await startSandbox({ port: 0 })
  sandbox.timeline.setSpeed(SPEED)
  const port = await freePort()
  const bffUrl = `http://127.0.0.1:${port}`
  const env = {
    ...process.env,
    ...ENVIRONMENT,
    GATEWAY_BASE_URL: sandbox.url,
    PUBLIC_URL: bffUrl,
    MERCHANT_WEBHOOK_URL: merchant.url,
    STORE_URL: storeUrl,
    PORT: String(port),
    EPOCH: String(epoch),
    SPEED: String(SPEED),
  }
  const config = readConfig(env)
  const { url: charge_callback_url } = createPortalAddress('charges', config)
  await control(sandbox.url, '/portal', { charge_callback_url })
  const account = {
    environment: config.environment,
    base_url: config.gateway.baseUrl,
    account_number: config.gateway.accountNumber,
  }
  let isOver = false
  let bff = await startBff({ ...env, ...(dieAt !== null && { DIE_AT: dieAt }) })
  const first = bff
  const store = openStore(env.STORE_URL, { isCommand: true })
  const died = () => first.process.signalCode === 'SIGKILL'
  const revived = once(first.process, 'exit').then(async () => {
    if (!isOver) bff = await startBff(env)
  })

  const storedEvents = () => store.listEvents(account, 0, 100)

  async function ask<Answer>(path: string, init: RequestInit = {}): Promise<Answer> {
    return vi.waitFor(async () => {
      const answer = await fetch(bffUrl + path, { ...init, signal: AbortSignal.timeout(5_000) })
      if (!answer.ok) throw new Error(await answer.text())
      return answer.json()
    }, EVENTUALLY)
  }

  return {
    received: merchant.received,
    died,
    steps: first.steps,
    storedEvents,

    ask,

    async rest(): Promise<void> {
      await vi.waitFor(async () => {
        const due = await store.nextDue(account, 'transactions')
        const isDueSoon = due !== null && due < sandbox.timeline.now() + REST_MS
        // After `needs_attention`, the server only queries the transaction every minute.
        const events = await storedEvents()
        if (isDueSoon && !events.some(({ type }) => type.endsWith('.needs_attention')))
          throw new Error('A transaction is due soon.')
        // Events are checked last because settling a transaction adds events.
        for (const queue of ['events', 'retries'] as const)
          if ((await store.nextDue(account, queue)) !== null) throw new Error('An event is not delivered.')
      }, EVENTUALLY)
      await ask('/health/ready')
    },

    sandbox: (path: string, body?: object) => control(sandbox.url, path, body),

    async close() {
      if (died()) await revived
      isOver = true
      bff.process.kill('SIGKILL')
      await Promise.all([sandbox.close(), merchant.close(), store.close()])
    },
  }
}

async function control(sandbox: string, path: string, body?: object) {
  const headers = { 'content-type': 'application/json' }
  const init = body && { method: 'POST', headers, body: JSON.stringify(body) }
  const answer = await fetch(`${sandbox}/_sandbox${path}`, init)
  if (!answer.ok) throw new Error(await answer.text())
  return answer.json()
}

async function startBff(env: NodeJS.ProcessEnv) {
  const bff = spawn(process.execPath, ['test/faults/killable-bff.mjs'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const steps: string[] = []
  await new Promise<void>((resolve) => {
    createInterface(bff.stdout).on('line', (line) => {
      if (line === 'listening') resolve()
      if (line.startsWith('step ')) steps.push(line.slice('step '.length))
    })
    bff.once('exit', () => resolve())
  })
  return { process: bff, steps }
}

async function listen() {
  const received: { id: string; type: string }[] = []
  const port = await freePort()
  const server = serve({
    hostname: '127.0.0.1',
    port,
    fetch: async (request) => {
      const { type } = await request.json()
      received.push({ id: request.headers.get('webhook-id') ?? '', type })
      return new Response(null, { status: 204 })
    },
  })
  await once(server, 'listening')
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()))
  return { url: `http://127.0.0.1:${port}/webhooks`, received, close }
}
