import { describe, expect, test } from 'vitest'
import type { OutboxEvent } from '../../server/store.ts'
import { createTimeline } from '../../demo/sandbox/index.ts'
import { silentLog } from '../../server/log.ts'
import { noMetrics } from '../../server/metrics.ts'
import { createOutbox } from '../../server/outbox/deliver.ts'
import { openStore } from '../../server/store/open.ts'
import { runWork } from '../../server/work-loop.ts'
import { createSeededRandom } from '../support/seeded-random.ts'
import { HOME, newRow, NOW } from '../support/stored-rows.ts'

const SECOND = 1_000

type Backend = (event: OutboxEvent, sleep: (ms: number) => Promise<void>) => Promise<void> | void

async function deliver(count: number, backend: Backend, onDelivered = async () => {}) {
  let activity = 0
  const settle = async () => {
    for (let quiet = 0, seen = -1; quiet < 4; quiet = activity === seen ? quiet + 1 : 0) {
      seen = activity
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  const clock = createTimeline({ wall: null, start: NOW, settle })
  const store = openStore('sqlite::memory:')
  const tried: { id: string; at: number }[] = []
  const delivered: { id: string; at: number }[] = []
  const workers = createOutbox({
    store,
    account: HOME,
    clock,
    log: silentLog,
    metrics: noMetrics,
    randomness: createSeededRandom(1),
    sinks: [
      async (event) => {
        activity += 1
        tried.push({ id: event.id, at: clock.now() })
        await backend(event, (ms) => clock.sleep(ms))
        activity += 1
        delivered.push({ id: event.id, at: clock.now() })
      },
    ],
    onDelivered,
  })
  const over = new AbortController()
  for (const worker of workers)
    void runWork(worker, { clock, log: silentLog, longestSleepMs: 60_000, storeResponded() {} }, over.signal)
  const add = async (from: number, to: number) => {
    for (let number = from; number < to; number++) {
      const id = `t${number}`
      await store.insert(newRow(id, { due_at: null }))
      const event = { id: `e${number}`, type: 'checkout.paid', body: '{}' }
      await store.commit(id, 1, { at: clock.now(), record: 1, events: [event] })
    }
    await settle()
  }
  await add(0, count)
  return { clock, tried, delivered, add }
}

describe('a backend that is away', () => {
  const away = { is: true }
  const backend = () => {
    if (away.is) throw new Error('Connection refused.')
  }

  test('is probed with single deliveries, and gets everything within seconds of its return', async () => {
    const { clock, tried, delivered } = await deliver(300, backend)
    const before = tried.length
    expect(before).toBeLessThan(100)
    await clock.advance(600 * SECOND)
    // The server tries one delivery every five seconds, however many events wait.
    expect(tried.length - before).toBeLessThan(130)
    away.is = false
    await clock.advance(20 * SECOND)
    expect(new Set(delivered.map(({ id }) => id)).size).toBe(300)
    expect(delivered).toHaveLength(300)
  })
})

test('a delivery in ten that hangs holds up no other', async () => {
  const hangs = ({ id }: OutboxEvent) => Number(id.slice(1)) % 10 === 0
  const { clock, delivered, add } = await deliver(0, async (event, sleep) => {
    if (!hangs(event)) return
    await sleep(15 * SECOND)
    throw new Error('No answer.')
  })
  for (let second = 0; second < 30; second++) {
    await add(second * 20, second * 20 + 20)
    await clock.advance(SECOND)
  }
  expect(delivered).toHaveLength(30 * 18)
  const late = delivered.filter(
    ({ id, at }) => at > NOW + (Math.floor(Number(id.slice(1)) / 20) + 2) * SECOND,
  )
  expect(late).toEqual([])
})

test('an error after a delivery is not counted as absence of the backend', async () => {
  const fail = () => Promise.reject(new Error('The record cannot be read.'))
  const { delivered } = await deliver(100, () => {}, fail)
  expect(new Set(delivered.map(({ id }) => id)).size).toBe(100)
})
