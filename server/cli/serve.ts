/** The BFF alone, from environment variables. */

import type { ServerType } from '@hono/node-server'
import type { Environment } from '../config.ts'
import { serve } from '@hono/node-server'
import { dirname } from 'node:path'
import { createRequire } from 'node:module'
import { pino } from 'pino'
import { createApp } from '../app.ts'
import { ConfigError, readConfig } from '../config.ts'
import { openStore } from '../store/open.ts'

/** How long answers under way may take after a signal to stop. */
const DRAIN_MS = 10_000

/** Exit code 78 (EX_CONFIG) and every problem on standard error when the configuration cannot be used. */
export async function serveBff(env: Environment): Promise<void> {
  const config = readConfigOrExit(env)
  if (!config) return
  const log = pino({ level: config.logLevel })
  const store = openStore(config.storeUrl)
  const app = createApp({ config, store, log, widgetFolder: findWidget() })

  const stopping = new AbortController()
  const working = app.work(stopping.signal)
  const server = serve({ fetch: app.fetch, hostname: config.host, port: config.port }, ({ port }) =>
    log.info({ port, environment: config.environment }, `The BFF listens on port ${port}.`),
  )
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort())
  await new Promise<void>((resolve) =>
    stopping.signal.addEventListener('abort', () => resolve(), { once: true }),
  )

  log.info({}, 'Stopping: what is under way is finished.')
  await Promise.all([close(server), working])
  await store.close()
}

function readConfigOrExit(env: Environment) {
  try {
    return readConfig(env)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    console.error(error.message)
    process.exitCode = 78
    return null
  }
}

/** The widget of the same version lies in the package beside this one. */
function findWidget(): string {
  return dirname(createRequire(import.meta.url).resolve('gateway-checkout/gateway-checkout.js'))
}

function close(server: ServerType): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    if ('closeAllConnections' in server)
      AbortSignal.timeout(DRAIN_MS).addEventListener('abort', () => server.closeAllConnections())
  })
}
