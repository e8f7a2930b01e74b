import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { vi } from 'vitest'

import { listen } from '../../demo/sandbox/http/listen.ts'
import { startSandbox } from '../../demo/sandbox/index.ts'
import { readConfig } from '../../server/config/config.ts'
import { openStore } from '../../server/store/open.ts'
import { createPortalAddress } from '../../server/transactions/callback-address.ts'
import { freePort } from '../support/free-port.ts'
import { ENVIRONMENT } from '../support/worlds/environment.ts'
import { control } from '../support/worlds/sandbox-line.ts'

const EVENTUALLY = { timeout: 120_000, interval: 50 }

/**
 * The speed of the virtual clocks of the BFF and the sandbox, in virtual seconds per real second. At a higher speed,
 * responses of local servers would arrive after the virtual timeouts of their requests.
 */
const SPEED = 20

// Unfinished transactions are due within 10 minutes, settled transactions only after an hour.
const REST_MS = 10 * 60_000

// An attempt to start a server fails if, for example, the port or the store is still in use.
const MAX_STARTS = 20

export type KillableWorld = Awaited<ReturnType<typeof openKillableWorld>>

/**
 * Starts a server that kills itself at the step `dieAt`, such as `after store.commit #1`. A step is the moment before
 * or after a store write or an HTTP request. If `dieAt` is `null`, the server only records its steps.
 */
export async function openKillableWorld(storeUrl: string, dieAt: string | null) {
  const epoch = Date.now()
  const now = () => Math.floor(epoch + (Date.now() - epoch) * SPEED)
  const merchant = await openBackend()
  const sandbox = await startSandbox({ port: 0 })
  sandbox.timeline.setSpeed(SPEED)
  const port = String(await freePort())
  const bffUrl = `http://127.0.0.1:${port}`
  const env = {
    ...process.env,
    ...ENVIRONMENT,
    GATEWAY_CHARGE_METHODS: 'MOMO_KEN',
    GATEWAY_BASE_URL: sandbox.url,
    PUBLIC_URL: bffUrl,
    MERCHANT_WEBHOOK_URL: merchant.url,
    NOTIFY_URL: merchant.noticeUrl,
    NOTIFY_BODY: '{"id":"{id}","title":"{title}"}',
    STORE_URL: storeUrl,
    PORT: port,
    EPOCH: String(epoch),
    SPEED: String(SPEED),
  }
  const config = readConfig(env)
  await control(sandbox.url, '/portal', { charge_callback_url: createPortalAddress('charges', config).url })
  let isOver = false
  let bff = await startBff({ ...env, ...(dieAt !== null && { DIE_AT: dieAt }) })
  const first = bff
  const store = openStore(storeUrl, { isCommand: true })
  const revived = first.ended.then(async () => {
    if (!isOver) {
      bff = await startBff(env)
    }
  })
  // A failed restart is reported when the world closes, not as an error outside tests.
  revived.catch(() => {})

  async function expectNoneDueSoon(): Promise<void> {
    const due = await store.nextDue(config.environment, 'transactions')
    const isDueSoon = due !== null && due < now() + REST_MS
    // After `needs_attention`, the server only queries the transaction every minute.
    const isOpen = isDueSoon && !(await storedEvents()).some(({ type }) => type.endsWith('.needs_attention'))
    if (isOpen) {
      throw new Error('A transaction is due soon.')
    }
  }

  const storedEvents = () => store.listEvents(config.environment, 0, 100)

  async function askForText(path: string, init: RequestInit = {}): Promise<string> {
    return vi.waitFor(async () => {
      const answer = await fetch(bffUrl + path, { ...init, signal: AbortSignal.timeout(5_000) })
      const text = await answer.text()
      if (!answer.ok) {
        throw new Error(text)
      }
      return text
    }, EVENTUALLY)
  }

  async function ask<Answer>(path: string, init: RequestInit = {}): Promise<Answer> {
    return JSON.parse(await askForText(path, init))
  }

  return {
    received: merchant.received,
    /** What the seller was told. */
    notices: merchant.notices,
    died: () => first.process.signalCode === 'SIGKILL',
    steps: first.steps,
    storedEvents,
    ask,
    askForText,
    sandbox: (path: string, body?: object) => control(sandbox.url, path, body),

    async rest(): Promise<void> {
      await vi.waitFor(async () => {
        await expectNoneDueSoon()
        for (const queue of ['events', 'retries'] as const) {
          if ((await store.nextDue(config.environment, queue)) !== null) {
            throw new Error('An event is not delivered.')
          }
        }

        if ((await store.nextNoticeDue(config.environment, 'http')) !== null) {
          throw new Error('Somebody is not told.')
        }

        // Settling a transaction adds events, and delivering an event may make its transaction due.
        await expectNoneDueSoon()
      }, EVENTUALLY)
      await ask('/health/ready')
    },

    async close() {
      isOver = true
      await first.kill()
      await revived
      await bff.kill()
      await Promise.all([sandbox.close(), merchant.close(), store.close()])
    },
  }
}

/** Starts a BFF. Resolves when the BFF listens. */
async function startBff(env: NodeJS.ProcessEnv) {
  for (let starts = 1; ; starts++) {
    const { isListening, ...bff } = await spawnBff(env)
    if (isListening) {
      return bff
    }
    if (starts === MAX_STARTS) {
      throw new Error(`The BFF ended ${MAX_STARTS} times before it listened.`)
    }
  }
}

async function spawnBff(env: NodeJS.ProcessEnv) {
  const bff = spawn(process.execPath, ['test/faults/killable-bff.mjs'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(bff, 'exit')
  const steps: string[] = []
  const isListening = await new Promise<boolean>((resolve, reject) => {
    createInterface(bff.stdout).on('line', (line) => {
      if (line === 'listening') {
        resolve(true)
      }
      if (line.startsWith('step ')) {
        steps.push(line.slice('step '.length))
      }
    })
    ended.then(() => resolve(false), reject)
  })

  const kill = async () => {
    bff.kill('SIGKILL')
    await ended
  }

  return { process: bff, steps, isListening, ended, kill }
}

async function openBackend() {
  const received: { id: string; type: string }[] = []

  const notices: { id: string; title: string }[] = []

  const fetch = async (request: Request) => {
    if (request.url.endsWith('/notices')) {
      notices.push(await request.json())
      return new Response(null, { status: 204 })
    }

    const { type } = await request.json()
    received.push({ id: request.headers.get('webhook-id') ?? '', type })
    return new Response(null, { status: 204 })
  }

  const { url, close } = await listen({ fetch }, 0)
  return { url: `${url}/webhooks`, noticeUrl: `${url}/notices`, received, notices, close }
}
