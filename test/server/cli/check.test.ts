import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'

import { verifyWebhook } from '../../../server/outbox/verify-webhook.ts'
import { openStore } from '../../../server/store/open.ts'
import { newFolder } from '../../support/folder.ts'
import { CHARGE } from '../../support/worlds/chargeable.ts'
import { createTerminal } from '../../support/worlds/terminal.ts'
import { START } from '../../support/worlds/world.ts'

import type { Finding } from '../../../server/cli/check/finding.ts'
import type { Environment } from '../../../server/config/variables.ts'
import type { Fetch, FetchInit } from '../../../server/http/exchange.ts'

const LIVE = {
  GATEWAY_ENVIRONMENT: 'production',
  GATEWAY_BASE_URL: 'https://gateway.example',
  GATEWAY_CONSUMER_KEY: 'the-consumer-key',
  GATEWAY_CONSUMER_SECRET: 'the-consumer-secret',
  PUBLIC_URL: 'https://pay.shop.example',
  ALLOWED_ORIGINS: 'https://shop.example',
  GATEWAY_SERVICE_CODE: 'CHECKOUT-KES',
  ORDERS_URL: 'https://shop.example/orders',
  ORDERS_TOKEN: 'a token of the backend of the shop',
  MERCHANT_API_KEY: 'the key of a merchant in a test',
  GATEWAY_CHARGE_PATH: '/v1/charges',
  TRUSTED_PROXIES: 'none',
  MERCHANT_WEBHOOK_URL: 'https://shop.example/webhooks',
  MERCHANT_WEBHOOK_SECRET: `whsec_${Buffer.from('the secret of a merchant in a test').toString('base64')}`,
}
const OTHER = `whsec_${Buffer.from('the secret of another merchant').toString('base64')}`
const ALIVE = ({ headers }: FetchInit) =>
  new Response('{"status":"live"}', {
    headers: { 'access-control-allow-origin': headers['origin'] ?? 'null' },
  })
type Server = (init: FetchInit, url: string) => Response | Promise<Response>

/** A backend that knows no order, refuses the forged event, and accepts the signed one. */
const CAREFUL: Server = ({ method, headers, body = '' }) => {
  if (method === 'POST') {
    return new Response('', { status: isSigned(headers, body) ? 200 : 401 })
  }
  return new Response('', { status: headers['authorization'] === `Bearer ${LIVE.ORDERS_TOKEN}` ? 404 : 401 })
}

function isSigned(headers: Record<string, string>, body: string): boolean {
  try {
    const clock = { now: () => START }
    return verifyWebhook({ headers, body, secret: LIVE.MERCHANT_WEBHOOK_SECRET, clock }).type.length > 0
  } catch {
    return false
  }
}

const answers =
  (wanted: string, status: number, now = START): Server =>
  (init, url) => {
    const headers = { date: new Date(now).toUTCString() }
    return init.method === wanted ? new Response(null, { status, headers }) : CAREFUL(init, url)
  }

const MOVED = /redirects with HTTP 301 to https:\/\/www\.shop\.example\/x, which is not followed/
const REDIRECTION = { status: 301, headers: { location: 'https://www.shop.example/x?key=k' } }
const moved =
  (wanted: string): Server =>
  (init, url) =>
    init.method === wanted ? new Response(null, REDIRECTION) : CAREFUL(init, url)

/** A backend whose framework has a CSRF check before the handler. */
const csrf =
  (status: number): Server =>
  (init, url) =>
    init.method === 'POST' ? new Response('<!doctype html>', { status }) : CAREFUL(init, url)

async function check(env: Environment = {}, server: Server = ALIVE, backend: Server = CAREFUL) {
  const { run, fetch: fetchSandbox, environment } = createTerminal()
  const all = { ...LIVE, ...env }
  const requests: { path: string; body: string }[] = []

  const fetch: Fetch = (url, init) => {
    const { pathname, origin } = new URL(url)
    if (origin === all.PUBLIC_URL) {
      return server(init, url)
    }
    if (origin === 'https://shop.example') {
      return backend(init, url)
    }

    const body = init.body ?? ''
    requests.push({ path: pathname, body })
    // The gateway is the sandbox under other credentials.
    const known = body.replace(/the-consumer-(key|secret)/g, 'sandbox-$1')
    return fetchSandbox(`${environment.GATEWAY_BASE_URL}${pathname}`, {
      ...init,
      ...(body && { body: known }),
    })
  }

  const { code, out } = await run('check --json', { env: all, fetch })
  const text = async () => (await run('check', { env: all, fetch })).out
  return { code, requests, text, ...JSON.parse(out) }
}

describe('check', () => {
  test('check passes when everything is ready, and prints the callback URLs for the portal', async () => {
    const { code, ready, text: print, findings, requests, ...result } = await check()
    const text = await print()
    expect({ code, ready }).toEqual({ code: 0, ready: true })
    expect(text).toContain('Ready for production.')
    for (const [what, said] of [
      ['service CHECKOUT-KES', /^Active; its currency is KES\.$/],
      ['ready', /ready/],
      ['orders', /HTTP 404/],
      ['events', /refuses a forged event with HTTP 401, and accepts a signed one/],
    ]) {
      expect(findings).toContainEqual({ what, kind: 'fine', detail: expect.stringMatching(said!) })
    }

    for (const [name, chapter] of [
      ['portal_callback_url', 'payouts'],
      ['portal_charge_callback_url', 'charges'],
      ['portal_airtime_callback_url', 'airtime'],
    ] as const) {
      const path = new RegExp(`^https://pay.shop.example/callbacks/${chapter}/production\\.[\\da-f]{32}$`)
      expect(result[name]).toMatch(path)
      expect(text).toContain(result[name])
    }

    // Each of the command's two runs created one checkout with the amount 1 and a lifetime of one minute.
    const initiated = requests.filter(({ path }: { path: string }) => path === '/v2/checkout/initiate')
    expect(initiated).toHaveLength(2)
    expect(JSON.parse(initiated[0].body)).toMatchObject({ amount: 1, expires_in: 1 })
  })

  test('check in the sandbox says apart from what is wrong now what only production needs', async () => {
    const sandbox = { GATEWAY_ENVIRONMENT: 'sandbox' }
    const local = { ALLOWED_ORIGINS: 'http://localhost:3000', TRUSTED_PROXIES: '' }
    const { code, ready, findings, text } = await check({
      ...sandbox,
      ...local,
      STORE_URL: 'sqlite::memory:',
    })
    expect({ code, ready }).toEqual({ code: 0, ready: false })
    const marked = (kind: string) =>
      findings
        .filter((each: Finding) => each.kind === kind)
        .map(({ what, detail }: Finding) => `${what}: ${detail}`)
    expect(marked('problem')).toEqual([])
    expect(marked('later')).toEqual([
      expect.stringMatching(/^environment: .*sandbox/),
      expect.stringMatching(/^limits: TRUSTED_PROXIES/),
      expect.stringMatching(/^configuration: STORE_URL is in memory/),
      expect.stringMatching(/^configuration: .*localhost:3000/),
    ])
    expect(findings.slice(-4).every(({ kind }: Finding) => kind === 'later')).toBe(true)
    expect(await text()).toMatch(/\n→ configuration: [^]*Nothing is wrong in the sandbox\. Production needs/)
    const wrong = await check({ ...sandbox, GATEWAY_CONSUMER_SECRET: 'x' })
    expect(wrong.code).toBe(1)
    expect(await wrong.text()).toMatch(
      /✗ account: [^]*Something is wrong, also in the sandbox: see the lines marked ✗/,
    )
  })

  const AWAY = () => Promise.reject(new Error('connect ECONNREFUSED 192.0.2.1:443'))
  const unready: Server = (init, url) =>
    url.endsWith('/health/ready')
      ? new Response('{"code":"store_unavailable"}', { status: 503 })
      : ALIVE(init)
  type Given = [Environment, server?: Server, backend?: Server]
  const env = (given: Environment): Given => [given]
  const server = (given: Server): Given => [{}, given]
  const backend = (given: Server): Given => [{}, ALIVE, given]
  test.each<[what: string, detail: RegExp, Given]>([
    ['limits', /^TRUSTED_PROXIES is required/, env({ TRUSTED_PROXIES: '' })],
    ['account', /consumer key and secret/, env({ GATEWAY_CONSUMER_SECRET: 'x' })],
    ['account', /refused/, env({ GATEWAY_ACCOUNT_NUMBER: 'ACC-9' })],
    ['account UGX', /is in TZS/, env({ GATEWAY_ACCOUNT_NUMBER: 'KES=ACC-001,UGX=ACC-001-TZS' })],
    ['service NONE', /172 Invalid Service/, env({ GATEWAY_SERVICE_CODE: 'NONE' })],
    [
      'service CHECKOUT-KES',
      /in UGX is in KES, .* GATEWAY_SERVICE_CODE has to name/,
      env({ GATEWAY_SERVICE_CODE: 'UGX=CHECKOUT-KES' }),
    ],
    [
      'variables',
      /^MERCHANT_WEBHOK_URL is set, but is not read/,
      env({ MERCHANT_WEBHOK_URL: 'https://a.b' }),
    ],
    [
      'variables',
      /^MERCHANT_API_KEY_PREVIOUS_SINCE lies ahead/,
      env({
        MERCHANT_API_KEY_PREVIOUS: 'the key that a merchant had before',
        MERCHANT_API_KEY_PREVIOUS_SINCE: new Date(START + 30 * 24 * 3_600_000).toISOString(),
      }),
    ],
    ['variables', /^METRICS_PORT is tcp:/, env({ METRICS_PORT: 'tcp://10.96.12.7:9090' })],
    ['variables', /must be https/, env({ ALLOWED_ORIGINS: 'http://shop.example' })],
    [
      'variables',
      /https:\/\/localhost:3000: shoppers cannot open/,
      env({ ALLOWED_ORIGINS: 'capacitor://localhost,https://localhost:3000' }),
    ],
    ['address', /cannot be reached/, server(AWAY)],
    ['address', MOVED, server(() => new Response(null, REDIRECTION))],
    ['address', /HTTP 200: it is not this server/, server(() => new Response('<html>'))],
    ['origins', /example: restart it/, server(() => new Response('{"status":"live"}'))],
    ['ready', /health\/ready responds with HTTP 503: .* the log has the reason/, server(unready)],
    ['orders', /401/, env({ ORDERS_TOKEN: 'the token of another backend too' })],
    ['orders', /HTTP 200, and must respond with 404/, backend(answers('GET', 200))],
    ['orders', MOVED, backend(moved('GET'))],
    ['events', MOVED, backend(moved('POST'))],
    ['orders', /No ORDERS_URL leads there/, backend(moved('GET'))],
    ['orders', /HTTP 500: look at its log/, backend(answers('GET', 500))],
    ['events', /accepted a forged event/, backend(answers('POST', 200))],
    ['events', /403 and a page: .* Exempt the address from the CSRF check/, backend(csrf(403))],
    ['events', /419 and a page: .* Exempt the address from the CSRF check/, backend(csrf(419))],
    ['events', /must respond to a forged event with 401\. .* HTTP 500/, backend(answers('POST', 500))],
    ['events', /another MERCHANT_WEBHOOK_SECRET/, env({ MERCHANT_WEBHOOK_SECRET: OTHER })],
    ['events', /clock is 7 minutes behind/, backend(answers('POST', 401, START - 420_000))],
    ['events', /does not know.*HTTP 422\.$/, backend(answers('POST', 422))],
    ['events', /at https:\/\/shop\.example \(connect ECONNREFUSED 192\.0\.2\.1:443\)/, backend(AWAY)],
  ])('check reports a problem with %s: %s', async (what, detail, given) => {
    const { code, ready, findings } = await check(...given)
    expect({ code, ready }).toEqual({ code: 1, ready: false })
    expect(findings).toContainEqual({ what, kind: 'problem', detail: expect.stringMatching(detail) })
  })

  test('check says once that GATEWAY_BASE_URL has a wrong path', async () => {
    const { findings } = await check({ GATEWAY_BASE_URL: 'https://api.gateway.example/v1' })
    const problems = findings.filter(({ kind }: Finding) => kind === 'problem')
    expect(problems).toEqual([
      expect.objectContaining({
        detail: expect.stringMatching(/POST \/v1\/auth.* Correct the path of GATEWAY_BASE_URL/),
      }),
    ])
  })

  // The clock of a sandbox may have been moved on purpose.
  test.each([
    [
      40 * 60_000,
      'later',
      /^This machine's clock is 2(399|400) seconds ahead of the gateway's\. A session ends/,
    ],
    [-60_000, 'later', /^This machine's clock is (59|60) seconds behind the gateway's\./],
    [20_000, 'fine', /agrees/],
  ])('check compares the clocks: %i ms ahead is %s', async (aheadMs, kind, detail) => {
    const { timeline, run } = createTerminal()
    const clock = { now: () => timeline.now() + aheadMs, sleep: (ms: number) => timeline.sleep(ms) }
    const { findings } = JSON.parse((await run('check --json', { clock })).out)
    expect(findings).toContainEqual({ what: 'clock', kind, detail: expect.stringMatching(detail) })
  })

  test('check says that the clocks cannot be compared without a Date', async () => {
    const { run, fetch: fetchSandbox } = createTerminal()

    const fetch: Fetch = async (url, init) => {
      const { status, body } = await fetchSandbox(url, init)
      return { status, body }
    }

    const { findings } = JSON.parse((await run('check --json', { fetch })).out)
    const detail: unknown = expect.stringContaining('no header Date')
    expect(findings).toContainEqual({ what: 'clock', kind: 'note', detail })
  })

  test('check notes what a function of the merchant may replace', async () => {
    const { ready, findings } = await check({ ORDERS_URL: '', MERCHANT_WEBHOOK_URL: '', ALLOWED_ORIGINS: '' })
    expect(ready).toBe(true)
    const notes = findings.filter(({ kind }: { kind: string }) => kind === 'note')
    const names = notes.map(({ what }: { what: string }) => what)
    // The store of a test is in a temporary folder.
    expect(names).toEqual(['files', 'orders', 'events', 'charges', 'origins'])
  })

  test('check names the money that stays held without a webhook, where charges are on', async () => {
    const detailOf = async (path: string) => {
      const { findings } = await check({ MERCHANT_WEBHOOK_URL: '', GATEWAY_CHARGE_PATH: path })
      return findings.find(({ what }: { what: string }) => what === 'events').detail
    }

    expect(await detailOf('/v1/charges')).toContain('the gateway holds the money of every charge')
    expect(await detailOf('')).not.toContain('holds the money')
  })
})

describe('check of charges', () => {
  const open = () => {
    const { timeline, run, post, get, environment } = createTerminal({
      GATEWAY_CHARGE_PATH: '/v1/charges',
      PARTNER_ACCOUNTS_DYNAMIC: 'PARTNER-FEES=25:Platform fee',
    })
    return {
      path: String(environment.STORE_URL).replace('sqlite:', ''),
      async follow(fields: object = {}) {
        await post('/charges', { ...CHARGE, extra_data: undefined, ...fields })
        await timeline.advance(10_000)
        return (await get(`/charges/${CHARGE.external_reference}`)).outcome
      },
      async finding() {
        const { findings } = JSON.parse((await run('check --json')).out)
        return findings.find(({ what }: { what: string }) => what === 'charges')
      },
    }
  }

  const unproven = {
    kind: 'note',
    detail: expect.stringMatching(/\/v1\/charges\/:external_reference.* Unproven: /),
  }

  test('the check of charges is unproven until a charge was followed to its end', async () => {
    const terminal = open()
    rmSync(terminal.path)
    expect(await terminal.finding()).toMatchObject(unproven)
    // Another user than the server's may run the command, so the command creates no file.
    expect(existsSync(terminal.path)).toBe(false)
    await openStore(`sqlite:${terminal.path}`).close()
    expect(await terminal.follow()).toBe('succeeded')
    expect(await terminal.finding()).toMatchObject({
      kind: 'fine',
      detail: expect.stringContaining('to its end'),
    })
  })

  test.each([
    ['refused', { payment_method_code: 'MOMO_XXX' }, unproven],
    ['declined', { payer_msisdn: '254700009001' }, { kind: 'fine' }],
  ])(
    'the check of charges is proven by a charge that ended, and not by a refused one: %s',
    async (_, fields, expected) => {
      const terminal = open()
      expect(await terminal.follow(fields)).toBe('failed')
      expect(await terminal.finding()).toMatchObject(expected)
    },
  )
})

describe('check of the store', () => {
  const folder = newFolder(afterAll)

  const finding = async (storeUrl: string) => {
    const { findings } = JSON.parse((await createTerminal({ STORE_URL: storeUrl }).run('check --json')).out)
    return findings.find(({ what }: { what: string }) => what === 'store')
  }

  test('the check of the store writes to it, and names where it is', async () => {
    const path = join(folder, 'store.sqlite')
    await openStore(`sqlite:${path}`).close()
    expect(await finding(`sqlite:${path}`)).toEqual({
      what: 'store',
      kind: 'fine',
      detail: `The SQLite file ${path} can be written.`,
    })
  })

  test.each([
    ['a folder that does not exist', `sqlite:${join(folder, 'none/store.sqlite')}`, join(folder, 'none')],
    ['a file that is no store', `sqlite:${join(folder, 'text')}`, join(folder, 'text')],
    ['a database that does not respond', 'postgres://shop:the-password@127.0.0.1:1/shop', '127.0.0.1:1/shop'],
  ])(
    'the check of the store reports %s as a problem, with its place and without a password',
    async (_, storeUrl, place) => {
      writeFileSync(join(folder, 'text'), 'no database '.repeat(1_000))
      const found = await finding(storeUrl)
      expect(found).toMatchObject({ kind: 'problem', detail: expect.stringContaining(place) })
      expect(found.detail).not.toContain('the-password')
      expect(found.detail).not.toMatch(/The store .*The store /)
    },
  )
})
