import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Environment } from '../../server/config.ts'
import type { Store } from '../../server/store.ts'
import type { Client } from '../support/client.ts'
import type { FreezableProxy } from '../support/freezable-proxy.ts'
import type { Pooler } from '../support/pooler.ts'
import type { Postgres } from '../support/postgres.ts'
import { openStore } from '../../server/store/open.ts'
import { clientOf, countByStatus } from '../support/client.ts'
import { startProxy } from '../support/freezable-proxy.ts'
import { createLimitedShop, PRODUCTION } from '../support/limited-shop.ts'
import { startPooler } from '../support/pooler.ts'
import { startPostgres } from '../support/postgres.ts'

const ATTACKER = '203.0.113.7'
const MERCHANT = '198.51.100.4'
const SHOPPERS = ['203.0.113.8', '203.0.113.9']
const VICTIM = '+254700000001'
const SOON = { timeout: 20_000, interval: 20 }
/**
 * How many more requests two replicas may admit than one. A replica learns the other's count only when it counts a
 * request of its own, and requests that run at the same time do not know of each other.
 */
const SPREAD = 10

let postgres: Postgres
let pooler: Pooler
let proxy: FreezableProxy
let url: string
const stores: Store[] = []

beforeAll(async () => {
  postgres = await startPostgres()
  pooler = await startPooler(postgres.port)
  proxy = await startProxy(postgres.port)
}, 60_000)
beforeEach(async () => {
  url = await postgres.newDatabase()
})
afterEach(async () => {
  proxy.admit()
  for (const store of stores.splice(0)) await store.close()
})
afterAll(async () => {
  await proxy.close()
  await pooler.stop()
  await postgres.stop()
})

async function replica(env: Environment = {}, port = postgres.port) {
  const at = new URL(url)
  at.port = `${port}`
  const store = openStore(at.href)
  stores.push(store)
  await store.ping()
  return createLimitedShop(env, { store })
}

describe('two replicas on one Postgres', () => {
  test('count the wrong keys of an address together', async () => {
    const [one, two] = [await attackOn(), await attackOn()]
    expect(countByStatus(await repeat(20, () => one.api('wrong')))).toEqual({ 401: 20 })
    expect(await admittedBeforeRefusal(() => two.api('wrong'))).toBeLessThan(SPREAD)
    expect((await two.api()).status).toBe(429)
  })

  test('count them through a pooler in transaction mode, too', async () => {
    const [one, two] = [await attackOn(pooler.port), await attackOn(pooler.port)]
    await repeat(20, () => one.api('wrong'))
    expect(await admittedBeforeRefusal(() => two.api('wrong'))).toBeLessThan(SPREAD)
  })

  test('count the guessed orders of an address together, also when they arrive at once', async () => {
    const [one, two] = [await replica(), await replica()]
    await Promise.all(Array.from({ length: 200 }, (_, order) => guess(clientOf(one.app, ATTACKER), order)))
    expect(one.lookups).toHaveLength(30)
    expect(await admittedBeforeRefusal(() => guess(clientOf(two.app, ATTACKER), 1))).toBeLessThan(SPREAD)
    expect((await clientOf(two.app, MERCHANT).initiate('A-1')).status).toBe(201)
  })

  test('count the starts of an order together', async () => {
    const clients = [await attackOn(), await attackOn()]
    const answers = await repeat(120, (turn) => clients[turn % 2]!.initiate('A-1'))
    expect(countByStatus(answers)[429]).toBeGreaterThanOrEqual(60 - SPREAD)
  })

  test('count the checkouts of a phone number together', async () => {
    const shops = [await replica(PRODUCTION), await replica(PRODUCTION)]
    const answers = await repeat(60, (turn) =>
      clientOf(shops[turn % 2]!.app, `203.0.113.${turn}`).initiate(`A-${turn}`, { payer_msisdn: VICTIM }),
    )
    expect(countByStatus(answers)[201]).toBeLessThan(20 + SPREAD)
    expect(countByStatus(answers)[201]).toBeGreaterThanOrEqual(20)
  })

  test('count the prompts on a phone exactly, also when they arrive at once', async () => {
    const env = { GATEWAY_CHARGE_METHODS: 'MOMO_KEN' }
    const shops = [await replica(env), await replica(env)]
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, order) =>
        clientOf(shops[order % 2]!.app, SHOPPERS[order % 2]!).initiate(`A-${order}`, {
          method: 'prompt',
          payer_msisdn: VICTIM,
        }),
      ),
    )
    expect(countByStatus(answers)).toEqual({ 201: 3, 429: 9 })
  })

  test('each warn once that the limit is reached', async () => {
    const shops = [await replica(), await replica()]
    for (const { app } of shops) await repeat(25, () => clientOf(app, ATTACKER).api('wrong'))
    const warned = () => shops.map(({ logged }) => logged.filter(({ level }) => level === 'warn').length)
    await expect.poll(warned, SOON).toEqual([1, 1])
  })
})

test('the table names neither the address nor the phone number', async () => {
  const { app } = await replica(PRODUCTION)
  await repeat(5, () => clientOf(app, ATTACKER).api('wrong'))
  await repeat(5, (order) => clientOf(app, ATTACKER).initiate(`A-${order}`, { payer_msisdn: VICTIM }))
  await expect.poll(counts, SOON).toHaveLength(2)
  for (const { key } of await counts()) expect(key).toMatch(/^[\w-]{43}$/)
})

test('another key of the digests means another count', async () => {
  const [one, other] = [
    await replica(),
    await replica({ GATEWAY_CONSUMER_SECRET: 'another secret of the gateway' }),
  ]
  await repeat(3, () => clientOf(one.app, ATTACKER).api('wrong'))
  await repeat(3, () => clientOf(other.app, ATTACKER).api('wrong'))
  await expect.poll(counts, SOON).toHaveLength(2)
})

test('requests that succeed are not counted in Postgres', async () => {
  const { app } = await replica(PRODUCTION)
  const shopper = clientOf(app, MERCHANT)
  const numbers = Array.from({ length: 20 }, (_, shopperNumber) => `07${10_000_000 + shopperNumber}`)
  const answers = await repeat(20, (order) =>
    shopper.initiate(`A-${order}`, { payer_msisdn: numbers[order]! }),
  )
  expect(countByStatus(answers)).toEqual({ 201: 20 })
  await repeat(20, () => shopper.api())
  expect(await counts()).toEqual([])
})

test('a flood causes few statements', async () => {
  const { app } = await replica()
  await Promise.all(Array.from({ length: 2_000 }, () => clientOf(app, ATTACKER).api('wrong')))
  await expect.poll(counts, SOON).toMatchObject([{ points: 20 }])
  await repeat(500, () => clientOf(app, ATTACKER).api('wrong'))
  expect(await counts()).toMatchObject([{ points: 20 }])
})

test('counts whose time window has ended are deleted', async () => {
  const { app } = await replica()
  await clientOf(app, ATTACKER).api('wrong')
  await expect.poll(counts, SOON).toHaveLength(1)
  await postgres.run(url, `INSERT INTO gateway_checkout.request_counts VALUES ('old', 3, 1)`)
  const next = await replica()
  await clientOf(next.app, ATTACKER).api('wrong')
  await expect.poll(counts, SOON).toMatchObject([{ points: 2 }])
})

test('while Postgres is away, each replica limits by itself, and counts for all when Postgres is back', async () => {
  const [one, two] = [await attackOn(proxy.port), await attackOn(proxy.port)]
  await one.api('wrong')
  await expect.poll(counts, SOON).toHaveLength(1)
  proxy.refuse()
  for (const client of [one, two]) {
    const answers = await repeat(40, () => client.api('wrong'))
    expect(countByStatus(answers)).toEqual(client === one ? { 401: 19, 429: 21 } : { 401: 20, 429: 20 })
    expect(countByStatus(await repeat(40, (order) => guess(client, order)))).toEqual({ 404: 30, 429: 10 })
  }
  proxy.admit()
  const back = clientOf((await replica()).app, '192.0.2.9')
  const other = clientOf((await replica()).app, '192.0.2.9')
  await repeat(20, () => back.api('wrong'))
  expect(await admittedBeforeRefusal(() => other.api('wrong'))).toBeLessThan(SPREAD)
})

async function attackOn(port?: number): Promise<Client> {
  return clientOf((await replica({}, port)).app, ATTACKER)
}

function counts(): Promise<Record<string, unknown>[]> {
  return postgres.run(url, 'SELECT * FROM gateway_checkout.request_counts')
}

async function repeat<Result>(times: number, work: (turn: number) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = []
  for (let turn = 0; turn < times; turn++) results.push(await work(turn))
  return results
}

function guess(client: Client, order: number): Promise<Response> {
  return client.initiate(`guess-${order}`)
}

/** Sends requests until one is refused with 429. Resolves with the number of admitted requests. */
async function admittedBeforeRefusal(ask: () => Promise<Response>): Promise<number> {
  let admitted = 0
  await expect.poll(async () => ((admitted += 1), (await ask()).status), SOON).toBe(429)
  return admitted - 1
}
