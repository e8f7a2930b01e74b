import { once } from 'node:events'
import { request } from 'node:http'
import { networkInterfaces } from 'node:os'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import { startSandbox } from '../../demo/sandbox/index.ts'
import { createTerminal } from '../support/worlds/terminal.ts'

import type { SandboxOptions } from '../../demo/sandbox/index.ts'
import type { IncomingMessage } from 'node:http'

type Headers = Record<string, string>

const JSON_TYPE = { 'content-type': 'application/json' }
const EVIL = 'https://evil.example'

let sandbox: Awaited<ReturnType<typeof startSandbox>>
const start = async (options: SandboxOptions = {}) => (sandbox = await startSandbox({ port: 0, ...options }))
beforeEach(async () => void (await start()))
afterEach(() => sandbox.close())

describe('a page of another site', () => {
  const PAGES: readonly [string, Headers][] = [
    ['on another site', { 'sec-fetch-site': 'cross-site', origin: EVIL }],
    ['on another site, in a browser without Sec-Fetch-Site', { origin: EVIL }],
    ['on another port of this machine', { 'sec-fetch-site': 'same-site', origin: 'http://127.0.0.1:1' }],
    ['without an origin', { origin: 'null' }],
    ['without an origin, in a frame', { 'sec-fetch-site': 'cross-site', origin: 'null' }],
    ['with an origin that starts like ours', { origin: 'http://127.0.0.1:1.evil.example' }],
  ]
  const BODIES: readonly [string, string, Headers][] = [
    ['/_sandbox/reset', '', {}],
    ['/_sandbox/reset', '{}', { 'content-type': 'text/plain' }],
    ['/_sandbox/reset', 'a=b', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['/_sandbox/faults', '{"fault":"html"}', JSON_TYPE],
    ['/_sandbox/clock/advance', '{"seconds":60}', JSON_TYPE],
    ['/_sandbox/callbacks/1/replay', '', {}],
  ]

  test.each(PAGES)('a page of another site, %s, cannot drive the control', async (_, page) => {
    await addFault()
    for (const [path, body, type] of BODIES) {
      const { status, text: answer } = await send('POST', path, { ...page, ...type }, body)
      expect({ path, status, answer }).toEqual({
        path,
        status: 403,
        answer: expect.stringContaining('another site'),
      })
    }

    expect((await send('DELETE', '/_sandbox/faults', page)).status).toBe(403)
    expect(await faults()).toHaveLength(1)
  })

  test.each(PAGES)('a page of another site, %s, cannot read the control', async (_, page) => {
    for (const path of ['/_sandbox/requests', '/_sandbox/ledger', '/_sandbox/portal', '/_sandbox/clock']) {
      expect((await send('GET', path, page)).status).toBe(403)
    }
  })

  test.each(['text/plain', 'multipart/form-data; boundary=x', 'application/x-www-form-urlencoded', ''])(
    'another site cannot reset the sandbox by a body of type "%s" without Origin and Sec-Fetch-Site',
    async (type) => {
      await addFault()
      const { status } = await send('POST', '/_sandbox/reset', type ? { 'content-type': type } : {}, '{}')
      expect(status).toBe(415)
      // A form without fields has no body.
      if (type) {
        expect((await send('POST', '/_sandbox/reset', { 'content-type': type }, '')).status).toBe(415)
      }
      expect(await faults()).toHaveLength(1)
    },
  )

  test('a page of another site gets no CORS headers', async () => {
    const preflight = { origin: EVIL, 'access-control-request-method': 'POST' }
    const { status, headers } = await send('OPTIONS', '/_sandbox/reset', preflight)
    expect({ status, 'access-control-allow-origin': headers['access-control-allow-origin'] }).toEqual({
      status: 403,
      'access-control-allow-origin': undefined,
    })
  })
})

describe('a name that an attacker points at this machine (DNS rebinding)', () => {
  const NAMES = [
    ...'evil.example evil.example:4010 localhost.evil.example 127.0.0.1.evil.example'.split(' '),
    ...'127.0.0.1evil.example xlocalhost 0.0.0.0 127.999.1.1'.split(' '),
  ]
  const PATHS = ['/_sandbox/requests', '/_sandbox/scenarios', '/v1/fx', '/pay/x', '/v1/payouts/x/status', '/']

  // The HTTP server itself refuses a Host that cannot be part of a URL.
  const BROKEN = [
    'evil.example@127.0.0.1',
    '127.0.0.1, evil.example',
    '127.0.0.1:99999',
    '127.0.0.1:4010.evil.example',
    'localhost#.evil.example',
    '[::1].evil.example',
  ]

  test.each([...NAMES.map((host) => [host, true] as const), ...BROKEN.map((host) => [host, false] as const)])(
    'a name that an attacker points at this machine reads and changes nothing: %j',
    async (host, isHost) => {
      for (const path of PATHS) {
        for (const page of [{}, { origin: `http://${host}`, 'sec-fetch-site': 'same-origin' }]) {
          const { status, text: answer } = await send('GET', path, { ...page, host })
          expect({ path, status }, answer).toEqual({ path, status: isHost ? 403 : 400 })
          if (isHost) {
            expect(answer).toContain('option hosts')
          }
        }
      }

      await addFault()
      await send('POST', '/_sandbox/reset', { host, 'sec-fetch-site': 'same-origin' })
      expect(await faults()).toHaveLength(1)
    },
  )

  test.each(['localhost', 'LOCALHOST:4010', 'pay.localhost:80', '127.0.0.1', '127.1.2.3:4010', '[::1]:4010'])(
    'a loopback name is answered: %s',
    async (host) => {
      expect((await send('GET', '/_sandbox/scenarios', { host })).status).toBe(200)
    },
  )

  test('the host of publicUrl and those of the option hosts are answered, and no other', async () => {
    await sandbox.close()
    await start({ publicUrl: 'https://pay.gateway.example:8443', hosts: ['sandbox', 'gateway.lan'] })
    const statuses = ['pay.gateway.example:8443', 'sandbox:4010', 'gateway.lan', 'other.lan'].map(
      async (host) => (await send('GET', '/_sandbox/scenarios', { host })).status,
    )
    expect(await Promise.all(statuses)).toEqual([200, 200, 200, 403])
  })

  test('--allow-host takes a host name, and no URL', async () => {
    const { code, err } = await createTerminal().run('sandbox --port 0 --allow-host https://sandbox.lan/')
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining('a host name') })
  })
})

test('what a developer does works in the address bar, and in a page of the sandbox: fetch, and a form', async () => {
  const own = { 'sec-fetch-site': 'same-origin', origin: sandbox.url }
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  expect((await send('GET', '/_sandbox/requests', { 'sec-fetch-site': 'none' })).status).toBe(200)
  expect(
    (await send('POST', '/_sandbox/clock/advance', { ...own, ...JSON_TYPE }, '{"seconds":1}')).status,
  ).toBe(200)
  for (const headers of [own, { origin: sandbox.url }]) {
    expect((await send('POST', '/_sandbox/reset', { ...headers, ...form }, 'sure=yes')).status).toBe(200)
  }
})

const others = Object.values(networkInterfaces())
  .flatMap((each) => each ?? [])
  .filter(({ family, internal }) => family === 'IPv4' && !internal)

test('the network does not reach the sandbox: it listens on loopback', async () => {
  const { port } = new URL(sandbox.url)
  expect(sandbox.url).toMatch(/^http:\/\/127\.0\.0\.1:/)
  for (const { address } of others) {
    await expect(fetch(`http://${address}:${port}/_sandbox/clock`)).rejects.toThrow('fetch failed')
  }
})

async function addFault() {
  expect((await send('POST', '/_sandbox/faults', JSON_TYPE, '{"fault":"html"}')).status).toBe(200)
}

async function faults(): Promise<unknown[]> {
  return JSON.parse((await send('GET', '/_sandbox/faults')).text).faults
}

// `fetch` cannot send another `Host` header.
async function send(method: string, path: string, headers: Headers = {}, body = '') {
  // A connection each: on a busy machine, a kept one may have been closed meanwhile.
  const sent = request(sandbox.url + path, { method, headers, agent: false }).end(body)
  const [response]: IncomingMessage[] = await once(sent, 'response')
  if (!response) {
    throw new Error('There is no response.')
  }
  return { status: response.statusCode, text: await text(response), headers: response.headers }
}
