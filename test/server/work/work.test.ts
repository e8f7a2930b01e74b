import { afterEach, expect, test } from 'vitest'

import { readConfig } from '../../../server/config/config.ts'
import { openStore } from '../../../server/store/open.ts'
import { LEAST } from '../../support/least-config.ts'
import { BACKEND, ENVIRONMENT } from '../../support/worlds/environment.ts'
import { DOWN } from '../../support/worlds/network.ts'
import { control } from '../../support/worlds/sandbox-line.ts'
import { shopWithCheckout } from '../../support/worlds/shop-with-order.ts'
import { createWorld, formOf } from '../../support/worlds/world.ts'

import type { AppOptions } from '../../../server/app.ts'
import type { Store } from '../../../server/store/store.ts'

const TEN_MINUTES = 600_000
const PRODUCTION = { ...LEAST, MERCHANT_WEBHOOK_URL: 'https://shop.example/webhooks' }

const { MERCHANT_WEBHOOK_URL: _, ...WITHOUT_WEBHOOK } = ENVIRONMENT

async function openApp(options: (shop: Awaited<ReturnType<typeof createWorld>>) => Partial<AppOptions>) {
  const shop = await createWorld()
  const logged: { level: string; facts: object; message: string }[] = []
  const log = (level: string) => (facts: object, message: string) =>
    void logged.push({ level, facts, message })
  const app = shop.replica({
    orders: (order) => ({ order, amount: '500', currency: 'KES', narration: 'Two kangas' }),
    log: { debug: () => {}, info: log('info'), warn: log('warn'), error: log('error') },
    ...options(shop),
  })
  const address = { address: '198.51.100.7' }
  const initiate = async (order: string) =>
    expect((await app.request('/checkout/initiate', formOf(order), address)).status).toBe(201)
  return { shop, app, logged, initiate, warnings: () => logged.filter(({ level }) => level === 'warn') }
}

function failingAtStart(store: Store, failures: number): Store {
  let calls = 0
  return {
    ...store,
    setMerchant: (...merchant) =>
      calls++ < failures ? Promise.reject(new Error('The disk is full.')) : store.setMerchant(...merchant),
  }
}

test('work() survives a store that fails at its start, logs the failure and tries again', async () => {
  const { shop, app, logged } = await openApp(({ store }) => ({ store: failingAtStart(store, 2) }))
  const stop = new AbortController()
  const working = app.work(stop.signal)
  await shop.settle()
  await shop.later(5_000)
  const failure = { level: 'error', message: expect.stringMatching(/store could not be used/) }
  expect(logged).toMatchObject([failure, failure])
  stop.abort()
  await working
})

test('the first initiate warns, once, if events are not delivered because work() was never called', async () => {
  const config = readConfig(WITHOUT_WEBHOOK)
  const warning = { message: expect.stringContaining('app.work(') }
  const stop = new AbortController()
  for (const [options, works, expected] of [
    [{}, false, [warning]],
    [{ config, onEvent: () => {} }, false, [warning]],
    [{ config }, false, []],
    [{}, true, []],
  ] as const) {
    const { app, initiate, warnings } = await openApp(() => options)
    if (works) {
      void app.work(stop.signal)
    }

    await initiate('A-1')
    await initiate('A-2')
    expect(warnings()).toMatchObject(expected)
  }

  stop.abort()
})

test.each([
  ['with production settings', PRODUCTION],
  ['for a rehearsal', { ...PRODUCTION, GATEWAY_REHEARSAL: '1' }],
])('a sandbox database opened %s sends nothing, asks nothing, and says so', async (_, env) => {
  const sent: string[] = []

  const fetch = (url: string) => {
    sent.push(url)
    return new Response('{}')
  }

  const config = readConfig({ ...ENVIRONMENT, ...env })
  const { shop, app, logged } = await openApp(() => ({ config, fetch, longestSleepMs: TEN_MINUTES }))
  shop.order('A-1')
  await shop.start('A-1')
  shop.network.reliability.gateway = DOWN
  await shop.payOut('local')
  await shop.payOut('b2b', { payout_reference: 'P-2' })

  const stop = new AbortController()
  void app.work(stop.signal)
  await shop.later(TEN_MINUTES)
  stop.abort()
  expect(sent).toEqual([])
  const leftAlone = {
    facts: { waiting: 3, account: 'sandbox' },
    message: expect.stringMatching(/left alone/),
  }
  expect(logged.slice(-1)).toMatchObject([leftAlone])
})

test('while the store cannot be used, every route answers with Retry-After and starts nothing', async () => {
  const { shop, begun, id } = await shopWithCheckout()
  const callback = shop.callbackPath(begun)
  await shop.later(5_000)
  await shop.store.close()
  const asked = shop.gatewayRequests().length
  shop.order('A-2')
  const answers = [
    await shop.initiate('A-2'),
    await shop.ask(`/checkout/status/${id}`),
    await shop.ask(`/checkout/status/${id}/stream`),
    await shop.ask(callback, { method: 'POST', body: '{}' }),
    await shop.ask('/health/ready'),
  ]
  for (const answer of answers) {
    expect({ status: answer.status, 'retry-after': answer.headers.get('retry-after') }).toEqual({
      status: 503,
      'retry-after': '5',
    })
    const text = await answer.text()
    expect(JSON.parse(text)).toMatchObject({ code: 'store_unavailable', retryable: true })
    expect(text).not.toMatch(/sqlite|database|Error|at /i)
  }

  // A return is a shopper's visit, and its failures are pages.
  const page = await shop.ask(`/checkout/return/${id}`)
  expect({ status: page.status, 'retry-after': page.headers.get('retry-after') }).toEqual({
    status: 503,
    'retry-after': '5',
  })
  expect(await page.text()).not.toMatch(/sqlite|database|Error/i)
  expect((await shop.ask('/health/live')).status).toBe(200)
  expect(shop.gatewayRequests()).toHaveLength(asked)
})

const closing: (() => void)[] = []
afterEach(() => closing.splice(0).forEach((close) => close()))

test('a handler that has accepted an event does not get it again when the webhook refuses it', async () => {
  const heard: string[] = []
  const answers = [503, 503, 204]
  const store = openStore('sqlite::memory:')
  const { shop, app } = await openApp(({ sandbox }) => ({
    store,
    onEvent: ({ id }) => void heard.push(id),
    fetch: (url, init) =>
      url === BACKEND
        ? new Response(null, { status: answers.shift() ?? 204 })
        : sandbox.app.request(url, init),
  }))
  const stop = new AbortController()
  const working = app.work(stop.signal)
  const { merchant_transaction_id } = await (await app.request('/checkout/initiate', formOf('A-1'))).json()
  await control(shop.sandbox, `/checkouts/${merchant_transaction_id}/pay`, {})
  await shop.later(600_000)
  expect({ heard: heard.length, answers }).toEqual({ heard: 1, answers: [] })
  stop.abort()
  await working
  await store.close()
})
