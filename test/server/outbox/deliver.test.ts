import { expect, test } from 'vitest'

import { createTimeline } from '../../../demo/sandbox/index.ts'
import { silentLog } from '../../../server/log/log.ts'
import { Deliveries, DeliveryError } from '../../../server/outbox/deliver.ts'
import { openStore } from '../../../server/store/open.ts'
import { runWork } from '../../../server/work/work-loop.ts'
import { HOME, newRow, NOW } from '../../support/contracts/stored-rows.ts'
import { createSeededRandom } from '../../support/seeded-random.ts'

import type { StoredEvent } from '../../../server/store/events.ts'

const SECOND = 1_000

type Backend = (event: StoredEvent, sleep: (ms: number) => Promise<void>) => Promise<void> | void

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
  let wasAway = false
  const deliveries = new Deliveries({
    store,
    account: HOME,
    clock,
    log: silentLog,
    metrics: { delivery() {}, breaker: (_, isOpen) => void (wasAway ||= isOpen) },
    randomness: createSeededRandom(1),
    destinations: [
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
  const workers = [deliveries.worker('events'), deliveries.worker('retries')]
  for (const worker of workers) {
    void runWork(worker, { clock, log: silentLog, longestSleepMs: 60_000, storeResponded() {} }, over.signal)
  }

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
  return { clock, tried, delivered, add, wasAway: () => wasAway }
}

const ABSENT = new DeliveryError('The webhook cannot be reached.', 'unreachable', null, '')
const REFUSED = new DeliveryError('The webhook responded with HTTP 500.', 'refused', 500, '')

const hang: Backend = async (_, sleep) => {
  await sleep(15 * SECOND)
  throw ABSENT
}

const isPoisoned = ({ id }: StoredEvent, count: number) => Number(id.slice(1)) < count

test.each<[string, Backend, posts: { before: number; meanwhile: number }]>([
  ['refuses connections', () => Promise.reject(ABSENT), { before: 100, meanwhile: 130 }],
  ['hangs', hang, { before: 1_000, meanwhile: 700 }],
])(
  'a backend that is away and %s is probed, and gets everything within seconds of its return',
  async (_, away, { before, meanwhile }) => {
    let isAway = true
    const backend: Backend = (...args) => (isAway ? away(...args) : undefined)
    const { clock, tried, delivered, add } = await deliver(0, backend)
    await add(0, 2_000)
    await clock.advance(31 * SECOND)
    const first = tried.length
    expect(first).toBeLessThan(before)
    await clock.advance(600 * SECOND)
    // The server sends one probe every five seconds, or every second while probes hang, however many events wait.
    expect(tried.length - first).toBeLessThan(meanwhile)
    isAway = false
    await clock.advance(31 * SECOND)
    expect(new Set(delivered.map(({ id }) => id)).size).toBe(2_000)
    expect(delivered).toHaveLength(2_000)
  },
)

test('a backend that is away is probed every five seconds even if a single event waits', async () => {
  const { clock, tried } = await deliver(1, () => Promise.reject(ABSENT))
  await clock.advance(300 * SECOND)
  const before = tried.length
  await clock.advance(300 * SECOND)
  expect(tried.length - before).toBeGreaterThan(40)
})

test.each<[string, Backend]>([
  ['refuses them', () => Promise.reject(REFUSED)],
  ['hangs', hang],
])(
  'a backend that is sent the events of 40 orders and %s gets the others at once, even if it was silent for an hour',
  async (_, poisoned) => {
    const backend: Backend = (event, sleep) => (isPoisoned(event, 40) ? poisoned(event, sleep) : undefined)
    const { clock, delivered, add } = await deliver(40, backend)
    for (const hours of [0, 1, 2]) {
      await clock.advance(hours * 3_600 * SECOND + 40 * SECOND)
      const now = clock.now()
      await add(40 + hours, 41 + hours)
      await clock.advance(2 * SECOND)
      expect(delivered.at(-1)).toMatchObject({ id: `e${40 + hours}` })
      expect(delivered.at(-1)?.at).toBeLessThanOrEqual(now + SECOND)
    }
  },
)

test('a backend that hangs on the events of 40 orders is not away while it takes others', async () => {
  const backend: Backend = (event, sleep) => (isPoisoned(event, 40) ? hang(event, sleep) : undefined)
  const { clock, add, wasAway } = await deliver(40, backend)
  for (let order = 40; order < 50; order++) {
    await add(order, order + 1)
    await clock.advance(10 * SECOND)
  }

  expect(wasAway()).toBe(false)
})

test('a backend that takes no events of 40 orders is not sent all of them again whenever it has taken another', async () => {
  const backend: Backend = (event, sleep) => (isPoisoned(event, 40) ? hang(event, sleep) : undefined)
  const { clock, tried, add } = await deliver(41, backend)
  await clock.advance(6 * 3_600 * SECOND)
  const before = tried.length
  for (let order = 41; order < 51; order++) {
    await add(order, order + 1)
    await clock.advance(60 * SECOND)
  }

  expect(tried.length - before).toBeLessThan(40 + 10 + 40)
})

test('what has failed while nothing was accepted follows within seconds of what is accepted', async () => {
  let isRefusing = true
  const backend = () => (isRefusing ? Promise.reject(REFUSED) : undefined)
  const { clock, delivered, add } = await deliver(100, backend)
  await clock.advance(5 * 3_600 * SECOND)
  isRefusing = false
  await add(100, 101)
  await clock.advance(15 * SECOND)
  expect(new Set(delivered.map(({ id }) => id)).size).toBe(101)
})

test('while the backend is away, a new event is tried before those that have failed', async () => {
  const { clock, tried, add } = await deliver(30, () => Promise.reject(ABSENT))
  await clock.advance(60 * SECOND)
  await add(30, 33)
  const before = tried.length
  await clock.advance(16 * SECOND)
  expect(
    tried
      .slice(before, before + 3)
      .map(({ id }) => id)
      .toSorted(),
  ).toEqual(['e30', 'e31', 'e32'])
})

test('a delivery in ten that hangs holds up no other', async () => {
  const hangs = ({ id }: StoredEvent) => Number(id.slice(1)) % 10 === 0
  const { clock, delivered, add } = await deliver(0, async (event, sleep) => {
    if (hangs(event)) {
      await hang(event, sleep)
    }
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

test('what follows from an accepted event is tried again if it fails, and the backend gets the event once', async () => {
  let calls = 0

  const failOnce = async () => {
    calls += 1
    await new Promise((resolve) => setImmediate(resolve))
    if (calls === 1) {
      throw new Error('The store is away.')
    }
  }

  const { clock, delivered } = await deliver(1, () => {}, failOnce)
  await clock.advance(600 * SECOND)
  expect(calls).toBe(2)
  expect(delivered.map(({ id }) => id)).toEqual(['e0'])
})
