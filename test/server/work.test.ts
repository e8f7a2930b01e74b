import { expect, test } from 'vitest'
import type { AppOptions } from '../../server/app.ts'
import type { Store } from '../../server/store.ts'
import { createApp } from '../../server/app.ts'
import { readConfig } from '../../server/config.ts'
import { createSeededRandom } from '../support/seeded-random.ts'
import { createWorld, ENVIRONMENT, PAYER } from '../support/world.ts'

const { MERCHANT_WEBHOOK_URL: _, ...WITHOUT_WEBHOOK } = ENVIRONMENT

/** A second BFF in the world of a shop, with what it logged. */
async function openApp(options: (shop: Awaited<ReturnType<typeof createWorld>>) => Partial<AppOptions>) {
  const shop = await createWorld()
  const logged: { level: string; message: string }[] = []
  const log = (level: string) => (_: object, message: string) => void logged.push({ level, message })
  const app = createApp({
    config: readConfig(ENVIRONMENT),
    store: shop.store,
    orders: (order) => ({ order, amount: '500', currency: 'KES', narration: 'Two kangas' }),
    fetch: (url, init) => shop.sandbox.app.request(url, init),
    clock: shop.timeline,
    randomness: createSeededRandom(2),
    log: { debug: () => {}, info: log('info'), warn: log('warn'), error: log('error') },
    ...options(shop),
  })
  const initiate = async (order: string) => {
    const answer = await app.request('/checkout/initiate', {
      method: 'POST',
      headers: { accept: 'application/json' },
      body: new URLSearchParams({ order, ...PAYER }),
    })
    expect(answer.status).toBe(201)
  }
  return { shop, app, logged, initiate, warnings: () => logged.filter(({ level }) => level === 'warn') }
}

/** The store, whose first reads of foreign rows fail as on a full disk. */
function failingAtStart(store: Store, failures: number): Store {
  let reads = 0
  return new Proxy(store, {
    get(target, name: keyof Store) {
      if (name === 'countWaitingElsewhere' && reads++ < failures)
        return () => Promise.reject(new Error('The disk is full.'))
      return target[name].bind(target)
    },
  })
}

test('work() survives a store that fails at its start, logs the failure and tries again', async () => {
  const { shop, app, logged } = await openApp(({ store }) => ({ store: failingAtStart(store, 2) }))
  const stop = new AbortController()
  const working = app.work(stop.signal)
  await shop.settle()
  await shop.later(5_000)
  expect(logged).toEqual([
    { level: 'error', message: expect.stringMatching(/store could not be read/) },
    { level: 'error', message: expect.stringMatching(/store could not be read/) },
  ])
  stop.abort()
  await working
})

test('work() ends when it is stopped while the store fails', async () => {
  const { shop, app } = await openApp(({ store }) => ({ store }))
  await shop.store.close()
  const stop = new AbortController()
  const working = app.work(stop.signal)
  await shop.later(5_000)
  stop.abort()
  await expect(working).resolves.toBeUndefined()
})

test('the first initiate warns, once, that events are not delivered while work() was never called', async () => {
  const { initiate, warnings } = await openApp(() => ({}))
  await initiate('A-1')
  await initiate('A-2')
  expect(warnings()).toEqual([{ level: 'warn', message: expect.stringContaining('app.work(') }])
})

test('a handler alone is reason enough to warn', async () => {
  const { initiate, warnings } = await openApp(() => ({
    config: readConfig(WITHOUT_WEBHOOK),
    onEvent: () => {},
  }))
  await initiate('A-1')
  expect(warnings()).toHaveLength(1)
})

test('initiate does not warn without a handler or webhook, or where work() was called', async () => {
  const silent = await openApp(() => ({ config: readConfig(WITHOUT_WEBHOOK) }))
  await silent.initiate('A-1')
  expect(silent.warnings()).toEqual([])

  const working = await openApp(() => ({}))
  const stop = new AbortController()
  void working.app.work(stop.signal)
  await working.initiate('A-1')
  expect(working.warnings()).toEqual([])
  stop.abort()
})
