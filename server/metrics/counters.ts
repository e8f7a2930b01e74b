/** The counters and histograms of what the server does. */

import type { Metrics } from '../metrics.ts'
import type { Registry } from 'prom-client'
import { AIRTIME_OUTCOMES } from '../api/airtime.ts'
import { TRACKED_OUTCOMES } from '../api/tracked.ts'
import { OUTCOMES } from '../api/view.ts'
import { endpoints } from '../contract/endpoints.ts'
import { LIMITS } from '../limits/limiter.ts'
import { loadClient, PREFIX } from './client.ts'

const OUTCOMES_OF = {
  checkout: OUTCOMES,
  payout: TRACKED_OUTCOMES,
  charge: TRACKED_OUTCOMES,
  airtime: AIRTIME_OUTCOMES,
} as const satisfies Record<string, readonly string[]>
const METHODS: readonly string[] = ['GET', 'HEAD', 'OPTIONS', 'POST']
/** Upper bounds of the histogram buckets, in seconds. */
const EXCHANGE_SECONDS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 4, 8, 16]
const SETTLE_SECONDS = [1, 5, 15, 30, 60, 120, 300, 900, 1_800, 3_600, 21_600, 86_400]

export function createCounters(register: Registry): Omit<Metrics, 'streams' | 'breaker'> {
  const { Counter, Histogram } = loadClient()
  const registers = [register]
  const countRequest = addRequests(register)
  const exchanges = new Histogram({
    name: `${PREFIX}gateway_seconds`,
    help: 'Duration of exchanges with the gateway. code is "ok" or the error code.',
    labelNames: ['method', 'path', 'code'],
    buckets: EXCHANGE_SECONDS,
    registers,
  })
  const deliveries = new Histogram({
    name: `${PREFIX}delivery_seconds`,
    help: "Duration of deliveries to the merchant's backend.",
    labelNames: ['result'],
    buckets: EXCHANGE_SECONDS,
    registers,
  })
  const outcomes = new Counter({
    name: `${PREFIX}outcomes_total`,
    help: 'Transactions that reached an outcome.',
    labelNames: ['kind', 'outcome'],
    registers,
  })
  const settled = new Histogram({
    name: `${PREFIX}settle_seconds`,
    help: 'Time from the creation of a transaction until it is settled.',
    labelNames: ['kind'],
    buckets: SETTLE_SECONDS,
    registers,
  })
  const limited = new Counter({
    name: `${PREFIX}limited_total`,
    help: 'Requests that were refused because of a limit.',
    labelNames: ['limit'],
    registers,
  })
  // Starts each time series at 0, because Prometheus cannot compute an increase from a missing value.
  for (const result of ['delivered', 'failed', 'given_up']) deliveries.zero({ result })
  for (const [kind, names] of Object.entries(OUTCOMES_OF)) {
    settled.zero({ kind })
    for (const outcome of names) outcomes.inc({ kind, outcome }, 0)
  }
  for (const limit of Object.keys(LIMITS)) limited.inc({ limit }, 0)
  const { method, path } = endpoints.authenticate
  exchanges.zero({ method, path, code: 'gateway_unauthorized' })
  return {
    request: countRequest,
    exchange: ({ method, path, code, ms }) =>
      exchanges.observe({ method, path, code: code ?? 'ok' }, ms / 1_000),
    delivery: (result, ms) => deliveries.observe({ result }, ms / 1_000),
    outcome: (kind, outcome) => outcomes.inc({ kind, outcome }),
    settled: (kind, ms) => settled.observe({ kind }, ms / 1_000),
    limited: (limit) => limited.inc({ limit }),
  }
}

/**
 * Adds the counter of requests to this server. For speed, the counts are passed to the library `prom-client` only when
 * Prometheus requests `/metrics`.
 */
function addRequests(register: Registry): Metrics['request'] {
  const { Counter } = loadClient()
  const counts = new Map<string, { labels: Record<string, string | number>; count: number }>()
  new Counter({
    name: `${PREFIX}requests_total`,
    help: 'Answered requests.',
    labelNames: ['method', 'route', 'status'],
    registers: [register],
    collect() {
      this.reset()
      for (const { labels, count } of counts.values()) this.inc(labels, count)
    },
  })
  return (given, route, status) => {
    const method = METHODS.includes(given) ? given : 'other'
    const key = `${method} ${status} ${route}`
    const known = counts.get(key)
    if (known) known.count += 1
    else counts.set(key, { labels: { method, route, status }, count: 1 })
  }
}
