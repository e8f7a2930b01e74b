import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { version } from '../../server/package.json'
import { openStore } from '../../server/store/open.ts'
import { CLI, run, runUnread, start } from '../support/command-line.ts'
import { createCliWorld } from '../support/cli-world.ts'
import { openPortal } from '../sandbox/portal-visitor.ts'
import { localPayout } from '../support/spec-payouts.ts'

const PROCESS_MS = 120_000

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
  const request = (path: string, init?: RequestInit) =>
    fetch(new URL(path, url), { ...init, redirect: 'manual' })
  expect((await openPortal({ request }, 'production').signIn(email, password)).location).toBe('/portal')
  expect((await request('/_sandbox/clock')).status).toBe(404)
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

test('serve logs where it listens, and exits with 0 on SIGTERM', { timeout: PROCESS_MS }, async () => {
  const ORDER_SIGNING_KEY = 'a signing key of at least 32 bytes, for a test'
  const env = cli.fresh({ ORDER_SIGNING_KEY, HOST: '127.0.0.1', PORT: '0' })
  const server = await start(['serve'], env, /listens on port (\d+)/)
  const response = await fetch(`http://127.0.0.1:${server.match[1]}/health/live`)
  expect(response.status).toBe(200)
  expect(await server.stop()).toBe(0)
})

test('serve answers /metrics on METRICS_PORT alone, until SIGTERM', { timeout: PROCESS_MS }, async () => {
  const ORDER_SIGNING_KEY = 'a signing key of at least 32 bytes, for a test'
  const env = cli.fresh({ ORDER_SIGNING_KEY, HOST: '127.0.0.1', PORT: '0', METRICS_PORT: '0' })
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
