import { execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { basename, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, expect, test } from 'vitest'

import { openPortal } from '../../../server/conformance/portal-visitor.ts'
import { signOrder } from '../../../server/index.ts'
import { openStore } from '../../../server/store/open.ts'
import { openDatabase } from '../../../server/store/sqlite/database.ts'
import { listen } from '../../support/free-port.ts'
import { localPayout } from '../../support/spec/payouts.ts'
import { initiateRequest } from '../../support/spec/shapes.ts'
import { createCliWorld } from '../../support/worlds/cli-world.ts'
import { CLI, run, runUnread, start } from '../../support/worlds/command-line.ts'
import { API_KEY, ENVIRONMENT, SHOP } from '../../support/worlds/environment.ts'
import { openMailbox } from '../../support/worlds/mailbox.ts'
import { posted, tokenOf } from '../../support/worlds/sandbox-line.ts'
import { runHere } from '../../support/worlds/terminal.ts'
import { formOf } from '../../support/worlds/world.ts'

import type { Finding } from '../../../server/cli/check/finding.ts'
import type { Env } from '../../support/worlds/command-line.ts'

const PROCESS_MS = 120_000

const SERVER: Env = {
  ORDER_SIGNING_KEY: 'a signing key of at least 32 bytes, for a test',
  MERCHANT_API_KEY: API_KEY,
  HOST: '127.0.0.1',
  PORT: '0',
}
const LISTENS = /listens on port (\d+)/

const cli = await createCliWorld()
afterAll(() => cli.close())

// It waits for deadlines; what follows fills the time.
test.concurrent(
  'the server stops long before gateway and webhook answer, and nothing is lost',
  { timeout: PROCESS_MS },
  async ({ expect, onTestFinished }) => {
    // Its gateway hangs, so no other test uses it.
    const own = await createCliWorld()
    const backend = await startBackend()
    const env = own.fresh({
      ...SERVER,
      MERCHANT_WEBHOOK_URL: `${backend.url}/webhooks`,
      MERCHANT_WEBHOOK_SECRET: ENVIRONMENT.MERCHANT_WEBHOOK_SECRET!,
    })
    const server = await start(['serve'], env, LISTENS)
    onTestFinished(server.end)
    const port = server.match[1]!
    // The gateway does not respond to the query of HANGS, and the webhook does not respond to the event of REJECTED.
    for (const fields of [
      { payout_reference: 'HANGS' },
      { payout_reference: 'REJECTED', service_code: 'NO-SUCH-CODE' },
    ]) {
      expect((await api(port, '/api/payouts', { ...localPayout, ...fields })).ok).toBe(true)
    }

    await own.control('/faults', { route: '*', fault: 'latency', ms: 60_000, probability: 1, seed: 1 })

    const connectionOf = async (path: string) => {
      const answer = await api(port, path)
      await answer.arrayBuffer()
      return [answer.status, answer.headers.get('connection')]
    }

    // Once the stored state is stale, each request waits for the gateway.
    const pending = new Set<Promise<unknown>>()

    const ask = () => {
      const answered = connectionOf('/api/payouts/HANGS')
      pending.add(answered)
      void answered.then(() => pending.delete(answered))
      return pending.size
    }

    await expect.poll(ask, { timeout: 20_000 }).toBeGreaterThan(5)
    const waiting = [...pending]
    expect(await connectionOf('/health/live')).toEqual([200, 'keep-alive'])

    const stoppedAt = performance.now()
    const stopped = server.stop()
    expect(await Promise.all(waiting)).toEqual(waiting.map(() => [200, 'close']))
    expect(await stopped).toBe(0)
    // What hangs would answer after a minute. A server without load stops within 9 seconds.
    expect(performance.now() - stoppedAt).toBeLessThan(30_000)

    await fetch(`${own.gateway}/_sandbox/faults`, { method: 'DELETE' })
    backend.open()
    const again = await start(['serve'], env, LISTENS)
    onTestFinished(again.end)
    await expect.poll(() => backend.delivered, { timeout: 60_000 }).toContain('payout.failed')
    const outcome = async () => (await (await api(again.match[1]!, '/api/payouts/HANGS')).json()).outcome
    await expect.poll(outcome, { timeout: 60_000 }).toBe('succeeded')
    expect(await again.stop()).toBe(0)
    backend.close()
    await own.close()
  },
)

test.concurrent(
  'where a process may open few files, browsers that keep connections keep no other from paying',
  { timeout: PROCESS_MS },
  async ({ onTestFinished }) => {
    const FILES = 256
    const env = cli.fresh({ ...SERVER, ALLOWED_ORIGINS: SHOP })
    const said = /listens on port (\d+)[^]*At most 128 connections are open at once/
    const limited = [`ulimit -n ${FILES}; exec "$0" "$@"`, process.execPath, CLI, 'serve']
    const server = await start(limited, env, said, '-c', 'sh')
    onTestFinished(server.end)
    const port = Number(server.match[1])
    for (let count = 0; count < FILES + 100; count++) {
      const socket = connect(port, '127.0.0.1')
      onTestFinished(() => void socket.destroy())
      socket.on('error', () => {}).write('GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n')
      await once(socket, 'data')
    }

    const signing = { key: SERVER.ORDER_SIGNING_KEY!, audience: env.PUBLIC_URL!, lifetime: 3_600 }
    const terms = { order: 'A-1', amount: 1500, currency: 'KES', narration: 'Two kangas' }
    const order = await signOrder(terms, { ...signing, issuedAt: Math.floor(Date.now() / 1_000) })
    const answer = await fetch(
      `http://127.0.0.1:${port}/checkout/initiate`,
      formOf(order, { payer_msisdn: '254700000001' }, { origin: SHOP }),
    )
    expect(answer.status).toBe(201)
    expect(await server.stop()).toBe(0)
  },
)

test.concurrent(
  'a command waits while another process locks the SQLite file, and ends with 69 if it stays locked',
  { timeout: PROCESS_MS },
  async () => {
    const path = join(cli.folder, 'locked.sqlite')
    const other = openDatabase(path)
    other.exec('PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE')
    const ended = await run(['events', 'list'], cli.fresh({ STORE_URL: `sqlite:${path}` }))
    other.close()
    expect(ended).toMatchObject({ code: 69, err: expect.stringContaining('has locked it') })
  },
)

test.concurrent(
  'what sandbox prints is a file .env that the commands read',
  { timeout: PROCESS_MS },
  async ({ onTestFinished }) => {
    const sandbox = await start(
      ['sandbox', '--port', '0'],
      {},
      /^# The sandbox gateway[^]*"seconds":1860.*$/m,
    )
    onTestFinished(sandbox.end)
    const [first = ''] = sandbox.match[0].split('\n')
    expect((await fetch(`${first.split(' ').at(-1)}/_sandbox/clock`)).status).toBe(200)
    const folder = mkdtempSync(join(cli.folder, 'env-'))
    writeFileSync(join(folder, '.env'), sandbox.match[0])
    // Only a server creates a store.
    const STORE_URL = `sqlite:${join(folder, 'gateway-checkout.sqlite')}`
    void openStore(STORE_URL).close()
    const balance = await run(['api', 'GET', '/api/accounts/ACC-001/balance'], {}, '', CLI, folder)
    expect(balance).toMatchObject({ code: 0, out: expect.stringContaining('KES') })
    const charge = {
      external_reference: 'B-1',
      payer_msisdn: '254700000001',
      currency_code: 'KES',
      amount: 1500,
    }
    const send = ['api', 'POST', '/api/charges', '--data', JSON.stringify(charge)]
    const charged = await runHere(send, { STORE_URL }, { folder })
    expect(JSON.parse(charged.out)).toMatchObject({ outcome: 'pending' })
    // Every currency of the sandbox has its service and its account.
    const { findings } = JSON.parse((await runHere(['check', '--json'], { STORE_URL }, { folder })).out)
    const fine = findings.flatMap(({ kind, what }: Finding) => (kind === 'fine' ? [what] : []))
    const currencies = ['KES', 'UGX', 'TZS', 'GHS', 'XOF']
    const wanted = currencies.flatMap((each) => [`account ${each}`, `service CHECKOUT-${each}`])
    expect(fine).toEqual(expect.arrayContaining(wanted))
    expect(await sandbox.stop()).toBe(143)
  },
)

test.concurrent(
  'sandbox prints no line that would replace one of yours',
  { timeout: PROCESS_MS },
  async ({ onTestFinished }) => {
    const yours = { PUBLIC_URL: 'http://127.0.0.1:3000/pay' }
    const sandbox = await start(['sandbox', '--port', '0'], yours, /listens on [^]*clock\/advance/)
    onTestFinished(sandbox.end)
    const [text] = sandbox.match
    expect(text).toContain('ALLOWED_ORIGINS=')
    expect(text).not.toContain('\nPUBLIC_URL=')
    expect(await sandbox.stop()).toBe(143)
  },
)

test.concurrent(
  'sandbox shows the merchant of the environment',
  { timeout: PROCESS_MS },
  async ({ onTestFinished }) => {
    const merchant = {
      MERCHANT_NAME: 'Pwani Goods',
      MERCHANT_ACCENT: '#8a2b5c',
      MERCHANT_LOGO: 'https://cdn.pwani.example/logo.png',
    }
    const sandbox = await start(['sandbox', '--port', '0'], merchant, /listens on (\S+)\n/)
    onTestFinished(sandbox.end)
    const [, url = ''] = sandbox.match
    const token = { 'x-access-token': await tokenOf(url) }
    const begun = await fetch(`${url}/v2/checkout/initiate`, posted(initiateRequest, token))
    const checkout = await begun.json()
    const page = await fetch(checkout.redirect_url)
    const html = await page.text()
    expect(html).toContain('>Pwani Goods</h1>')
    expect(html).toContain('--brand: #8a2b5c;')
    expect(html).toContain(`<img src="${merchant.MERCHANT_LOGO}"`)
    expect(page.headers.get('content-security-policy')).toContain('img-src data: https:;')
    expect(await sandbox.stop()).toBe(143)
  },
)

test.concurrent(
  'sandbox --production prints the sign-in of its portal',
  { timeout: PROCESS_MS },
  async ({ onTestFinished }) => {
    const listens =
      /listens on (\S+)\n[^]*sign in as (\S+) with the password (\S+)[^]*GATEWAY_REHEARSAL=1[^]*$/
    const sandbox = await start(['sandbox', '--port', '0', '--production'], {}, listens)
    onTestFinished(sandbox.end)
    const [, url = '', email = '', password = ''] = sandbox.match
    const ask = (path: string, init?: RequestInit) =>
      fetch(new URL(path, url), { ...init, redirect: 'manual' })
    expect((await openPortal({ request: ask }, 'production').signIn(email, password)).location).toBe(
      '/portal',
    )
    expect((await ask('/_sandbox/clock')).status).toBe(404)
    expect(await sandbox.stop()).toBe(143)
  },
)

test.concurrent(
  'a command whose output nobody reads does its work and exits with 0',
  { timeout: PROCESS_MS },
  async () => {
    const shop = cli.fresh()
    const send = ['api', 'POST', '/api/payouts', '--data', `@${cli.file(localPayout)}`]
    expect(await runUnread(send, shop)).toEqual({ code: 0, err: '' })
    expect((await runHere(['api', 'GET', '/api/payouts'], shop)).out).toContain(localPayout.payout_reference)
  },
)

test.concurrent(
  'serve answers /metrics on METRICS_PORT alone, also when its log has no reader, until SIGTERM',
  { timeout: PROCESS_MS },
  async ({ onTestFinished }) => {
    const env = cli.fresh({ ...SERVER, METRICS_PORT: '0' })
    const ports = /at \/metrics on port (\d+)[^]*listens on port (\d+)/
    const server = await start(['serve'], env, ports)
    onTestFinished(server.end)
    const [, metrics, open] = server.match
    expect((await fetch(`http://127.0.0.1:${open}/metrics`)).status).toBe(404)
    const response = await fetch(`http://127.0.0.1:${metrics}/metrics`)
    expect(response.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/)
    expect(await response.text()).toContain('route="none",status="404"} 1')

    server.child.stdout.destroy()
    for (let refused = 0; refused < 3; refused++) {
      expect((await api(open ?? '', '/api/payouts', {})).status).toBe(422)
    }

    expect((await fetch(`http://127.0.0.1:${open}/health/live`)).status).toBe(200)
    expect(await server.stop()).toBe(0)

    const taken = await runHere(['serve'], { ...env, METRICS_PORT: new URL(cli.gateway).port })
    expect(taken).toMatchObject({ code: 69, err: expect.stringContaining('cannot listen on METRICS_PORT') })
  },
)

test.concurrent(
  'a server that was told to stop ends although the reader of its log stands still',
  { timeout: PROCESS_MS },
  async ({ expect, onTestFinished }) => {
    const server = await start(['serve'], cli.fresh(SERVER), LISTENS)
    onTestFinished(server.end)
    const [, port] = server.match
    server.child.stdout.removeAllListeners('data').pause()
    // More lines than the pipe between the two processes takes: each request is refused with a line in the log.
    const refuse = async () => (await api(port ?? '', '/api/payouts', {})).arrayBuffer()
    for (let batch = 0; batch < 40; batch++) {
      await Promise.all(Array.from({ length: 50 }, refuse))
    }

    server.child.kill('SIGTERM')
    const hasEnded = () => server.child.exitCode
    await expect.poll(hasEnded, { timeout: 10_000 }).toBe(0)
  },
)

test.concurrent('serve does not load the sandbox', () => {
  const loaded = new Set<string>()

  const load = (path: string) => {
    if (loaded.has(path) || !existsSync(path)) {
      return
    }

    loaded.add(path)
    const imports = readFileSync(path, 'utf8').matchAll(/(?:from|^import) ?["'](.+?)["']/gm)
    for (const [, name = ''] of imports) {
      if (name.startsWith('.')) {
        load(join(path, '..', name))
      } else {
        loaded.add(name)
      }
    }
  }

  const program = readdirSync('server/dist/chunks').find((name) => /^program.*\.js$/.test(name))
  load(`server/dist/chunks/${program}`)
  expect(loaded).toContain('hono')
  const names = [...loaded].map((path) => basename(path))
  expect(names.filter((name) => name.startsWith('sandbox'))).toEqual([])
})

/** Listens for events, and answers none of them before `open`. */
async function startBackend() {
  const delivered: string[] = []
  let isOpen = false
  const server = createServer((request, response) => {
    if (!isOpen) {
      return
    }

    void text(request).then((body) => {
      delivered.push(JSON.parse(body).type)
      response.writeHead(204).end()
    })
  })
  return {
    url: await listen(server),
    delivered,
    open: () => void (isOpen = true),
    close: () => server.close().closeAllConnections(),
  }
}

/** Asks the API of a server; with a body, by POST. */
function api(port: string, path: string, body?: object): Promise<Response> {
  const headers = { authorization: `Bearer ${API_KEY}` }
  const init = body ? posted(body, headers) : { headers }
  return fetch(`http://127.0.0.1:${port}${path}`, init)
}

test.concurrent(
  'a second signal ends the process at once',
  { timeout: PROCESS_MS },
  async ({ onTestFinished }) => {
    const server = await start(['serve'], cli.fresh(SERVER), LISTENS)
    onTestFinished(server.end)
    // A request whose body never ends keeps the server from stopping.
    const socket = connect(Number(server.match[1]), '127.0.0.1').on('error', () => {})
    await once(socket, 'connect')
    const head = `POST /api/payouts HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${API_KEY}\r\nContent-Length: 100`
    socket.write(`${head}\r\n\r\n{`)
    const stopping = once(server.child.stdout, 'data')
    server.child.kill('SIGTERM')
    await stopping
    const ended = once(server.child, 'exit')
    server.child.kill('SIGTERM')
    // Whoever waits for the request ends with 0.
    expect((await ended)[0]).toBe(143)
    socket.destroy()
  },
)

// Process 1 ignores signals for which it has no listener.
const AS_PROCESS_1 = ['--user', '--map-root-user', '--pid', '--fork', '--kill-child']
const hasNamespaces = process.platform === 'linux' && canUnshare()

test
  .runIf(hasNamespaces)
  .concurrent('as process 1, SIGTERM ends it while it starts', { timeout: PROCESS_MS }, async () => {
    const server = startAsProcess1(cli.fresh(SERVER))
    const pid = await server.pid()
    // Node ignores signals until the command line listens for them. The process may end before its exit code arrives.
    const repeating = setInterval(() => execFile('kill', ['-TERM', String(pid)], () => {}), 20)
    void server.exitCode.then(() => clearInterval(repeating))
    expect(await server.exitCode).toBe(143)
    expect(server.said()).not.toMatch(LISTENS)
  })

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

// Node reads the authorities of certificates when a process starts.
test.concurrent.each(['smtps', 'starttls'] as const)(
  'check sends a test by e-mail with TLS: %s',
  { timeout: PROCESS_MS },
  async (tls) => {
    const mailbox = await openMailbox({ tls, password: 'the password of a mailbox' })
    const env = cli.fresh({
      ...SERVER,
      NOTIFY_SMTP_URL: mailbox.url(),
      NOTIFY_TO: 'owner@shop.example',
      NODE_EXTRA_CA_CERTS: mailbox.authority,
    })
    const noticeOf = ({ out }: { out: string }) =>
      JSON.parse(out).findings.find(({ what }: Finding) => what === 'notices by email')
    expect(noticeOf(await run(['check', '--json'], env))).toMatchObject({ kind: 'fine' })
    expect(mailbox.mails).toMatchObject([
      { to: ['owner@shop.example'], subject: expect.stringMatching(/^Test: /), isEncrypted: true },
    ])
    const wrong = { ...env, NOTIFY_SMTP_URL: mailbox.url('seller:wrong@') }
    expect(noticeOf(await run(['check', '--json'], wrong))).toEqual({
      what: 'notices by email',
      kind: 'problem',
      detail: expect.stringMatching(/refuses the user or the password of NOTIFY_SMTP_URL: 535/),
    })
    await mailbox.close()
  },
)
