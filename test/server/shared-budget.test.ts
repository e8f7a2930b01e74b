import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Store } from '../../server/store.ts'
import type { Postgres } from '../support/postgres.ts'
import { createTimeline } from '../../demo/sandbox/index.ts'
import { limitsOf } from '../../server/gateway/budget.ts'
import { createQueryQueue } from '../../server/gateway/query-queue.ts'
import { silentLog } from '../../server/log.ts'
import { openStore } from '../../server/store/open.ts'
import { mostInOneSecond } from '../support/counting-gateway.ts'
import { quiet } from '../support/quiet.ts'
import { startPostgres } from '../support/postgres.ts'
import { HOME } from '../support/stored-rows.ts'
import { START } from '../support/world.ts'

const SECOND = 1_000
const LIMITS = limitsOf(50, 100)

describe('in Postgres', () => {
  let postgres: Postgres
  const stores: Store[] = []
  beforeAll(async () => {
    postgres = await startPostgres()
  }, 60_000)
  afterEach(async () => {
    for (const store of stores.splice(0)) await store.close()
  })
  afterAll(() => postgres.stop())

  async function open(count: number) {
    const url = await postgres.newDatabase()
    stores.push(...Array.from({ length: count }, () => openStore(url)))
    const take = (store: Store, queries: number, counted = 0) =>
      store.takeTokens!(HOME, queries, counted, LIMITS)
    return { take }
  }

  test('four processes together take what one may take', async () => {
    const { take } = await open(4)
    const taken: number[] = []
    const endAt = performance.now() + 3 * SECOND
    const ask = async (store: Store) => {
      while (performance.now() < endAt) {
        const count = await take(store, 10)
        taken.push(...Array<number>(count).fill(performance.now()))
      }
    }
    await Promise.all(stores.map(ask))
    expect(mostInOneSecond(taken)).toBeLessThanOrEqual(50)
    expect(taken.length).toBeGreaterThan(100)
  })

  test('requests that do not wait leave the reserved part to queries', async () => {
    await open(2)
    const limits = { ...LIMITS, perSecond: { shared: 0, reserved: 0 } }
    expect(await stores[0]!.takeTokens!(HOME, 0, 1_000, limits)).toBe(0)
    expect(await stores[1]!.takeTokens!(HOME, 5, 0, limits)).toBe(1)
    expect(await stores[0]!.takeTokens!(HOME, 5, 0, limits)).toBe(0)
  })

  test('requests that do not wait are paid back by the queries after them, for a second at most', async () => {
    await open(1)
    const limits = { ...LIMITS, perSecond: { shared: 20, reserved: 0 } }
    const take = (counted: number) => stores[0]!.takeTokens!(HOME, 5, counted, limits)
    expect(await take(1_000)).toBe(1)
    const countedAt = performance.now()
    await expect.poll(() => take(0), { timeout: 20_000, interval: 10 }).toBe(1)
    expect(performance.now() - countedAt).toBeGreaterThan(900)
  })

  test('merchant accounts have budgets of their own, and a crash of the database begins with full ones', async () => {
    const { take } = await open(1)
    const [store] = stores
    expect(await take(store!, 100)).toBe(5)
    expect(await store!.takeTokens!({ ...HOME, account_number: 'ACC-002' }, 100, 0, LIMITS)).toBe(5)
    await postgres.restart()
    await expect.poll(() => take(store!, 100).catch(() => 0), { timeout: 20_000 }).toBe(5)
  })
})

describe('a process', () => {
  function start(takeShared: (queries: number, counted: number) => Promise<number>) {
    const clock = createTimeline({ wall: null, start: START, settle: () => quiet(() => 0) })
    const queue = createQueryQueue({ clock, log: silentLog, perSecond: 50, takeShared })
    const admitted: number[] = []
    const ask = (count: number) => {
      for (let id = 0; id < count; id++)
        void Promise.resolve(queue.admit(`${id}`, 'due')).then(() => admitted.push(clock.now() - START))
    }
    const later = (ms: number) => quiet(() => 0).then(() => clock.advance(ms))
    return { clock, later, queue, admitted, ask }
  }

  test('starts as many queries as it took tokens', async () => {
    const asked: number[] = []
    const { later, admitted, ask } = start(async (queries) => Math.min(2, asked.push(queries) && queries))
    ask(5)
    await later(SECOND)
    expect(admitted).toEqual([0, 0, 0, 50, 50])
    expect(asked).toEqual([1, 4, 2])
  })

  test('reports the requests that do not wait', async () => {
    let total = 0
    const { later, queue } = start(async (_, counted) => ((total += counted), 0))
    for (let request = 0; request < 7; request++) queue.attempt({ isQuery: false, isRetry: false })
    await later(SECOND)
    expect(total).toBe(7)
  })

  test.each<[string, () => Promise<number>, number]>([
    ['is refused', () => Promise.reject(new Error('The store is away.')), 0],
    ['hangs', () => new Promise<number>(() => {}), SECOND],
  ])('has a budget of its own while the shared one %s', async (_, takeShared, after) => {
    const { later, admitted, ask } = start(takeShared)
    ask(60)
    await later(after + SECOND)
    expect(admitted.length).toBeGreaterThan(40)
    expect(admitted.length).toBeLessThanOrEqual(50)
    expect(admitted[0]).toBe(after)
  })

  test('uses one token that comes late, and lets the others lapse', async () => {
    const pauses = [0, 150]
    const { clock, later, admitted, ask } = start(async (queries) => {
      await clock.sleep(pauses.shift() ?? 0)
      return queries
    })
    ask(4)
    await later(SECOND)
    expect(admitted).toEqual([0, 150, 200, 200])
  })
})
