/**
 * Exports the server's metrics to Prometheus. The rows of the store are counted only when Prometheus requests
 * `/metrics`.
 */

import type { Clock } from '../clock.ts'
import type { Config } from '../config.ts'
import type { Metrics } from '../metrics.ts'
import type { Countable, Store } from '../store.ts'
import type { Registry } from 'prom-client'
import { statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { systemClock } from '../clock.ts'
import { accountOf } from '../engine.ts'
import { createStoreCheck } from '../store/readiness.ts'
import { loadClient, PREFIX } from './client.ts'
import { createCounters } from './counters.ts'

export interface MetricsOptions {
  /** The server's configuration, as returned by `readConfig`. */
  config: Pick<Config, 'environment' | 'gateway' | 'storeUrl'>
  /** The store whose rows are counted. */
  store: Store
  /** Default: the system clock. */
  clock?: Clock
}

export interface PrometheusMetrics extends Metrics {
  /** Handles `GET /metrics`. Serve `/metrics` on a separate port, because the endpoint requires no authentication. */
  fetch: (request: Request) => Promise<Response>
}

const QUEUES = ['transactions', 'events', 'retries'] as const
/** The outcomes that require a check by a person, each with the transaction's kind. */
const WAITING_FOR_A_PERSON = [
  ['checkout', 'jammed'],
  ['checkout', 'review'],
  ['payout', 'needs_attention'],
  ['charge', 'needs_attention'],
  ['airtime', 'needs_attention'],
] as const
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
  const measures = [
    addConnections(register, options),
    addQueues(register, options),
    addDisk(register, options),
  ]
  return {
    ...createCounters(register),
    ...createStates(register),
    fetch: async (request) => {
      if (new URL(request.url).pathname !== '/metrics') return new Response('Not found\n', { status: 404 })
      await Promise.all(measures.map((measure) => measure()))
      return new Response(await register.metrics(), { headers: { 'content-type': register.contentType } })
    },
  }
}

function createStates(register: Registry): Pick<Metrics, 'streams' | 'breaker'> {
  const { Gauge } = loadClient()
  const registers = [register]
  const streams = new Gauge({
    name: `${PREFIX}streams`,
    help: 'Open event streams of pages.',
    registers,
  })
  const breakers = new Gauge({
    name: `${PREFIX}breaker_open`,
    help: '1 while single requests probe the target after failures, 0 while it gets all requests.',
    labelNames: ['target'],
    registers,
  })
  for (const target of ['gateway', 'backend']) breakers.set({ target }, 0)
  return {
    streams: (open) => streams.set(open),
    breaker: (target, isOpen) => breakers.set({ target }, isOpen ? 1 : 0),
  }
}

/**
 * Adds the gauges for the connections in the store's connection pool, if the store has a pool. Returns a function that
 * updates the gauges. The update must run before rows are counted, because counting uses connections too.
 */
function addConnections(register: Registry, { store }: MetricsOptions): () => Promise<void> {
  const { Gauge } = loadClient()
  const registers = [register]
  if (!store.connections) return async () => {}
  const connections = new Gauge({
    name: `${PREFIX}store_connections`,
    help: "Connections of this process's pool.",
    labelNames: ['state'],
    registers,
  })
  const waiting = new Gauge({
    name: `${PREFIX}store_waiting`,
    help: 'Statements that wait for a connection of the pool.',
    registers,
  })
  return async () => {
    const { inUse = 0, idle = 0, waiting: count = 0 } = store.connections?.() ?? {}
    connections.set({ state: 'in_use' }, inUse)
    connections.set({ state: 'idle' }, idle)
    waiting.set(count)
  }
}

/** Adds the gauges that count rows of the store. Returns a function that updates these gauges. */
function addQueues(
  register: Registry,
  { config, store, clock = systemClock }: MetricsOptions,
): () => Promise<void> {
  const { Gauge } = loadClient()
  const account = accountOf(config)
  const registers = [register]
  const count = (what: Countable) => store.count(account, what, MAX_COUNT)
  const due = new Gauge({
    name: `${PREFIX}queue_due`,
    help: `Rows that are due now, up to ${MAX_COUNT}.`,
    labelNames: ['queue'],
    registers,
  })
  const oldest = new Gauge({
    name: `${PREFIX}queue_oldest_due_seconds`,
    help: 'How long the oldest due row has waited for a worker.',
    labelNames: ['queue'],
    registers,
  })
  const undelivered = new Gauge({
    name: `${PREFIX}events_undelivered`,
    help: `Events that the merchant's backend has not accepted yet, up to ${MAX_COUNT}.`,
    registers,
  })
  const attention = new Gauge({
    name: `${PREFIX}attention`,
    help: `Transactions that a person has to look at, up to ${MAX_COUNT}.`,
    labelNames: ['kind', 'outcome'],
    registers,
  })
  const up = new Gauge({
    name: `${PREFIX}store_up`,
    help: '1 if the store could be read and written for this scrape. If it cannot be read, the counts of its rows are absent.',
    registers,
  })
  const checkStore = createStoreCheck(store, clock)

  return async function measure() {
    for (const gauge of [due, oldest, attention]) gauge.reset()
    undelivered.remove()
    try {
      const now = clock.now()
      for (const queue of QUEUES) {
        const next = await store.nextDue(account, queue)
        due.set({ queue }, await count({ of: 'due', queue, now }))
        oldest.set({ queue }, next === null ? 0 : Math.max(0, now - next) / 1_000)
      }
      for (const [kind, outcome] of WAITING_FOR_A_PERSON)
        attention.set({ kind, outcome }, await count({ of: 'outcome', kind, outcome }))
      undelivered.set(await count({ of: 'undelivered' }))
      await checkStore()
      up.set(1)
    } catch {
      up.set(0)
    }
  }
}

/** Adds the gauge for free disk space if the store is a SQLite file. Returns a function that updates the gauge. */
function addDisk(register: Registry, { config }: MetricsOptions): () => Promise<void> {
  const { Gauge } = loadClient()
  const url = config.storeUrl.reveal()
  const path = url.replace(/^sqlite:/, '')
  if (path === url || path === ':memory:') return async () => {}
  const free = new Gauge({
    name: `${PREFIX}store_free_bytes`,
    help: 'Free space of the disk with the SQLite file.',
    registers: [register],
  })
  return async () => {
    const disk = await statfs(dirname(path)).catch(() => null)
    if (disk) free.set(disk.bavail * disk.bsize)
    else free.remove()
  }
}
