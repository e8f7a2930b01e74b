/** A real BFF process that dies at a named step and is started again, beside a sandbox and a merchant's backend. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { serve } from '@hono/node-server'
import { vi } from 'vitest'
import { startSandbox } from '../../demo/sandbox/index.ts'
import { createPortal } from '../../server/callbacks/portal.ts'
import { readConfig } from '../../server/config.ts'
import { freePort } from '../support/free-port.ts'
import { ENVIRONMENT } from '../support/world.ts'

/** Virtual seconds in a real one: fast, and still far slower than an answer on loopback. */
const SPEED = 20
export const EVENTUALLY = { timeout: 120_000, interval: 50 }

export type MortalWorld = Awaited<ReturnType<typeof openMortalWorld>>

/** @param dieAt The step before which the first process ends; `null` to let it live and list its steps. */
export async function openMortalWorld(folder: string, dieAt: string | null) {
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
    STORE_URL: `sqlite:${join(folder, `${port}-${epoch}.sqlite`)}`,
    PORT: String(port),
    EPOCH: String(epoch),
    SPEED: String(SPEED),
  }
  const { url: charge_callback_url } = createPortal('charges', readConfig(env))
  await control(sandbox.url, '/portal', { charge_callback_url })
  let isOver = false
  let bff = await startBff({ ...env, ...(dieAt !== null && { DIE_AT: dieAt }) })
  const first = bff
  const died = () => first.process.signalCode === 'SIGKILL'
  const revived = once(first.process, 'exit').then(async () => {
    if (!isOver) bff = await startBff(env)
  })

  return {
    heard: merchant.heard,
    died,
    steps: first.steps,

    /** Asks the BFF, again and again, as somebody on a bad line does. */
    async ask<Answer>(path: string, init: RequestInit = {}): Promise<Answer> {
      return vi.waitFor(async () => {
        const answer = await fetch(bffUrl + path, { ...init, signal: AbortSignal.timeout(5_000) })
        if (!answer.ok) throw new Error(await answer.text())
        return answer.json()
      }, EVENTUALLY)
    },

    sandbox: (path: string, body?: object) => control(sandbox.url, path, body),

    async close() {
      if (died()) await revived
      isOver = true
      bff.process.kill('SIGKILL')
      await sandbox.close()
      await merchant.close()
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
  const bff = spawn(process.execPath, ['test/faults/mortal-bff.mjs'], {
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
