import { expect, test } from 'vitest'
import type { AppOptions } from '../../server/app.ts'
import type { Store } from '../../server/store/store.ts'
import type { World } from '../support/world.ts'
import { createApp } from '../../server/app.ts'
import { readConfig } from '../../server/config/config.ts'
import { silentLog } from '../../server/log/log.ts'
import { openStore } from '../../server/store/open.ts'
import { CHARGE } from '../support/chargeable.ts'
import { PAYOUT_PATHS, PAYOUTS } from '../support/payable.ts'
import { createSeededRandom } from '../support/seeded-random.ts'
import { airtime } from '../support/spec-airtime.ts'
import { API_KEY, BFF, createWorld, ENVIRONMENT, PAYER } from '../support/world.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const SPLITS = [{ account: 'PARTNER-001', amount: 300, reason: 'Cloth' }]

/** A moment at which a process is stopped, until `wake` is called. */
function createStop() {
  let [reached, wake] = [() => {}, () => {}]
  const isReached = new Promise<void>((resolve) => (reached = resolve))
  const asleep = new Promise<void>((resolve) => (wake = resolve))
  const sleep = () => {
    reached()
    return asleep
  }
  return { isReached, sleep, wake: () => wake() }
}

/** Creates a process that will be stopped, on the store of a world whose process goes on. */
async function openProcess(options: (others: World, sleep: () => Promise<void>) => Partial<AppOptions>) {
  const others = await createWorld({ store: openStore('sqlite::memory:') })
  const stop = createStop()
  const app = createApp({
    config: readConfig({ ...ENVIRONMENT, GATEWAY_CHARGE_METHODS: 'MOMO_KEN=MoMo:25470' }),
    store: others.store,
    orders: () => null,
    fetch: (url, init) => others.sandbox.app.request(url, init),
    clock: others.timeline,
    randomness: createSeededRandom(2),
    log: silentLog,
    ...options(others, stop.sleep),
  })
  return {
    others,
    stoppedFor: async (ms: number, path: string, init: RequestInit) => {
      const answered = app.request(`${BFF}${path}`, { method: 'POST', ...init })
      await stop.isReached
      await others.settle()
      await others.later(ms)
      stop.wake()
      await others.later(10 * SECOND)
      await answered
    },
  }
}

/** Returns a store which has stored a send when `sleep` is called, and then answers. */
function stoppingAtSend(store: Store, sleep: () => Promise<void>): Store {
  return {
    ...store,
    async commit(id, version, change) {
      const saved = await store.commit(id, version, change)
      if (change.sent_at !== undefined) await sleep()
      return saved
    },
  }
}

const api = (body: object): RequestInit => ({
  headers: { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json' },
  body: JSON.stringify(body),
})
const start = (fields: object = {}): RequestInit => ({
  headers: { accept: 'application/json' },
  body: new URLSearchParams({ order: 'A-1', ...PAYER, ...fields }),
})
const PAYOUT = `/api${PAYOUT_PATHS.local}`

test.each<[string, path: string, init: RequestInit, splits: typeof SPLITS]>([
  ['a charge', '/api/charges', api(CHARGE), []],
  ['airtime', '/api/airtime', api(airtime), []],
  ['a payout', PAYOUT, api(PAYOUTS.local), []],
  ['a checkout', '/checkout/initiate', start(), []],
  ['a checkout with splits', '/checkout/initiate', start(), SPLITS],
  ['a prompt', '/checkout/initiate', start({ method: 'prompt' }), []],
])(
  '%s is not sent by a process that was stopped when it had stored the send',
  async (_, path, init, splits) => {
    const sent: string[] = []
    const { others, stoppedFor } = await openProcess(({ store, sandbox }, sleep) => ({
      store: stoppingAtSend(store, sleep),
      orders: (order) => ({ order, amount: '500', currency: 'KES', narration: 'Two kangas', splits }),
      fetch(url, request) {
        if (request.method === 'POST') sent.push(new URL(url).pathname)
        return sandbox.app.request(url, request)
      },
    }))
    await stoppedFor(4 * MINUTE, path, init)
    expect(sent).toEqual(['/v1/auth'])
    await others.store.close()
  },
)

test('an answer that a stopped process reads after a payout was sent again does not count', async () => {
  const rejection = {
    payout_reference: 'P-1',
    response_code: 721,
    response_description: 'Rejected',
    error_code: 'NO',
  }
  const { others, stoppedFor } = await openProcess(({ sandbox, timeline }, sleep) => ({
    // The deadline passes while the process is stopped, and the answer is read first.
    clock: { now: () => timeline.now(), sleep: () => new Promise(() => {}) },
    async fetch(url, request) {
      if (!url.endsWith('/initiate')) return sandbox.app.request(url, request)
      await sleep()
      return new Response(JSON.stringify(rejection))
    },
  }))
  await others.control('/faults', { route: '/v1/payouts/initiate', fault: 'answer_lost', next: 1 })
  others.network.reliability.callbacks = { ...others.network.reliability.callbacks, requestLost: 1 }
  await stoppedFor(130 * SECOND, PAYOUT, api(PAYOUTS.local))
  const { transactions } = await (await others.api('/history/P-1')).json()
  const history = transactions[0].history.map(({ what }: { what: string }) => what)
  expect(history).toContainEqual(expect.stringContaining('does not count'))
  await others.later(MINUTE)
  expect(others.types()).toEqual(['payout.succeeded'])
  await others.store.close()
})
