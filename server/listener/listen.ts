/**
 * Creates the app, runs its workers, and serves it over HTTP with limits on connections. Both `start` and the command
 * `serve` run the server this way.
 */

import type { AddressInfo } from 'node:net'
import type { ServerType } from '@hono/node-server'
import type { App, AppOptions } from '../app.ts'
import type { Clock } from '../clock.ts'
import type { Fetch } from '../exchange.ts'
import type { Log } from '../log.ts'
import { createApp } from '../app.ts'
import { silentLog } from '../log.ts'
import { createClientNetwork } from '../routes/client-network.ts'
import { limitConnections, SLOWEST_CLIENT, slowRefusals } from './connections.ts'
import { closeAfterResponses, createAbortableFetch, drain } from './drain.ts'
import { fairTurns } from './fair-turns.ts'
import { ListenError } from './listen-error.ts'
import { openMetrics } from './metrics-listener.ts'
import { handleOneAtATime } from './pipelining.ts'

export interface ListenOptions extends Pick<AppOptions, 'config' | 'store' | 'orders' | 'onEvent'> {
  fetch: Fetch
  clock: Clock
  log: Log
}

export interface Listening {
  port: number
  /**
   * Completes open requests, ends the workers and closes the store. Calls `exit` if this takes longer than 7.5 seconds.
   */
  stop(exit: () => void): Promise<void>
}

/**
 * Starts the server. Resolves when the server listens.
 *
 * @throws {ListenError} if a port cannot be used. The store is closed before the error is thrown.
 */
export async function listen({ fetch: send, ...options }: ListenOptions): Promise<Listening> {
  const { config, store, clock, log } = options
  const { serve } = await import('@hono/node-server')
  const { metrics, ...metricsListener } = await openMetrics({ config, store, clock, log })
  const { fetch, abort: abortRequests } = createAbortableFetch(send)
  const app = createApp({ ...options, metrics, fetch })
  const closing = new AbortController()
  const working = app.work(closing.signal)
  const server = serve({
    fetch: limitClients(app, options),
    hostname: config.host,
    port: config.port,
    serverOptions: SLOWEST_CLIENT,
  })
  limitConnections(server, config.trustedProxies)
  const closeConnections = closeAfterResponses(server)
  const error = await failureOf(server)
  if (error) {
    closing.abort()
    metricsListener.close()
    await working
    await store.close()
    throw new ListenError('PORT', config.port, error)
  }
  const { port } = server.address() as AddressInfo
  log.info({ port, environment: config.environment }, `The payment server listens on port ${port}.`)

  return {
    port,
    async stop(exit) {
      log.info({}, 'Stopping: open requests are completed first.')
      closing.abort()
      metricsListener.close()
      closeConnections()
      await drain({ clock, server, working, store, abortRequests, exit })
    },
  }
}

function limitClients(app: App, { config, clock }: Pick<ListenOptions, 'config' | 'clock'>) {
  // The app itself warns about headers of proxies that are not trusted.
  const clientNetwork = createClientNetwork(config.trustedProxies, silentLog)
  return handleOneAtATime(fairTurns(slowRefusals(app.fetch, clock), clientNetwork, clock))
}

/** Resolves with `null` when the server listens, or with the error for which it does not. */
function failureOf(server: ServerType): Promise<Error | null> {
  return new Promise((resolve) => {
    server.once('listening', () => resolve(null))
    server.once('error', resolve)
  })
}
