/** Serves `/metrics` on the port METRICS_PORT. The public server uses another port. */

import type { Clock } from '../clock.ts'
import type { Config } from '../config.ts'
import type { Log } from '../log.ts'
import type { Metrics } from '../metrics.ts'
import type { Store } from '../store.ts'
import { limitConnections, SLOWEST_CLIENT } from './connections.ts'
import { ListenError } from './listen-error.ts'
import { handleOneAtATime } from './pipelining.ts'

interface ListenerDeps {
  config: Config
  store: Store
  clock: Clock
  log: Log
}

interface MetricsListener {
  /** The metrics; absent if METRICS_PORT is not set. */
  metrics?: Metrics
  close(): void
}

/**
 * Starts to serve `/metrics` if METRICS_PORT is set.
 *
 * @throws {ListenError} if the port cannot be used. The store is closed before the error is thrown.
 */
export async function openMetrics({ config, store, clock, log }: ListenerDeps): Promise<MetricsListener> {
  const { metricsPort, host } = config
  if (metricsPort === null) return { close() {} }
  const [{ serve }, { createMetrics }] = await Promise.all([
    import('@hono/node-server'),
    import('../metrics/prometheus.ts'),
  ])
  const metrics = createMetrics({ config, store, clock })
  const fetch = handleOneAtATime((request) => metrics.fetch(request))
  const server = serve(
    { fetch, hostname: host, port: metricsPort, serverOptions: SLOWEST_CLIENT },
    ({ port }) => log.info({ port }, `Metrics are at /metrics on port ${port}.`),
  )
  limitConnections(server, null)
  const error = await new Promise<Error | null>((resolve) => {
    server.once('listening', () => resolve(null))
    server.once('error', resolve)
  })
  if (!error) return { metrics, close: () => void server.close() }
  await store.close()
  throw new ListenError('METRICS_PORT', metricsPort, error)
}
