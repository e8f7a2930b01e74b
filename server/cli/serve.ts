/** The BFF alone, from environment variables. */

import type { ServerType } from '@hono/node-server'
import type { ExitCode } from './exit-code.ts'
import type { Shell } from './shell.ts'
import { serve } from '@hono/node-server'
import { pino } from 'pino'
import { createApp } from '../app.ts'
import { ConfigError, readConfig } from '../config.ts'
import { EXIT } from './exit-code.ts'
import { openStoreOf } from './store.ts'

/** How long answers under way may take after a signal to stop. */
const DRAIN_MS = 10_000

/** @throws {ConfigError} naming every problem when the configuration cannot be used. */
export async function serveBff({ env }: Shell): Promise<ExitCode> {
  const config = readConfig(env)
  if (!config.orders) {
    throw new ConfigError(['ORDERS_URL or ORDER_SIGNING_KEY is required: it says what an order costs.'])
  }
  const log = pino({ level: config.logLevel })
  const store = openStoreOf(config)
  const app = createApp({ config, store, log })

  const stopping = new AbortController()
  const working = app.work(stopping.signal)
  const server = serve({ fetch: app.fetch, hostname: config.host, port: config.port }, ({ port }) =>
    log.info({ port, environment: config.environment }, `The BFF listens on port ${port}.`),
  )
  const failed = new Promise<Error>((resolve) => server.once('error', resolve))
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort())
  const stopped = new Promise<null>((resolve) =>
    stopping.signal.addEventListener('abort', () => resolve(null), { once: true }),
  )
  const error = await Promise.race([failed, stopped])

  if (error) log.error({ err: error }, `The BFF cannot listen on port ${config.port}.`)
  else log.info({}, 'Stopping: what is under way is finished.')
  stopping.abort()
  await Promise.all([error ? null : close(server), working])
  await store.close()
  return error ? EXIT.unavailable : EXIT.ok
}

function close(server: ServerType): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    if ('closeAllConnections' in server)
      AbortSignal.timeout(DRAIN_MS).addEventListener('abort', () => server.closeAllConnections())
  })
}
