import { setTimeout } from 'node:timers/promises'
import { describe, expect, test, vi } from 'vitest'
import { openIsolationWorld } from './isolation-world.ts'
import type { IsolationWorld } from './isolation-world.ts'

// A delivery that hangs fails after 15 seconds, and a handler that hangs after 30. Only FULL waits for retries of them.
const isFull = Boolean(process.env.FULL)
const POISONED = isFull ? 1_000 : 40
const QUIET_MS = isFull ? 50_000 : 0
const MISSED = isFull ? 2_000 : 100
const OUTAGE_MS = isFull ? 60_000 : 1_000
const OTHERS = 100
const PAUSE_MS = isFull ? 300 : 40
const SOON_MS = 2_000
// A start works for its own processor time as well, beside 300 others.
const STARTED_MS = 5_000
const EVENTUALLY = { timeout: 20_000, interval: 100 }
const TIMEOUT = { timeout: 300_000 }
const BATCH = 20

const WEBHOOK = { orders: 'url', events: 'webhook' } as const
const FUNCTIONS = { orders: 'function', events: 'handler' } as const
const TOGETHER = [
  { merchant: WEBHOOK, treatments: ['refused', 'endless', 'dripping', 'hanging'] },
  { merchant: FUNCTIONS, treatments: ['refused', 'hanging'] },
]
const APART = TOGETHER.flatMap(({ merchant, treatments }) =>
  treatments.map((treatment) => ({ merchant, treatments: [treatment] })),
)

describe.concurrent('events that are not accepted delay no others', TIMEOUT, () => {
  test.for(isFull ? APART : TOGETHER)(
    'by a $merchant.events: $treatments',
    async ({ merchant, treatments }, { onTestFinished }) => {
      const world = await openIsolationWorld(merchant)
      onTestFinished(() => world.close())
      for (const treatment of treatments) await startMany(world, treatment, POISONED)
      await setTimeout(QUIET_MS)
      await startOthers(world)
      await vi.waitFor(() => expect(world.delays.size).toBe(OTHERS), EVENTUALLY)
      expect(percentile(99, [...world.delays.values()])).toBeLessThan(SOON_MS)
    },
  )
})

describe('300 starts whose orders are looked up slowly delay no others', TIMEOUT, () => {
  test.for([WEBHOOK, FUNCTIONS])('by a $orders', async (merchant, { onTestFinished }) => {
    const world = await openIsolationWorld(merchant)
    onTestFinished(() => world.close())
    await startMany(world, 'first', BATCH)
    const slow = startMany(world, 'slow', 300, 300)
    const others = await startOthers(world)
    expect(percentile(90, others)).toBeLessThan(STARTED_MS)
    await slow
  })
})

test('all events are delivered within seconds after an outage of the backend', TIMEOUT, async () => {
  const world = await openIsolationWorld({ orders: 'function', events: 'webhook' })
  try {
    world.setBackend(false)
    await startMany(world, 'missed', MISSED)
    await setTimeout(OUTAGE_MS)
    expect(world.delays.size).toBe(0)
    world.setBackend(true)
    await vi.waitFor(() => expect(world.delays.size).toBe(MISSED), EVENTUALLY)
  } finally {
    await world.close()
  }
})

async function startMany(world: IsolationWorld, name: string, count: number, batch = BATCH): Promise<void> {
  for (let from = 0; from < count; from += batch)
    await Promise.all(Array.from({ length: batch }, (_, index) => world.start(`${name}-${from + index}`)))
}

/** Starts checkouts of other orders, one after the other. Resolves with the durations of the starts. */
async function startOthers(world: IsolationWorld): Promise<number[]> {
  const started: Promise<number>[] = []
  for (let order = 0; order < OTHERS; order++) {
    started.push(world.start(`other-${order}`))
    await setTimeout(PAUSE_MS)
  }
  return Promise.all(started)
}

function percentile(percent: number, values: number[]): number {
  return (
    values.toSorted((one, other) => one - other)[Math.ceil((values.length * percent) / 100) - 1] ?? Infinity
  )
}
