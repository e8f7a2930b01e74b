import { describe, expect, test } from 'vitest'
import type { Environment } from '../../server/config.ts'
import type { FetchInit } from '../../server/exchange.ts'
import { createSandbox } from '../../demo/sandbox/index.ts'
import { check } from '../../server/cli/check.ts'
import { ENVIRONMENT } from '../support/world.ts'

const LIVE: Environment = {
  ...ENVIRONMENT,
  GATEWAY_ENVIRONMENT: 'production',
  GATEWAY_BASE_URL: 'https://gateway.example',
  PUBLIC_URL: 'https://pay.shop.example',
  ORDERS_URL: 'https://shop.example/orders',
  ORDERS_TOKEN: 'a token of the shop',
}
const ALIVE = () => new Response('{"status":"live"}')

/** Runs the check between a gateway and a server of this address. */
async function checked(env: Environment = LIVE, server: () => Response | Promise<Response> = ALIVE) {
  const sandbox = createSandbox({ seed: 1 })
  const asked: { path: string; body: string }[] = []
  const fetch = async (url: string, init: FetchInit) => {
    const { pathname, origin } = new URL(url)
    if (origin === env.PUBLIC_URL) return server()
    asked.push({ path: pathname, body: init.body ?? '' })
    return sandbox.app.request(url, init)
  }
  const printed: string[] = []
  const shell = {
    env,
    print: (line: string) => void printed.push(line),
    note: () => {},
    readInput: async () => '',
    waitFor: <T>(_: string, work: Promise<T>) => work,
    progress: () => ({ show() {}, end() {} }),
    stopSignal: () => new AbortController().signal,
  }
  const code = await check(shell, { json: true }, fetch)
  const text: string[] = []
  await check({ ...shell, print: (line) => void text.push(line) }, {}, fetch)
  sandbox.timeline.close()
  return { code, asked, text: text.join('\n'), ...JSON.parse(printed.join('')) }
}

describe('check', () => {
  test('says that everything is ready for live', async () => {
    const { code, ready, text, findings } = await checked()
    expect([code, ready]).toEqual([0, true])
    expect(text).toContain('Ready for live.')
    expect(findings).toContainEqual({
      what: 'service CHECKOUT-KES',
      kind: 'fine',
      detail: 'It is active and takes KES.',
    })
  })

  test('prints the addresses to paste into the portal', async () => {
    const { portal_callback_url, portal_charge_callback_url, portal_airtime_callback_url, text } =
      await checked()
    expect(portal_callback_url).toMatch(
      /^https:\/\/pay\.shop\.example\/callbacks\/payouts\/production\.[\w-]{22}$/,
    )
    expect(text).toContain(portal_callback_url)
    expect(portal_charge_callback_url).toMatch(/\/callbacks\/charges\/production\.[\w-]{22}$/)
    expect(text).toContain(portal_charge_callback_url)
    expect(portal_airtime_callback_url).toMatch(/\/callbacks\/airtime\/production\.[\w-]{22}$/)
    expect(text).toContain(portal_airtime_callback_url)
  })

  test('opens one session of one unit and one minute for each service, and no more', async () => {
    const { asked } = await checked()
    const initiated = asked.filter(({ path }: { path: string }) => path === '/v2/checkout/initiate')
    expect(initiated).toHaveLength(2)
    expect(JSON.parse(initiated[0].body)).toMatchObject({ amount: 1, expires_in: 1 })
  })

  test.each<[string, Environment, () => Response | Promise<Response>, string, RegExp]>([
    ['a sandbox', { ...LIVE, GATEWAY_ENVIRONMENT: 'sandbox' }, ALIVE, 'environment', /is sandbox/],
    [
      'plain http',
      { ...LIVE, GATEWAY_BASE_URL: 'http://127.0.0.1:1', PUBLIC_URL: 'http://127.0.0.1:2' },
      ALIVE,
      'https',
      /not https/,
    ],
    [
      'wrong credentials',
      { ...LIVE, GATEWAY_CONSUMER_SECRET: 'x' },
      ALIVE,
      'account',
      /consumer key and secret/,
    ],
    ['a foreign account', { ...LIVE, GATEWAY_ACCOUNT_NUMBER: 'ACC-9' }, ALIVE, 'account', /refused/],
    [
      'a wrong service',
      { ...LIVE, GATEWAY_SERVICE_CODE: 'NONE' },
      ALIVE,
      'service NONE',
      /172 Invalid Service/,
    ],
    [
      'a service in another currency',
      { ...LIVE, GATEWAY_SERVICE_CODE: 'UGX=CHECKOUT-KES' },
      ALIVE,
      'service CHECKOUT-KES',
      /a different currency/,
    ],
    ['a server that is away', LIVE, () => Promise.reject(new Error('away')), 'address', /cannot be reached/],
    ['another server', LIVE, () => new Response('<html>'), 'address', /not by this server/],
    ['a broken server', LIVE, () => new Response('', { status: 502 }), 'address', /HTTP 502/],
  ])('names %s as a reason against it', async (_, env, server, what, reason) => {
    const { code, ready, findings, text } = await checked(env, server)
    expect([code, ready]).toEqual([1, false])
    expect(findings).toContainEqual({ what, kind: 'problem', detail: expect.stringMatching(reason) })
    expect(text).toContain('Not ready for live')
  })

  test('leaves to a person what only a program of theirs can know', async () => {
    const { ready, findings } = await checked({ ...LIVE, ORDERS_URL: '', MERCHANT_WEBHOOK_URL: '' })
    expect(ready).toBe(true)
    const notes = findings.filter(({ kind }: { kind: string }) => kind === 'note')
    expect(notes.map(({ what }: { what: string }) => what)).toEqual(['orders', 'events'])
  })
})
