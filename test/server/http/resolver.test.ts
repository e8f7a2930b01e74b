import { createServer } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'

import { createTimeline, startSandbox } from '../../../demo/sandbox/index.ts'
import { readConfig } from '../../../server/config/config.ts'
import { createApp } from '../../../server/every-feature.ts'
import { exchange, isNotConnected } from '../../../server/http/exchange.ts'
import { createPooledFetch } from '../../../server/http/pooled-fetch.ts'
import { createSharedLookup } from '../../../server/http/resolver.ts'
import { openStore } from '../../../server/store/open.ts'
import { systemClock } from '../../../server/work/clock.ts'
import { listen } from '../../support/free-port.ts'
import { quiet } from '../../support/quiet.ts'
import { ENVIRONMENT } from '../../support/worlds/environment.ts'
import { control } from '../../support/worlds/sandbox-line.ts'
import { PAYER } from '../../support/worlds/world.ts'

import type { LookupFunction } from 'node:net'

/** As many names as Node.js resolves at once. */
const PLACES = 2
const HERE = [{ address: '127.0.0.1', family: 4 }]

/**
 * Resolves names as Node.js does, two at once, in the order of the questions. All names lead to this machine, but for
 * silent ones, whose questions hold their place until they are answered or given up.
 */
function createSystem() {
  const clock = createTimeline({ wall: null, start: 0, settle: () => quiet(() => 0) })
  const silent = new Set<string>()
  const asked: string[] = []
  const open: { hostname: string; end: (error: Error | null) => void }[] = []
  const waiting: (() => void)[] = []

  const lookup: LookupFunction = (hostname, _, callback) => {
    asked.push(hostname)
    waiting.push(() => {
      const question = { hostname, end }
      open.push(question)
      if (!silent.has(hostname)) {
        setImmediate(end, null)
      }

      function end(error: Error | null) {
        open.splice(open.indexOf(question), 1)
        callback(error, error ? [] : HERE)
        begin()
      }
    })
    begin()
  }

  const shared = createSharedLookup(lookup, clock)
  return { clock, lookup: shared, silent, timesAsked, end }

  function begin() {
    while (open.length < PLACES && waiting.length > 0) {
      waiting.shift()?.()
    }
  }

  /** Ends the silence about a name: with its addresses, or with what the system says when it gives up. */
  function end(hostname: string, error: Error | null = null) {
    open.find((question) => question.hostname === hostname)?.end(error)
  }

  function timesAsked(hostname: string): number {
    return asked.filter((each) => each === hostname).length
  }
}

/** A server at any name, and a way to ask it that makes a new connection each time. */
async function openServerAt(lookup: LookupFunction) {
  const server = createServer((_, response) => response.setHeader('connection', 'close').end('{}'))
  const { port } = new URL(await listen(server))
  onTestFinished(() => server.close().closeAllConnections())
  const send = createPooledFetch({ privateHosts: 'any', lookup })
  return (hostname: string) =>
    exchange(send, systemClock, {
      method: 'GET',
      url: `http://${hostname}:${port}/`,
      headers: {},
      deadlineMs: 8_000,
      maxAnswerBytes: 1_000,
    })
}

test('a backend whose name server is silent keeps nobody from paying', { timeout: 30_000 }, async () => {
  const system = createSystem()
  system.silent.add('shop.example')
  const sandbox = await startSandbox({ fetch: (url, init) => app.request(url, init) })
  const config = readConfig({
    ...ENVIRONMENT,
    GATEWAY_BASE_URL: sandbox.url.replace('127.0.0.1', 'localhost'),
    MERCHANT_WEBHOOK_URL: 'https://shop.example/events',
  })
  const send = createPooledFetch({ ...config, lookup: system.lookup })
  const app = createApp({
    config,
    store: openStore('sqlite::memory:'),
    orders: (order) => ({ order, amount: 1500, currency: 'KES', narration: 'Two kangas' }),
    // Each request makes a connection of its own.
    fetch: (url, init) => send(url, { ...init, headers: { ...init.headers, connection: 'close' } }),
  })
  const closing = new AbortController()
  const working = app.work(closing.signal)
  onTestFinished(async () => {
    closing.abort()
    await system.clock.advance(4_000)
    await working
    await sandbox.close()
  })
  const start = async (order: string) => {
    const headers = { accept: 'application/json' }
    const body = new URLSearchParams({ order, ...PAYER })
    const answer = await app.request('/checkout/initiate', { method: 'POST', headers, body })
    return { status: answer.status, view: await answer.json() }
  }

  const ids: string[] = []
  for (const order of ['A-1', 'A-2', 'A-3']) {
    const { view } = await start(order)
    ids.push(view.checkout_id)
    await control(sandbox.url, `/checkouts/${view.merchant_transaction_id}/pay`, { scenario: 'approve' })
  }

  const outcomeOf = async (id: string) => (await (await app.request(`/checkout/status/${id}`)).json()).outcome
  const outcomes = () => Promise.all(ids.map((id) => outcomeOf(id)))
  await expect.poll(outcomes, { timeout: 8_000 }).toEqual(['paid', 'paid', 'paid'])
  await expect.poll(() => system.timesAsked('shop.example')).toBeGreaterThan(0)
  expect(await start('A-4')).toMatchObject({ status: 201 })
  expect(system.timesAsked('shop.example')).toBe(1)
})

describe('a name', () => {
  test('a name has one open question, which all connections join', async () => {
    const system = createSystem()
    system.silent.add('slow.example')
    const ask = await openServerAt(system.lookup)
    const answers = Promise.all(Array.from({ length: 8 }, () => ask('slow.example')))
    await expect.poll(() => system.timesAsked('slow.example')).toBe(1)
    system.end('slow.example')
    expect((await answers).map(({ status }) => status)).toEqual(Array(8).fill(200))
    expect(system.timesAsked('slow.example')).toBe(1)
  })

  test('two silent names do not stop a third whose addresses are known', async () => {
    const system = createSystem()
    const ask = await openServerAt(system.lookup)
    expect(await ask('gateway.example')).toMatchObject({ status: 200 })
    system.silent.add('shop.example').add('orders.example')
    const dead = [ask('shop.example'), ask('orders.example')]
    await expect.poll(() => system.timesAsked('orders.example')).toBe(1)
    const asking = ask('gateway.example')
    await expect.poll(() => system.timesAsked('gateway.example')).toBe(2)
    await system.clock.advance(1_000)
    expect(await asking).toMatchObject({ status: 200 })
    // Its question still waits for a place: whoever comes now does not wait again.
    expect(await ask('gateway.example')).toMatchObject({ status: 200 })
    await system.clock.advance(3_000)
    await Promise.all(dead)
  })

  test('nobody waits longer than four seconds for a name, and the failure says that it was DNS', async () => {
    const system = createSystem()
    system.silent.add('shop.example')
    const ask = await openServerAt(system.lookup)
    const asking = ask('shop.example')
    await expect.poll(() => system.timesAsked('shop.example')).toBe(1)
    await system.clock.advance(4_000)
    const summary = expect.stringContaining('(DNS did not resolve shop.example within 4 seconds)')
    const answer = await asking
    expect(answer).toMatchObject({ kind: 'unreachable', summary })
    expect(isNotConnected('cause' in answer && answer.cause)).toBe(true)
    expect(await ask('shop.example')).toMatchObject({ kind: 'unreachable', summary })
    expect(system.timesAsked('shop.example')).toBe(1)
  })

  test('addresses that come after the deadline serve the next connections', async () => {
    const system = createSystem()
    system.silent.add('gateway.example')
    const ask = await openServerAt(system.lookup)
    const asking = ask('gateway.example')
    await expect.poll(() => system.timesAsked('gateway.example')).toBe(1)
    await system.clock.advance(4_000)
    expect(await asking).toMatchObject({ kind: 'unreachable' })
    system.end('gateway.example')
    await nextTurn()
    const next = ask('gateway.example')
    await expect.poll(() => system.timesAsked('gateway.example')).toBe(2)
    await system.clock.advance(1_000)
    expect(await next).toMatchObject({ status: 200 })
  })

  test.each([
    ['EAI_AGAIN', { status: 200 }],
    ['ENOTFOUND', { kind: 'unreachable', summary: expect.stringContaining('getaddrinfo ENOTFOUND') }],
  ])(
    'a name keeps its last addresses if nobody answers for it, and not if it is gone: %s',
    async (code, result) => {
      const system = createSystem()
      const ask = await openServerAt(system.lookup)
      await ask('gateway.example')
      system.silent.add('gateway.example')
      const asking = ask('gateway.example')
      await expect.poll(() => system.timesAsked('gateway.example')).toBe(2)
      system.end('gateway.example', Object.assign(new Error(`getaddrinfo ${code} gateway.example`), { code }))
      expect(await asking).toMatchObject(result)
    },
  )
})
