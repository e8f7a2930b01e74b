import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { Clock } from '../../server/clock.ts'
import type { Changed, Store } from '../../server/store.ts'
import type { FreezableProxy } from '../support/freezable-proxy.ts'
import type { Pooler } from '../support/pooler.ts'
import type { Postgres } from '../support/postgres.ts'
import { systemClock } from '../../server/clock.ts'
import { silentLog } from '../../server/log.ts'
import { StoreError } from '../../server/store.ts'
import { openStore } from '../../server/store/open.ts'
import { STATEMENTS } from '../../server/store/postgres/statements.ts'
import { countStored, many, prompted } from '../support/prompt-contract.ts'
import { startProxy } from '../support/freezable-proxy.ts'
import { startPooler } from '../support/pooler.ts'
import { startPostgres } from '../support/postgres.ts'
import { claimed, event, HOME, newRow, NOW, taken } from '../support/stored-rows.ts'
import { createWorld } from '../support/world.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND

let postgres: Postgres
let proxy: FreezableProxy
let url: string
const stores: Store[] = []
const warned: string[] = []

const fast: Clock = {
  now: () => systemClock.now(),
  sleep: (ms, signal) => systemClock.sleep(ms / 20, signal),
}
const SOON = { timeout: 20_000 }

beforeAll(async () => {
  postgres = await startPostgres()
  proxy = await startProxy(postgres.port)
}, 120_000)
afterAll(() => Promise.all([proxy.close(), postgres.stop()]))
beforeEach(async () => {
  url = await postgres.newDatabase()
  warned.length = 0
})
afterEach(async () => {
  for (const store of stores.splice(0)) await store.close()
})

function open(port = postgres.port): Store {
  const log = { ...silentLog, warn: (_: object, message: string) => void warned.push(message) }
  const store = openStore(url.replace(String(postgres.port), String(port)), { clock: fast, log })
  stores.push(store)
  return store
}

const change = (store: Store) => store.commit('a', 1, { at: NOW, due_at: NOW })

async function changeUntilReported(store: Store, reported: string[]): Promise<void> {
  await expect.poll(() => change(store).then(() => reported), SOON).toContain('a')
}

async function claimOnce(all: Store[]): Promise<void> {
  const ids = Array.from({ length: 30 }, (_, index) => `${index}`)
  for (const id of ids) {
    await all[0]!.insert(newRow(id))
    await all[0]!.commit(id, 1, { at: NOW, record: 1, events: [event(`e${id}`)] })
  }
  const turns = [...all, ...all, ...all, ...all]
  const transactions = await Promise.all(turns.map((store) => claimed(store, NOW)))
  const events = await Promise.all(turns.map((store) => taken(store, NOW)))
  expect(transactions.flat().toSorted()).toEqual(ids.toSorted())
  expect(events.flat().toSorted()).toEqual(ids.map((id) => `e${id}`).toSorted())
}

describe('several processes', () => {
  test.each(['directly', 'through a pooler'])('count prompts together, connected %s', async (how) => {
    const pooler = how === 'directly' ? null : await startPooler(postgres.port)
    const all = [1, 2, 3].map(() => open(pooler?.port))
    const rows = many(40, (index) => prompted(`${index}`, { phone: 'one' }))
    expect(await countStored(rows, all)).toBe(3)
    await pooler?.stop()
  })

  test('that start at once on an empty database migrate it once', async () => {
    const all = [open(), open(), open(), open()]
    await Promise.all(all.map((store) => store.ping()))
    const versions = await postgres.run(
      url,
      'SELECT version FROM gateway_checkout.migrations ORDER BY version',
    )
    expect(versions).toEqual([{ version: 1 }])
  })

  test('claim each due transaction and each event once', () => claimOnce([open(), open(), open()]))
})

test('a list of events waits for a commit in progress with earlier events', async () => {
  const [store] = [open()]
  await store.insert(newRow('a'))
  await store.insert(newRow('b'))
  const other = await postgres.connect(url)
  const event1 = [['a1'], [''], ['checkout.paid'], ['{}']]
  await other.query('BEGIN')
  await other.query(STATEMENTS.commitEvents, [
    'a',
    1,
    1,
    '1',
    NOW,
    ...Array(6).fill(null),
    NOW,
    null,
    null,
    ...event1,
  ])
  await store.commit('b', 1, { at: NOW, record: 1, events: [event('b1')] })
  const listed = store.listEvents(HOME, 0, 10)
  // If `listEvents` did not wait for the commit, it would finish during these calls.
  for (let turn = 0; turn < 20; turn++) await store.find('a')
  await other.query('COMMIT')
  await other.end()
  expect((await listed).map(({ id }) => id)).toEqual(['a1', 'b1'])
})

test('a process that starts before the database works once the database runs, and reconnects', async () => {
  proxy.refuse()
  const store = open(proxy.port)
  await expect(store.ping()).rejects.toThrow(StoreError)
  proxy.admit()
  await store.insert(newRow('a'))
  proxy.refuse()
  await expect(store.find('a')).rejects.toThrow(StoreError)
  proxy.admit()
  await expect.poll(() => store.find('a').catch(() => null), SOON).toMatchObject({ id: 'a' })
})

/** Starts a proxy that cuts each connection on which the client sends the text `sent`, while `isCutting` is `true`. */
async function startCuttingProxy(port: number, sent: string) {
  const state = { isCutting: false }
  const server = createServer((client) => {
    const other = connect(port, '127.0.0.1')
    client.on('data', (data) => {
      if (state.isCutting && data.toString('latin1').includes(sent)) client.destroy()
      else other.write(data)
    })
    other.on('data', (data) => void client.write(data))
    for (const [socket, peer] of [
      [client, other],
      [other, client],
    ] as const)
      socket.on('error', () => {}).on('close', () => peer.destroy())
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void server.close())
  return { state, port: (server.address() as AddressInfo).port }
}

test('a connection that is lost while it is checked fails a request, not the process', async () => {
  const cutting = await startCuttingProxy(postgres.port, 'pg_control_system')
  const store = open(cutting.port)
  await store.ping()
  // The requests need more connections than the one that is open. Each new connection is checked.
  cutting.state.isCutting = true
  const asked = await Promise.allSettled(Array.from({ length: 8 }, () => store.history('a')))
  const lost = asked.filter(({ status }) => status === 'rejected')
  expect(lost.length).toBeGreaterThan(0)
  for (const each of lost) expect(each).toMatchObject({ reason: expect.any(StoreError) })
  cutting.state.isCutting = false
  await Promise.all(Array.from({ length: 8 }, () => store.history('a')))
})

test('an outage of the store logs a line when it begins, one a minute, and one when it is over', async () => {
  const store = open(proxy.port)
  const shop = await createWorld({ store })
  shop.order('A-1')
  await shop.start('A-1')
  const lines = (level: string) => shop.logged.filter((line) => line.level === level)
  expect(lines('error')).toEqual([])

  proxy.refuse()
  expect((await shop.api('/payouts/WAGES')).status).toBe(503)
  await shop.later(30 * SECOND)
  expect(lines('error')).toHaveLength(1)
  expect(lines('error')[0]?.facts).toHaveProperty('err.message')
  await shop.later(2.5 * MINUTE)
  expect((await shop.api('/payouts/WAGES')).status).toBe(503)
  expect(lines('error')).toHaveLength(3 + 1)
  expect(lines('error').at(-1)?.facts).toMatchObject({ similar: expect.any(Number) })
  // The lines that are left out are there with LOG_LEVEL=debug.
  expect(lines('debug').filter(({ facts }) => 'err' in facts).length).toBeGreaterThan(100)
  expect(lines('warn')).toEqual([])

  proxy.admit()
  await shop.later(30 * SECOND)
  expect(lines('warn')).toEqual([
    { level: 'warn', facts: { seconds: expect.any(Number) }, message: 'The store responds again.' },
  ])
  expect(lines('error')).toHaveLength(3 + 1)
  expect((await shop.api('/payouts/WAGES')).status).toBe(404)
})

describe('a change of another process', () => {
  test('reaches watchers, who are not told to do its work', async () => {
    const [store, other] = [open(), open()]
    await store.insert(newRow('a'))
    const reported: Changed[] = []
    other.watch((change) => reported.push(change))
    await expect.poll(() => change(store).then(() => reported.length), SOON).toBeGreaterThan(0)
    expect(reported[0]).toEqual({ id: 'a', due_at: null, event_due_at: null })
    expect(warned).toEqual([])
  })

  test('arrives after the listening connection was ended', async () => {
    const [store, other] = [open(), open()]
    await store.insert(newRow('a'))
    const reported: string[] = []
    other.watch(({ id }) => reported.push(id))
    await changeUntilReported(store, reported)
    await postgres.run(
      url,
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query ILIKE 'LISTEN%'",
    )
    reported.length = 0
    await changeUntilReported(store, reported)
  })

  test('arrives after the listening connection was blackholed', async () => {
    const [store, other] = [open(), open(proxy.port)]
    await store.insert(newRow('a'))
    const reported: string[] = []
    other.watch(({ id }) => reported.push(id))
    await changeUntilReported(store, reported)
    expect(proxy.freeze('LISTEN')).toBe(1)
    reported.length = 0
    await changeUntilReported(store, reported)
  })
})

describe.runIf(process.env.FULL)('through a pooler in transaction mode', () => {
  let pooler: Pooler
  beforeAll(async () => {
    pooler = await startPooler(postgres.port)
  }, 120_000)
  afterAll(() => pooler.stop())

  test('a change reaches watchers of the transaction, with one warning', async () => {
    const [store, other] = [open(), open(pooler.port)]
    await store.insert(newRow('a'))
    const reported: string[] = []
    other.watch(
      ({ id }) => reported.push(id),
      () => ['a'],
    )
    await expect.poll(() => warned, SOON).toHaveLength(1)
    expect(warned[0]).toContain('polled')
    for (const version of [1, 2, 3]) {
      reported.length = 0
      await store.commit('a', version, { at: NOW, record: version })
      await expect.poll(() => reported, SOON).toEqual(['a'])
    }
    expect(warned).toHaveLength(1)
  })

  test('a change arrives on a direct connection', async () => {
    const [store, other] = [open(pooler.port), open()]
    await store.insert(newRow('a'))
    const reported: string[] = []
    other.watch(({ id }) => reported.push(id))
    await changeUntilReported(store, reported)
  })

  test('due transactions and events are claimed once', () =>
    claimOnce([open(), open(pooler.port), open(pooler.port)]))
})
