import { expect, onTestFinished, test } from 'vitest'
import type { Store } from '../../server/store.ts'
import { readConfig } from '../../server/config.ts'
import { createMetrics } from '../../server/metrics/prometheus.ts'
import { openStore } from '../../server/store/open.ts'
import { DOWN, RELIABLE } from '../support/network.ts'
import { startPostgres } from '../support/postgres.ts'
import { createWorld, ENVIRONMENT } from '../support/world.ts'

const MINUTE = 60_000

function measure(store: Store) {
  const metrics = createMetrics({ config: readConfig(ENVIRONMENT), store })
  const read = async (name: string) => {
    const text = await (await metrics.fetch(new Request('http://localhost/metrics'))).text()
    const lines = text.matchAll(new RegExp(`^gateway_checkout_${name}(?:\\{\\w+="(\\w+)"\\})? (\\d+)$`, 'gm'))
    return Object.fromEntries([...lines].map(([, label = '', value]) => [label, Number(value)]))
  }
  return { metrics, read }
}

test('the open streams are counted', async () => {
  const store = openStore('sqlite::memory:')
  const { metrics, read } = measure(store)
  const shop = await createWorld({ store, metrics })
  shop.order('A-1')
  const { checkout_id } = await shop.start('A-1')
  const open = () => shop.ask(`/checkout/status/${checkout_id}/stream`)
  const [first, second] = [await open(), await open()]
  expect(await read('streams')).toEqual({ '': 2 })
  await first.body?.cancel()
  expect(await read('streams')).toEqual({ '': 1 })
  await second.body?.cancel()
  expect(await read('streams')).toEqual({ '': 0 })
})

test('an outage of the gateway and of the backend opens the breaker of each', async () => {
  const store = openStore('sqlite::memory:')
  const { metrics, read } = measure(store)
  let status = 500
  const shop = await createWorld({ store, metrics, backend: () => new Response(null, { status }) })
  const started = []
  for (let order = 1; order <= 25; order++) {
    shop.order(`A-${order}`)
    started.push(await shop.start(`A-${order}`))
  }
  expect(await read('breaker_open')).toEqual({ gateway: 0, backend: 0 })
  for (const checkout of started) await shop.pay(checkout, 'approve')
  await shop.later(MINUTE)
  expect(await read('breaker_open')).toEqual({ gateway: 0, backend: 1 })
  status = 200
  shop.network.reliability.gateway = DOWN
  for (let order = 101; order <= 125; order++) {
    shop.order(`A-${order}`)
    await shop.initiate(`A-${order}`)
  }
  await shop.later(MINUTE)
  expect(await read('breaker_open')).toEqual({ gateway: 1, backend: 0 })
  shop.network.reliability.gateway = RELIABLE
  await shop.later(MINUTE)
  expect(await read('breaker_open')).toEqual({ gateway: 0, backend: 0 })
})

test('the connections of the pool are counted, and the statements that wait for one', async () => {
  const postgres = await startPostgres()
  onTestFinished(() => postgres.stop())
  const url = await postgres.newDatabase()
  const store = openStore(url)
  onTestFinished(() => store.close())
  await store.ping()
  const { read } = measure(store)
  expect(await read('store_connections')).toEqual({ in_use: 0, idle: 1 })
  const other = await postgres.connect(url)
  onTestFinished(() => other.end())
  await other.query('BEGIN; LOCK TABLE gateway_checkout.marks IN ACCESS EXCLUSIVE MODE')
  const waiting = Promise.allSettled(Array.from({ length: 13 }, () => store.recoveredAt()))
  await expect.poll(() => store.connections?.()).toEqual({ inUse: 10, idle: 0, waiting: 3 })
  const measured = Promise.all([read('store_connections'), read('store_waiting')])
  await other.query('ROLLBACK')
  expect((await measured)[0]).toEqual({ in_use: 10, idle: 0 })
  expect((await waiting).map(({ status }) => status)).toEqual(Array(13).fill('fulfilled'))
}, 60_000)
