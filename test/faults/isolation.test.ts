import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { expect, onTestFinished, test, vi } from 'vitest'
import { MERCHANT, start } from '../support/command-line.ts'
import { freePort } from '../support/free-port.ts'
import { ENVIRONMENT, PAYER } from '../support/world.ts'

const POISONED = 1_000
// A delivery that hangs fails after 15 seconds, and is retried.
const QUIET_MS = 50_000
const PAUSE_MS = 300
const OTHERS = 100
const SOON_MS = 2_000
// A start works for its own processor time as well, beside 300 others.
const STARTED_MS = 5_000
const BATCH = 20

// Without FULL, deliveries.test.ts states it of the worker, and slow-lookups.test.ts of orders.
test.runIf(process.env.FULL)(
  'events that are refused or hang, and 300 orders that are looked up slowly, delay no others',
  { timeout: 300_000 },
  async () => {
    const server = await openServer()
    const { delays } = server
    for (const treatment of ['refused', 'endless', 'dripping', 'hanging'])
      await server.startMany(treatment, POISONED)
    await setTimeout(QUIET_MS)
    await server.startOthers()
    await vi.waitFor(() => expect(delays).toHaveLength(OTHERS), { timeout: 20_000, interval: 100 })
    expect(percentile(99, delays)).toBeLessThan(SOON_MS)

    const slow = server.startMany('slow', 300, 300)
    expect(percentile(90, await server.startOthers())).toBeLessThan(STARTED_MS)
    await slow
  },
)

/** Starts the built server, before a shop which treats orders as the beginning of their reference says. */
async function openServer() {
  const shop = new Worker(new URL('isolation-shop.mjs', import.meta.url))
  onTestFinished(async () => void (await shop.terminate()))
  const [ports] = await once(shop, 'message')
  const PORT = String(await freePort())
  const url = `http://127.0.0.1:${PORT}`
  const backend = `http://127.0.0.1:${ports.backend}`
  const env = {
    ...MERCHANT,
    DEFAULT_COUNTRY: 'KE',
    MERCHANT_WEBHOOK_SECRET: ENVIRONMENT.MERCHANT_WEBHOOK_SECRET ?? '',
    MERCHANT_WEBHOOK_URL: `${backend}/webhooks`,
    ORDERS_URL: `${backend}/orders`,
    ORDERS_TOKEN: 'the token of a merchant in a test',
    GATEWAY_BASE_URL: `http://127.0.0.1:${ports.gateway}`,
    GATEWAY_MAX_RPS: '1000',
    PUBLIC_URL: url,
    PORT,
    TRUSTED_PROXIES: 'none',
    STORE_URL: 'sqlite::memory:',
  }
  const server = await start(['serve'], env, /listens on port/)
  onTestFinished(async () => void (await server.stop()))

  /** The time from the commit of each event of the other orders to its acceptance, in milliseconds. */
  const delays: number[] = []
  shop.on('message', ({ ms }) => delays.push(ms))

  /** Starts the checkout of an order, which is then paid. Resolves with the duration of the start in milliseconds. */
  async function startOne(order: string): Promise<number> {
    const startedAt = Date.now()
    const answer = await fetch(`${url}/checkout/initiate`, {
      method: 'POST',
      headers: { accept: 'application/json' },
      body: new URLSearchParams({ order, ...PAYER }),
    })
    if (answer.status !== 201) throw new Error(`${order}: ${answer.status} ${await answer.text()}`)
    return Date.now() - startedAt
  }

  return {
    delays,
    async startMany(name: string, count: number, batch = BATCH): Promise<void> {
      for (let from = 0; from < count; from += batch)
        await Promise.all(Array.from({ length: batch }, (_, index) => startOne(`${name}-${from + index}`)))
    },

    /** Starts checkouts of other orders, one after the other. Resolves with the durations of the starts. */
    async startOthers(): Promise<number[]> {
      const started: Promise<number>[] = []
      for (let order = 0; order < OTHERS; order++) {
        started.push(startOne(`other-${Date.now()}-${order}`))
        await setTimeout(PAUSE_MS)
      }
      return Promise.all(started)
    },
  }
}

function percentile(percent: number, values: number[]): number {
  return (
    values.toSorted((one, other) => one - other)[Math.ceil((values.length * percent) / 100) - 1] ?? Infinity
  )
}
