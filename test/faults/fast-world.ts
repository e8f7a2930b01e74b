import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { serve } from '@hono/node-server'
import { startSandbox } from '../../demo/sandbox/index.ts'
import { createPortalAddress } from '../../server/callbacks/portal-address.ts'
import { readConfig } from '../../server/config/config.ts'
import { freePort } from '../support/free-port.ts'
import { ENVIRONMENT } from '../support/world.ts'

/**
 * The speed of the virtual clocks of the BFF and the sandbox, in virtual seconds per real second. At a higher speed,
 * responses of local servers would arrive after the virtual timeouts of their requests.
 */
const SPEED = 20

export async function openFastWorld(storeUrl: string, more: Record<string, string> = {}) {
  const epoch = Date.now()
  const merchant = await listen()
  const sandbox = await startSandbox({ port: 0 })
  sandbox.timeline.setSpeed(SPEED)
  const port = await freePort()
  const bffUrl = `http://127.0.0.1:${port}`
  const env = {
    ...process.env,
    ...ENVIRONMENT,
    GATEWAY_CHARGE_METHODS: 'MOMO_KEN',
    GATEWAY_BASE_URL: sandbox.url,
    PUBLIC_URL: bffUrl,
    MERCHANT_WEBHOOK_URL: merchant.url,
    STORE_URL: storeUrl,
    PORT: String(port),
    EPOCH: String(epoch),
    SPEED: String(SPEED),
    ...more,
  }
  const config = readConfig(env)
  const { url: charge_callback_url } = createPortalAddress('charges', config)
  await control(sandbox.url, '/portal', { charge_callback_url })
  return {
    env,
    bffUrl,
    received: merchant.received,
    /** Returns the time of the BFF's clock, in milliseconds since the Unix epoch. */
    now: () => Math.floor(epoch + (Date.now() - epoch) * SPEED),
    account: config.environment,
    control: (path: string, body?: object) => control(sandbox.url, path, body),
    close: async () => void (await Promise.all([sandbox.close(), merchant.close()])),
  }
}

async function control(sandbox: string, path: string, body?: object) {
  const headers = { 'content-type': 'application/json' }
  const init = body && { method: 'POST', headers, body: JSON.stringify(body) }
  const answer = await fetch(`${sandbox}/_sandbox${path}`, init)
  if (!answer.ok) throw new Error(await answer.text())
  return answer.json()
}

/**
 * The maximum number of attempts to start a BFF. An attempt fails if, for example, the port or the store is still in use.
 */
const MAX_STARTS = 20

/** Starts a BFF. Resolves when the BFF listens. */
export async function startBff(env: NodeJS.ProcessEnv) {
  for (let starts = 1; ; starts++) {
    const { isListening, ...bff } = await spawnBff(env)
    if (isListening) return bff
    if (starts === MAX_STARTS) throw new Error(`The BFF ended ${MAX_STARTS} times before it listened.`)
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
      if (line === 'listening') resolve(true)
      if (line.startsWith('step ')) steps.push(line.slice('step '.length))
    })
    ended.then(() => resolve(false), reject)
  })
  const kill = async () => {
    bff.kill('SIGKILL')
    await ended
  }
  return { process: bff, steps, isListening, ended, kill }
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
