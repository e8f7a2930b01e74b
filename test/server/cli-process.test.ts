import { execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { createServer } from 'node:net'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TrackedPayout } from '../../server/api/payout.ts'
import type { Env } from '../support/command-line.ts'
import { version } from '../../server/package.json'
import { openStore } from '../../server/store/open.ts'
import { CLI, run, runUnread, start } from '../support/command-line.ts'
import { createCliWorld } from '../support/cli-world.ts'
import { freePort } from '../support/free-port.ts'
import { openPortal } from '../sandbox/portal-visitor.ts'
import { localPayout } from '../support/spec-payouts.ts'
import { API_KEY, ENVIRONMENT } from '../support/world.ts'

const PROCESS_MS = 120_000

const SERVER: Env = {
  ORDER_SIGNING_KEY: 'a signing key of at least 32 bytes, for a test',
  MERCHANT_API_KEY: API_KEY,
  HOST: '127.0.0.1',
  PORT: '0',
}
const LISTENS = /listens on port (\d+)/

let cli: Awaited<ReturnType<typeof createCliWorld>>
beforeAll(async () => {
  cli = await createCliWorld()
}, PROCESS_MS)
afterAll(() => cli.close())

test('the exit code is the exit code of the process', { timeout: PROCESS_MS }, async () => {
  expect(await run(['--version'])).toEqual({ code: 0, out: `${version}\n`, err: '' })
  expect(await run(['api', 'GET'])).toMatchObject({ code: 2, out: '' })
})

test('what sandbox prints is a file .env that the commands read', { timeout: PROCESS_MS }, async () => {
  const sandbox = await start(['sandbox', '--port', '0'], {}, /^# The sandbox gateway[^]*"seconds":1860.*$/m)
  const folder = mkdtempSync(join(cli.folder, 'env-'))
  writeFileSync(join(folder, '.env'), sandbox.match[0])
  const inFolder = (args: string[], env = {}) => run(args, env, '', CLI, folder)
  // Only a server creates a store.
  void openStore(`sqlite:${join(folder, 'gateway-checkout.sqlite')}`).close()
  const BALANCE = ['api', 'GET', '/api/accounts/ACC-001/balance']
  expect(await inFolder(BALANCE)).toMatchObject({ code: 0, out: expect.stringContaining('KES') })
  const refused = await inFolder(BALANCE, { GATEWAY_CONSUMER_SECRET: 'the-secret-of-the-environment' })
  expect(refused.code).toBe(77)
  expect(await sandbox.stop()).toBe(143)
})

test('sandbox --production prints the sign-in of its portal', { timeout: PROCESS_MS }, async () => {
  const listens = /listens on (\S+):[^]*sign in as (\S+) with the password (\S+)[^]*GATEWAY_REHEARSAL=1[^]*$/
  const sandbox = await start(['sandbox', '--port', '0', '--production'], {}, listens)
  const [, url = '', email = '', password = ''] = sandbox.match
  const ask = (path: string, init?: RequestInit) => fetch(new URL(path, url), { ...init, redirect: 'manual' })
  expect((await openPortal({ request: ask }, 'production').signIn(email, password)).location).toBe('/portal')
  expect((await ask('/_sandbox/clock')).status).toBe(404)
  expect(await sandbox.stop()).toBe(143)
})

test(
  'a command whose output nobody reads does its work and exits with 0',
  { timeout: PROCESS_MS },
  async () => {
    const shop = cli.fresh()
    const send = ['api', 'POST', '/api/payouts', '--data', `@${cli.file(localPayout)}`]
    expect(await runUnread(send, shop)).toEqual({ code: 0, err: '' })
    expect((await run(['api', 'GET', '/api/payouts'], shop)).out).toContain(localPayout.payout_reference)
  },
)

test('serve answers /metrics on METRICS_PORT alone, until SIGTERM', { timeout: PROCESS_MS }, async () => {
  const env = cli.fresh({ ...SERVER, METRICS_PORT: '0' })
  const ports = /at \/metrics on port (\d+)[^]*listens on port (\d+)/
  const server = await start(['serve'], env, ports)
  const [, metrics, open] = server.match
  expect((await fetch(`http://127.0.0.1:${open}/metrics`)).status).toBe(404)
  const response = await fetch(`http://127.0.0.1:${metrics}/metrics`)
  expect(response.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/)
  expect(await response.text()).toContain('route="none",status="404"} 1')
  expect(await server.stop()).toBe(0)

  const taken = await run(['serve'], { ...env, METRICS_PORT: new URL(cli.gateway).port })
  expect(taken).toMatchObject({ code: 69, err: expect.stringContaining('cannot listen on METRICS_PORT') })
})

test('serve does not load the sandbox', () => {
  const loaded = new Set<string>()
  const load = (path: string) => {
    if (loaded.has(path) || !existsSync(path)) return
    loaded.add(path)
    const imports = readFileSync(path, 'utf8').matchAll(/(?:from|^import) ?["'](.+?)["']/gm)
    for (const [, name = ''] of imports) {
      if (name.startsWith('.')) load(join(path, '..', name))
      else loaded.add(name)
    }
  }
  const program = readdirSync('server/dist/chunks').find((name) => /^program.*\.js$/.test(name))
  load(`server/dist/chunks/${program}`)
  expect(loaded).toContain('hono')
  const names = [...loaded].map((path) => basename(path))
  expect(names.filter((name) => name.startsWith('sandbox'))).toEqual([])
})

async function startBackend(port: number) {
  const delivered: string[] = []
  let isOpen = false
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.on('data', (data) => {
      if (!isOpen) return
      delivered.push(...[...data.toString().matchAll(/"type":"([\w.]+)"/g)].map(([, type]) => type!))
      socket.end('HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n')
    })
  })
  await once(server.listen(port, '127.0.0.1'), 'listening')
  return { delivered, open: () => void (isOpen = true), close: () => server.close() }
}

interface Answered {
  status: number
  connection: string | undefined
}

function get(port: string, path: string, agent: Agent) {
  return new Promise<Answered>((resolve, reject) => {
    const headers = { authorization: `Bearer ${API_KEY}` }
    const asked = request({ host: '127.0.0.1', port, path, agent, headers }, (answer) => {
      answer.resume()
      answer.on('end', () =>
        resolve({ status: answer.statusCode ?? 0, connection: answer.headers.connection }),
      )
    })
    asked.on('error', reject)
    asked.end()
  })
}

test(
  'stops in 9 seconds while gateway and webhook hang, and nothing is lost',
  { timeout: PROCESS_MS },
  async () => {
    const backendPort = await freePort()
    const backend = await startBackend(backendPort)
    const env = cli.fresh({
      ...SERVER,
      MERCHANT_WEBHOOK_URL: `http://127.0.0.1:${backendPort}/webhooks`,
      MERCHANT_WEBHOOK_SECRET: ENVIRONMENT.MERCHANT_WEBHOOK_SECRET!,
    })
    const server = await start(['serve'], env, LISTENS)
    const port = server.match[1]!
    const agent = new Agent({ keepAlive: true })
    // The gateway does not respond to the query of HANGS, and the webhook does not respond to the event of REJECTED.
    await payOut(port, { ...localPayout, payout_reference: 'HANGS' })
    await payOut(port, { ...localPayout, payout_reference: 'REJECTED', service_code: 'NO-SUCH-CODE' })
    await cli.control('/faults', { route: '*', fault: 'latency', ms: 60_000, probability: 1, seed: 1 })
    // Once the stored state is stale, each request waits for the gateway.
    const pending = new Set<Promise<Answered>>()
    const ask = () => {
      const answered = get(port, '/api/payouts/HANGS', agent)
      pending.add(answered)
      void answered.then(() => pending.delete(answered))
      return pending.size
    }
    await expect.poll(ask, { timeout: 20_000 }).toBeGreaterThan(5)
    const waiting = [...pending]
    expect((await get(port, '/health/live', agent)).connection).toBe('keep-alive')

    const stoppedAt = performance.now()
    const stopped = server.stop()
    const answers = await Promise.all(waiting)
    expect(answers).toEqual(waiting.map(() => ({ status: 200, connection: 'close' })))
    expect(await stopped).toBe(0)
    expect(performance.now() - stoppedAt).toBeLessThan(9_000)

    await fetch(`${cli.gateway}/_sandbox/faults`, { method: 'DELETE' })
    backend.open()
    const again = await start(['serve'], env, LISTENS)
    await expect.poll(() => backend.delivered, { timeout: 60_000 }).toContain('payout.failed')
    await expect
      .poll(async () => (await payout(again.match[1]!, 'HANGS')).outcome, { timeout: 60_000 })
      .toBe('succeeded')
    expect(await again.stop()).toBe(0)
    agent.destroy()
    backend.close()
  },
)

test('a second signal ends the process at once', { timeout: PROCESS_MS }, async () => {
  const env = cli.fresh({ ...SERVER, MERCHANT_API_KEY: API_KEY })
  const server = await start(['serve'], env, LISTENS)
  // A request whose body never ends keeps the server from stopping.
  const agent = new Agent()
  const open = request({
    host: '127.0.0.1',
    port: server.match[1],
    path: '/api/payouts',
    method: 'POST',
    agent,
  })
  open.on('error', () => {})
  open.setHeader('content-length', '100')
  open.setHeader('authorization', `Bearer ${API_KEY}`)
  open.write('{')
  await once(open, 'socket')
  const stopping = once(server.child.stdout, 'data')
  server.child.kill('SIGTERM')
  await stopping
  const ended = once(server.child, 'exit')
  const at = performance.now()
  server.child.kill('SIGTERM')
  expect((await ended)[0]).toBe(143)
  expect(performance.now() - at).toBeLessThan(3_000)
  agent.destroy()
})

// Process 1 ignores signals for which it has no listener.
const AS_PROCESS_1 = ['--user', '--map-root-user', '--pid', '--fork', '--kill-child']
const hasNamespaces = process.platform === 'linux' && canUnshare()

test.runIf(hasNamespaces)(
  'as process 1, SIGTERM ends it while it starts',
  { timeout: PROCESS_MS },
  async () => {
    const server = startAsProcess1(cli.fresh(SERVER))
    const pid = await server.pid()
    // Node ignores signals until the command line listens for them. The process may end before its exit code arrives.
    const repeating = setInterval(() => execFile('kill', ['-TERM', String(pid)], () => {}), 20)
    void server.exitCode.then(() => clearInterval(repeating))
    expect(await server.exitCode).toBe(143)
    expect(server.said()).not.toMatch(LISTENS)
  },
)

function canUnshare(): boolean {
  try {
    execFileSync('unshare', [...AS_PROCESS_1, 'true'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

function startAsProcess1(env: Env) {
  const parent = spawn('unshare', [...AS_PROCESS_1, process.execPath, 'server/dist/cli.js', 'serve'], {
    env: { PATH: process.env.PATH, ...env },
  })
  let said = ''
  parent.stdout.on('data', (piece: Buffer) => (said += piece.toString()))
  const children = () => readFileSync(`/proc/${parent.pid}/task/${parent.pid}/children`, 'utf8').trim()
  return {
    said: () => said,
    exitCode: once(parent, 'exit').then(([code]) => code),
    async pid(): Promise<number> {
      await expect.poll(children, { timeout: 30_000, interval: 5 }).toMatch(/^\d+$/)
      return Number(children())
    },
  }
}

async function payOut(port: string, body: object): Promise<void> {
  const answer = await fetch(`http://127.0.0.1:${port}/api/payouts`, {
    method: 'POST',
    headers: { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(await answer.text())
}

async function payout(port: string, reference: string): Promise<TrackedPayout> {
  const headers = { authorization: `Bearer ${API_KEY}` }
  return (await fetch(`http://127.0.0.1:${port}/api/payouts/${reference}`, { headers })).json()
}
