/**
 * The metrics of the server for Prometheus. The rows of the store are counted only when Prometheus requests `/metrics`.
 */

import { statfs } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'

import { KindName, KINDS } from '../api/kind-table.ts'
import { storePlaceOf } from '../config/store-url.ts'
import { endpoints } from '../contract/endpoints.ts'
import { LIMITS } from '../rate-limits/failed-requests.ts'
import { accountOf } from '../store/merchant.ts'
import { createStoreCheck } from '../store/readiness.ts'
import { FOR_A_PERSON } from '../store/transactions.ts'
import { systemClock } from '../work/clock.ts'

import type { Config } from '../config/config.ts'
import type { Countable } from '../store/queues.ts'
import type { Store } from '../store/store.ts'
import type { Clock } from '../work/clock.ts'
import type { Metrics } from './metrics.ts'
import type * as PromClient from 'prom-client'

export interface MetricsOptions {
  /** The server's configuration, as returned by `readConfig`. */
  config: Pick<Config, 'environment' | 'isRehearsal' | 'storeUrl'>
  /** The store whose rows are counted. */
  store: Store
  /** Default: the system clock. */
  clock?: Clock
}

export interface PrometheusMetrics extends Metrics {
  /** Handles `GET /metrics`. Serve `/metrics` on a separate port, because the endpoint requires no authentication. */
  fetch: (request: Request) => Promise<Response>
}

const PREFIX = 'gateway_checkout_'
/** The methods that are labels. Others are `other`: anybody can send any method, and each label takes memory. */
const METHODS: readonly string[] = ['GET', 'HEAD', 'OPTIONS', 'POST']
/** Upper bounds of the histogram buckets, in seconds. */
const EXCHANGE_SECONDS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 4, 8, 16]
const SETTLE_SECONDS = [1, 5, 15, 30, 60, 120, 300, 900, 1_800, 3_600, 21_600, 86_400]
const QUEUES = ['transactions', 'events', 'retries'] as const
/** The outcomes that require a check by a person, each with the transaction's kind. */
const WAITING_FOR_A_PERSON = KindName.options.flatMap((kind) => {
  const outcomes: readonly string[] = KINDS[kind].outcomes
  return FOR_A_PERSON.filter((each) => outcomes.includes(each)).map((outcome) => [kind, outcome] as const)
})
/**
 * Counting stops at this number of rows, so that counting a large backlog does not delay payments. Counting this many
 * rows takes about 2 ms.
 */
const MAX_COUNT = 10_000

/**
 * Creates the metrics for the option `metrics` of `createApp`.
 *
 * @example
 * const metrics = createMetrics({ config, store })
 * const app = createApp({ config, store, orders, metrics })
 * serve({ fetch: metrics.fetch, port: 9464 })
 */
export function createMetrics(options: MetricsOptions): PrometheusMetrics {
  const { collectDefaultMetrics, Registry } = loadClient()
  const register = new Registry()
  collectDefaultMetrics({ register })
  const meters = createMeters(register)
  const measures = [addQueues(meters, options), addDisk(meters, options)]
  return {
    ...createCounters(meters),
    fetch: async (request) => {
      if (new URL(request.url).pathname !== '/metrics') {
        return new Response('Not found\n', { status: 404 })
      }

      await Promise.all(measures.map((measure) => measure()))
      return new Response(await register.metrics(), { headers: { 'content-type': register.contentType } })
    },
  }
}

/** Loads Prometheus' client when metrics are created, because most servers that import this package have no metrics. */
function loadClient(): typeof PromClient {
  return createRequire(import.meta.url)('prom-client')
}

type Meters = ReturnType<typeof createMeters>

/** Returns the functions that create metrics in a registry. */
function createMeters(register: PromClient.Registry) {
  const { Counter, Gauge, Histogram } = loadClient()
  const registers = [register]
  return {
    counter: (name: string, help: string, ...labelNames: string[]) =>
      new Counter({ name: PREFIX + name, help, labelNames, registers }),
    gauge: (name: string, help: string, ...labelNames: string[]) =>
      new Gauge({ name: PREFIX + name, help, labelNames, registers }),
    /** @param buckets The upper bounds of the buckets, in seconds. */
    histogram: (name: string, help: string, buckets: number[], ...labelNames: string[]) =>
      new Histogram({ name: PREFIX + name, help, buckets, labelNames, registers }),
  }
}

/** The metrics of what the server does. */
function createCounters({ counter, gauge, histogram }: Meters): Metrics {
  const requests = counter('requests_total', 'Answered requests.', 'method', 'route', 'status')
  const exchanges = histogram(
    'gateway_seconds',
    'Duration of exchanges with the gateway. code is "ok" or the error code.',
    EXCHANGE_SECONDS,
    'method',
    'path',
    'code',
  )
  const deliveries = histogram(
    'delivery_seconds',
    "Duration of deliveries to the merchant's backend.",
    EXCHANGE_SECONDS,
    'result',
  )
  const skew = gauge(
    'clock_skew_seconds',
    "How far this server's clock is ahead of the gateway's; negative if it is behind. 0 within the time of an exchange.",
  )
  const outcomes = counter('outcomes_total', 'Transactions that reached an outcome.', 'kind', 'outcome')
  const settled = histogram(
    'settle_seconds',
    'Time from the creation of a transaction until it is settled.',
    SETTLE_SECONDS,
    'kind',
  )
  const limited = counter('limited_total', 'Requests that were refused because of a limit.', 'limit')
  const streams = gauge('streams', 'Open event streams of pages.')
  const breakers = gauge(
    'breaker_open',
    '1 while single requests probe the target, or a part of it, after failures, 0 while it gets all requests.',
    'target',
  )
  startAtZero()
  return {
    request: (method, route, status) =>
      requests.inc({ method: METHODS.includes(method) ? method : 'other', route, status }),
    exchange({ method, path, code, ms, skew_ms }) {
      exchanges.observe({ method, path, code: code ?? 'ok' }, ms / 1_000)
      if (skew_ms !== null) {
        skew.set(skew_ms / 1_000)
      }
    },
    delivery: (result, ms) => deliveries.observe({ result }, ms / 1_000),
    outcome: (kind, outcome) => outcomes.inc({ kind, outcome }),
    settled: (kind, ms) => settled.observe({ kind }, ms / 1_000),
    limited: (limit) => limited.inc({ limit }),
    streams: (open) => streams.set(open),
    breaker: (target, isOpen) => breakers.set({ target }, isOpen ? 1 : 0),
  }

  /** Prometheus cannot compute an increase from a missing value. */
  function startAtZero(): void {
    for (const result of ['delivered', 'failed', 'given_up']) {
      deliveries.zero({ result })
    }

    for (const kind of KindName.options) {
      settled.zero({ kind })
      for (const outcome of KINDS[kind].outcomes) {
        outcomes.inc({ kind, outcome }, 0)
      }
    }

    for (const limit of [...Object.keys(LIMITS), 'prompts']) {
      limited.inc({ limit }, 0)
    }

    for (const target of ['gateway', 'backend']) {
      breakers.set({ target }, 0)
    }

    const { method, path } = endpoints.authenticate
    exchanges.zero({ method, path, code: 'gateway_unauthorized' })
  }
}

/** Adds the gauges that count rows of the store. Returns a function that updates these gauges. */
function addQueues({ gauge }: Meters, options: MetricsOptions): () => Promise<void> {
  const { config, store, clock = systemClock } = options
  const account = accountOf(config)
  const count = (what: Countable) => store.count(account, what, MAX_COUNT)
  const due = gauge('queue_due', `Rows that are due now, up to ${MAX_COUNT}.`, 'queue')
  const oldest = gauge(
    'queue_oldest_due_seconds',
    'How long the oldest due row has waited for a worker.',
    'queue',
  )
  const undelivered = gauge(
    'events_undelivered',
    `Events that the merchant's backend has not accepted yet, up to ${MAX_COUNT}.`,
  )
  const attention = gauge(
    'attention',
    `Transactions that a person has to look at, up to ${MAX_COUNT}.`,
    'kind',
    'outcome',
  )
  const up = gauge(
    'store_up',
    '1 if the store could be read and written for this scrape. If it cannot be read, the counts of its rows are absent.',
  )
  const checkStore = createStoreCheck(store, clock)

  return async function measure() {
    for (const gauge of [due, oldest, attention]) {
      gauge.reset()
    }

    undelivered.remove()
    try {
      const now = clock.now()
      for (const queue of QUEUES) {
        const next = await store.nextDue(account, queue)
        due.set({ queue }, await count({ of: 'due', queue, now }))
        oldest.set({ queue }, next === null ? 0 : Math.max(0, now - next) / 1_000)
      }

      for (const [kind, outcome] of WAITING_FOR_A_PERSON) {
        attention.set({ kind, outcome }, await count({ of: 'outcome', kind, outcome }))
      }

      undelivered.set(await count({ of: 'undelivered' }))
      await checkStore()
      up.set(1)
    } catch {
      up.set(0)
    }
  }
}

/** Adds the gauge for free disk space if the store is a SQLite file. Returns a function that updates the gauge. */
function addDisk({ gauge }: Meters, { config }: MetricsOptions): () => Promise<void> {
  const place = storePlaceOf(config.storeUrl)
  if (place.engine !== 'sqlite') {
    return async () => {}
  }

  const free = gauge('store_free_bytes', 'Free space of the disk with the SQLite file.')
  return async () => {
    const disk = await statfs(dirname(place.path)).catch(() => null)
    if (disk) {
      free.set(disk.bavail * disk.bsize)
    } else {
      free.remove()
    }
  }
}
