/**
 * The world of most tests: a server, a sandbox and a merchant's backend on one virtual clock. Their variables and addresses
 * are in `environment.ts`, and `env` of {@link WorldOptions} replaces some of them.
 */

import { Webhook } from 'standardwebhooks'

import { createSandbox, createTimeline } from '../../../demo/sandbox/index.ts'
import { createAppWith } from '../../../server/app.ts'
import { readConfig } from '../../../server/config/config.ts'
import { createApp } from '../../../server/every-feature.ts'
import { FEATURES } from '../../../server/features.ts'
import { loadKind } from '../../../server/load-kind.ts'
import { silentLog } from '../../../server/log/log.ts'
import { openStore } from '../../../server/store/open.ts'
import { createPortalAddress } from '../../../server/transactions/callback-address.ts'
import { quiet } from '../quiet.ts'
import { createSeededRandom } from '../seeded-random.ts'
import { CHARGE_DIALECTS } from '../spec/charge-dialects.ts'
import { counting } from './counting-store.ts'
import { API_KEY, BACKEND, BFF, ENVIRONMENT, GATEWAY, SECRET, SHOP } from './environment.ts'
import { createNetwork } from './network.ts'
import { ownStore } from './own-store.ts'
import { PAYOUT_PATHS, PAYOUTS } from './payable.ts'
import { control, posted } from './sandbox-line.ts'

import type { ChargeDialect } from '../../../demo/sandbox/index.ts'
import type { Chapter } from '../../../server/api/kind-table.ts'
import type { TrackedPayout } from '../../../server/api/payout.ts'
import type { CheckoutView } from '../../../server/api/view.ts'
import type { AppOptions } from '../../../server/app.ts'
import type { Environment } from '../../../server/config/variables.ts'
import type { FetchInit } from '../../../server/http/exchange.ts'
import type { Metrics } from '../../../server/metrics/metrics.ts'
import type { OrderInput } from '../../../server/orders/order.ts'
import type { Feature } from '../../../server/routes/feature.ts'
import type { Store } from '../../../server/store/store.ts'
import type { Transaction } from '../../../server/store/transactions.ts'
import type { PayoutType } from './payable.ts'

export const START = Date.UTC(2026, 10, 21, 9)

export interface DeliveredEvent<Data = CheckoutView> {
  /** The time of delivery, in milliseconds since the creation of the world. */
  at: number
  id: string
  type: string
  data: Data
}

export interface WorldOptions {
  seed?: number
  /** How the sandbox serves charges. Default: `spec`. */
  charges?: ChargeDialect
  env?: Environment
  backend?: (event: DeliveredEvent) => Response
  ordersFromConfig?: boolean
  store?: Store
  metrics?: Metrics
  /** What the BFF does. Default: everything. */
  features?: readonly Feature[]
  /** Answers requests to the gateway. The sandbox answers the requests for which this function returns nothing. */
  gateway?: (url: string, init: FetchInit) => Response | undefined | Promise<Response | undefined>
}

export type World = Awaited<ReturnType<typeof createWorld>>

/**
 * Creates a BFF, a sandbox and a merchant's backend in one process, connected by a simulated network. All three use one
 * virtual clock, which the tests advance.
 */
export async function createWorld(options: WorldOptions = {}) {
  const { seed = 1, charges = 'spec', env = {}, backend, ordersFromConfig, metrics } = options
  let store = options.store ?? openStore('sqlite::memory:')
  let features = options.features ?? FEATURES
  const random = createSeededRandom(seed, 'world')
  const ids = createSeededRandom(seed, 'bff')
  const orders = new Map<string, OrderInput>()
  const delivered: DeliveredEvent[] = []
  const logged: { level: string; facts: object; message: string }[] = []
  const requests: { method: string; path: string; body: string }[] = []
  const inserted: string[] = []
  const traceparents: Record<'gateway' | 'merchant', (string | undefined)[]> = { gateway: [], merchant: [] }
  let activity = 0
  let alter: ((text: string) => string) | null = null
  const bffClock = { aheadMs: 0 }

  const config = readConfig({ ...ENVIRONMENT, ...CHARGE_DIALECTS[charges].env, ...env })
  // Virtual time stands still while another process works for the store.
  const calls = { running: 0 }
  const settle = () =>
    quiet(
      () => activity + network.traffic(),
      () => calls.running > 0,
    )
  const timeline = createTimeline({ wall: null, start: START, settle })
  const network = createNetwork(timeline, random)
  const sandbox = createSandbox({
    timeline,
    seed,
    publicUrl: GATEWAY,
    charges,
    fetch: network.connect('callbacks', (url, init) => bff.fetch(url, init)),
    portal: {
      charge_callback_url: createPortalAddress('charges', config).url,
      airtime_callback_url: createPortalAddress('airtime', config).url,
    },
  })
  const gateway = network.connect('gateway', async (url, init) => {
    traceparents.gateway.push(init.headers['traceparent'])
    requests.push({ method: init.method, path: new URL(url).pathname, body: init.body ?? '' })
    const answer = (await options.gateway?.(url, init)) ?? (await sandbox.app.request(url, init))
    return alter === null ? answer : new Response(alter(await answer.text()), answer)
  })
  const merchant = network.connect('merchant', (_, init) => receiveEvent(init))
  const fetch = (url: string, init: FetchInit) => (url === BACKEND ? merchant(url, init) : gateway(url, init))
  let bff = boot()

  function boot() {
    const life = new AbortController()
    const alive =
      <A extends unknown[], R>(work: (...args: A) => R | Promise<R>) =>
      async (...args: A): Promise<R> => {
        activity += 1
        if (life.signal.aborted) {
          return new Promise(() => {})
        }

        const result = await work(...args)
        return life.signal.aborted ? new Promise(() => {}) : result
      }
    const app = createAppWith(
      { features, loadKind },
      {
        config,
        store: ownStore(counting(store, calls), alive, inserted),
        fetch: alive(fetch),
        clock: {
          now: () => timeline.now() + bffClock.aheadMs,
          sleep: (ms, signal) => timeline.sleep(ms, signal),
        },
        randomness: ids,
        log: { debug: log('debug'), info: log('info'), warn: log('warn'), error: log('error') },
        metrics,
        longestSleepMs: 24 * 3_600_000,
        ...(ordersFromConfig ? {} : { orders: (reference: string) => orders.get(reference) ?? null }),
      },
    )
    void app.work(life.signal)
    return {
      fetch: alive((url: string, init: RequestInit) => app.request(url, init)),
      crash: () => life.abort(),
    }
  }

  function log(level: string) {
    return (facts: object, message: string) => void logged.push({ level, facts, message })
  }

  function receiveEvent(init: FetchInit): Response {
    traceparents.merchant.push(init.headers['traceparent'])
    const body = init.body ?? ''
    const id = init.headers['webhook-id'] ?? ''
    const timestamp = new Date(Number(init.headers['webhook-timestamp']) * 1000)
    const expected = new Webhook(SECRET).sign(id, timestamp, body)
    const isSigned = init.headers['webhook-signature']?.split(' ').includes(expected)
    if (!isSigned) {
      return new Response('forged', { status: 401 })
    }

    const event: DeliveredEvent = { at: timeline.now() - START, id, ...JSON.parse(body) }
    const answer = backend?.(event) ?? new Response(null, { status: 204 })
    if (answer.ok) {
      delivered.push(event)
    }
    return answer
  }

  async function ask(path: string, init: RequestInit = {}): Promise<Response> {
    let answer: Response | undefined
    const asked = bff.fetch(`${BFF}${path}`, init).then((given) => (answer = given))
    for (let waited = 0; !answer && waited < 300; waited++) {
      await settle()
      if (answer) {
        break
      }
      // Real time passes while another thread verifies signatures and while locales load.
      if (ordersFromConfig || waited > 20) {
        await new Promise((resolve) => setTimeout(resolve, 2))
      }

      await timeline.advance(500)
    }

    if (!answer) {
      throw new Error(`${path} was not answered within 150 seconds.`)
    }
    return asked
  }

  const world = {
    random,
    timeline,
    network,
    sandbox,
    store,
    orders,
    delivered,
    logged,
    traceparents,
    settle,
    /** The BFF's clock, which is `aheadMs` milliseconds ahead of the virtual clock. */
    bffClock,
    /** Sends a request to the BFF and advances the virtual clock until the response arrives. */
    ask,

    order(reference: string, amount: string | number = '500', fields: Partial<OrderInput> = {}) {
      orders.set(reference, { order: reference, amount, currency: 'KES', narration: 'Two kangas', ...fields })
    },

    initiate(order: string, fields: Record<string, string> = {}): Promise<Response> {
      const page = { return_url: `${SHOP}/basket`, ...fields }
      return ask('/checkout/initiate', formOf(order, page, { origin: SHOP }))
    },

    async start(order: string, fields: Record<string, string> = {}): Promise<CheckoutView> {
      const answer = await world.initiate(order, fields)
      if (!answer.ok) {
        throw new Error(`initiate: ${answer.status} ${await answer.text()}`)
      }
      return answer.json()
    },

    async status(checkoutId: string): Promise<CheckoutView> {
      return (await ask(`/checkout/status/${checkoutId}`)).json()
    },

    callbackPath({ merchant_transaction_id }: CheckoutView): string {
      const sent = requests.find(({ body }) => body.includes(merchant_transaction_id))
      return new URL(JSON.parse(sent?.body ?? '').callback_url).pathname
    },

    portalToken: (chapter: Chapter) =>
      new URL(createPortalAddress(chapter, config).url).pathname.split('/')[3],

    async pay(
      { merchant_transaction_id }: Pick<CheckoutView, 'merchant_transaction_id'>,
      scenario: string,
      fields: object = {},
    ) {
      const answer = await control(sandbox, `/checkouts/${merchant_transaction_id}/pay`, {
        scenario,
        ...fields,
      })
      await settle()
      return answer
    },

    async later(ms: number): Promise<void> {
      await timeline.advance(ms)
      await settle()
    },

    /** Changes the bodies of all further responses of the gateway. */
    alterAnswers: (altered: (text: string) => string) => void (alter = altered),

    gatewayBodies: (): string[] => requests.map(({ body }) => body),

    gatewayExchanges: () => [...requests],

    gatewayRequests: (): string[] => requests.map(({ method, path }) => `${method} ${path}`),

    control: (path: string, body: object) => control(sandbox, path, body),

    /** Starts the BFF again with other features. */
    async restartWith(...other: readonly Feature[]): Promise<void> {
      features = other
      await world.restart()
    },

    async restart(other: () => Store | Promise<Store> = () => store): Promise<void> {
      bff.crash()
      await settle()
      store = await other()
      bff = boot()
      await settle()
    },

    /** Lets time pass while no BFF runs: what it would have tried again and again meanwhile is tried once, after it. */
    async laterWithoutServer(ms: number): Promise<void> {
      bff.crash()
      await world.later(ms)
      bff = boot()
      await settle()
    },

    api(path: string, body?: unknown, more: Record<string, string> = {}): Promise<Response> {
      const headers = { authorization: `Bearer ${API_KEY}`, ...more }
      return ask(`/api${path}`, body === undefined ? { headers } : posted(body, headers))
    },

    async payOut(type: PayoutType, fields: object = {}): Promise<TrackedPayout> {
      const answer = await world.api(PAYOUT_PATHS[type], { ...PAYOUTS[type], ...fields })
      if (!answer.ok) {
        throw new Error(`${answer.status} ${await answer.text()}`)
      }
      return answer.json()
    },

    async payout(reference: string): Promise<TrackedPayout> {
      return (await world.api(`/payouts/${reference}`)).json()
    },

    /** Another server on the store, whose work does not run. The network between it and the sandbox has no faults. */
    replica: (more: Partial<AppOptions> = {}) =>
      createApp({
        config,
        store,
        orders: (reference) => orders.get(reference) ?? null,
        fetch: (url, init) => sandbox.app.request(url, init),
        clock: timeline,
        randomness: createSeededRandom(2),
        log: silentLog,
        ...more,
      }),

    types: () => delivered.map(({ type }) => type),

    async rows(): Promise<Transaction[]> {
      return (await Promise.all(inserted.map((id) => store.find(id)))).filter((row) => row !== null)
    },
  }

  return world
}

export const PAYER = {
  payer_name: 'Asha Otieno',
  payer_email: 'asha@example.com',
  payer_msisdn: '0700000001',
}

/** The request of a plain form that starts the checkout of an order. */
export const formOf = (
  order: string,
  fields: Record<string, string> = {},
  headers: Record<string, string> = {},
) => ({
  method: 'POST',
  headers: { accept: 'application/json', ...headers },
  body: new URLSearchParams({ order, ...PAYER, ...fields }),
})
