/**
 * Creates the app, runs its workers, serves it over HTTP with limits on connections, and stops it. Both `start` and the
 * command `serve` run the server this way.
 */

import { once } from 'node:events'
import { IncomingMessage } from 'node:http'

import { createAppWith } from '../app.ts'
import { tagOf } from '../routes/public-url.ts'
import { orClose } from '../store/open.ts'
import { connectionsWith, MAX_CONNECTIONS, readOpenFilesLimit } from './connection-limit.ts'

import type { AppOptions, Features } from '../app.ts'
import type { Config } from '../config/config.ts'
import type { Fetch, FetchAnswer } from '../http/exchange.ts'
import type { Log } from '../log/log.ts'
import type { PrometheusMetrics } from '../metrics/prometheus.ts'
import type { Clock } from '../work/clock.ts'
import type { ServerType } from '@hono/node-server'
import type { ServerOptions } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

interface ListenOptions extends Pick<AppOptions, 'config' | 'store' | 'orders' | 'onEvent'> {
  fetch: Fetch
  clock: Clock
  log: Log
}

interface Listening {
  port: number
  /**
   * Completes open requests, ends the workers and closes the store. Calls `exit` if this takes longer than
   * {@link EXIT_MS}.
   */
  stop(exit: () => void): Promise<void>
}

/** Where a server listens, and the variable that sets its port, for messages. */
interface Address {
  variable: 'PORT' | 'METRICS_PORT'
  port: number
  host: string
}

/** Thrown if a port cannot be used, for example because another process listens on it. */
export class ListenError extends Error {
  override readonly name = 'ListenError'

  constructor({ variable, port }: Address, cause: Error) {
    super(`The server cannot listen on ${variable} ${port}: ${cause.message}.`, { cause })
  }
}

/**
 * Node's limits for slow clients, explicit because there may be no proxy in front. Times are in milliseconds, and
 * `maxHeaderSize` is in bytes: browsers send all cookies of the shop. `requestTimeout` is longer than the minute in which a client must send the largest
 * permitted body (16 MB).
 */
const SLOWEST_CLIENT = {
  maxHeaderSize: 65_536,
  headersTimeout: 10_000,
  requestTimeout: 65_000,
  // A load balancer keeps idle connections for 60 s, and does not repeat a POST that meets a closed one: it ends them first.
  keepAliveTimeout: 75_000,
  connectionsCheckingInterval: 1_000,
} as const satisfies ServerOptions

/**
 * Milliseconds without a byte sent or received after which a connection with a request is closed, for clients that do
 * not read the response. Event streams stay open, because they send a heartbeat every 15 seconds.
 */
const IDLE_MS = 60_000

/** When `stop` acts, in milliseconds after the signal to stop. Docker kills a container 10 seconds after the signal. */
const ABORT_REQUESTS_MS = 6_000
const CLOSE_CONNECTIONS_MS = 7_000
export const EXIT_MS = 7_500

/**
 * Starts the server. Resolves when the server listens.
 *
 * @throws {ListenError} if a port cannot be used.
 * @throws {Error} as {@link createAppWith} does. The store is closed before an error is thrown.
 */
export async function listen(features: Features, options: ListenOptions): Promise<Listening> {
  const { config, store, clock, log } = options
  const { fetch, abort: abortRequests } = createAbortableFetch(options.fetch)
  const closing = new AbortController()
  const { app, server, port, metricsServer } = await orClose(store, open)
  const working = app.work(closing.signal)
  log.info({ port, environment: config.environment }, `The payment server listens on port ${port}.`)
  tellFewConnections(server.maxConnections, log)
  return { port, stop }

  async function open() {
    // The package of the metrics is loaded only where they are on.
    const metrics =
      config.metricsPort === null
        ? undefined
        : (await import('../metrics/prometheus.ts')).createMetrics(options)
    const created = createAppWith(features, { ...options, metrics, fetch })

    const respond: Respond = async (request, env) => {
      const response = await created.fetch(request, env)
      // The connection of a request that is open when the process stops closes after the response.
      if (closing.signal.aborted) {
        response.headers.set('connection', 'close')
      }
      return response
    }

    return { app: created, ...(await openServers(respond, metrics, options)) }
  }

  /**
   * Incoming requests and workers complete until {@link ABORT_REQUESTS_MS}. Outgoing requests that are still open are
   * then aborted: to the gateway, they count as requests whose response was lost.
   */
  async function stop(exit: () => void): Promise<void> {
    log.info({}, 'Stopping: open requests are completed first.')
    closing.abort()
    metricsServer?.close()
    const stopped = new AbortController()
    const after = (ms: number, act: () => void) => void clock.sleep(ms, stopped.signal).then(act, () => {})
    after(ABORT_REQUESTS_MS, abortRequests)
    after(CLOSE_CONNECTIONS_MS, () => {
      if ('closeAllConnections' in server) {
        server.closeAllConnections()
      }
    })
    after(EXIT_MS, exit)
    const closed = new Promise<void>((resolve) => server.close(() => resolve()))
    await Promise.all([closed, working])
    await store.close()
    stopped.abort()
  }
}

function tellFewConnections(connections: number, log: Log): void {
  if (connections < MAX_CONNECTIONS) {
    log.info(
      { connections },
      `At most ${connections} connections are open at once, because this process may open few files: raise "ulimit -n" (LimitNOFILE, --ulimit nofile) to 65536.`,
    )
  }
}

type Respond = (request: Request, env?: object) => Response | Promise<Response>

/** Opens the public server and, on a port of its own, the one of `/metrics`. Opens none if one of them fails. */
async function openServers(
  respond: Respond,
  metrics: PrometheusMetrics | undefined,
  { config, log }: Pick<ListenOptions, 'config' | 'log'>,
) {
  const { host } = config
  let metricsServer: ServerType | undefined
  try {
    if (metrics && config.metricsPort !== null) {
      const address = { variable: 'METRICS_PORT', port: config.metricsPort, host } as const
      const opened = await openServer(metrics.fetch, address, log)
      metricsServer = opened.server
      log.info({ port: opened.port }, `Metrics are at /metrics on port ${opened.port}.`)
    }

    const address = { variable: 'PORT', port: config.port, host } as const
    return { ...(await openServer(respond, address, log)), metricsServer }
  } catch (error) {
    metricsServer?.close()
    throw error
  }
}

/**
 * Serves over HTTP, with the limits on connections. Resolves when the server listens.
 *
 * @throws {ListenError} if the port cannot be used.
 */
export async function openServer(fetch: Respond, address: Address, log: Log) {
  const { serve } = await import('@hono/node-server')
  const { port, host: hostname } = address

  const respond: Respond = async (request, env) => {
    const response = hasTwoHosts(env) ? new Response(null, { status: 400 }) : await fetch(request, env)
    // No other request can follow on the connection of one that is not read to its end.
    if (isUnfinished(env)) {
      response.headers.set('connection', 'close')
    }
    return response
  }

  const server = serve({ fetch: respond, port, hostname, serverOptions: SLOWEST_CLIENT })
  server.maxConnections = connectionsWith(readOpenFilesLimit())
  makeRoom(server)
  if ('timeout' in server) {
    server.timeout = IDLE_MS
  }

  await once(server, 'listening').catch((cause: Error) => {
    throw new ListenError(address, cause)
  })
  // For example, the process has no file descriptor left for a connection.
  server.on('error', (err) => log.error({ err }, 'The server cannot accept a connection.'))
  return { server, port: (server.address() as AddressInfo).port }
}

/** A proxy may have routed the request by another Host than Node's, which is the first. [RFC 9112, section 3.2] */
function hasTwoHosts(env: object | undefined): boolean {
  if (env === undefined || !('incoming' in env) || !(env.incoming instanceof IncomingMessage)) {
    return false
  }
  return (env.incoming.headersDistinct.host?.length ?? 0) > 1
}

function isUnfinished(env: object | undefined): boolean {
  return (
    env !== undefined &&
    'incoming' in env &&
    env.incoming instanceof IncomingMessage &&
    !env.incoming.complete
  )
}

/**
 * At the limit of connections, makes room for new clients: closes the oldest connection that has not sent a byte, or, if
 * there is none, those that wait for another request. Node counts a connection as idle only after its first request.
 */
function makeRoom(server: ServerType): void {
  let open = 0
  const silent = new Set<Socket>()
  // The first listener, because Node counts a connection as idle as soon as its own has run.
  server.prependListener('connection', (socket: Socket) => {
    open += 1
    if (open >= server.maxConnections) {
      closeWaiting(server, silent)
    }

    silent.add(socket)
    socket.once('close', () => {
      open -= 1
      silent.delete(socket)
    })
  })
}

/** @param silent The connections that had sent nothing when they were last looked at, the oldest first. */
function closeWaiting(server: ServerType, silent: Set<Socket>): void {
  for (const socket of silent) {
    silent.delete(socket)
    if (socket.bytesRead === 0) {
      socket.destroy()
      return
    }
  }

  if ('closeIdleConnections' in server) {
    server.closeIdleConnections()
  }
}

/** Wraps `fetch`. `abort` rejects all open requests and every later one. */
function createAbortableFetch(fetch: Fetch): { fetch: Fetch; abort: () => void } {
  const open = new Set<(reason: Error) => void>()
  let isAborted = false
  const reason = new Error('The process stops.')
  return {
    fetch: (url, init) =>
      new Promise<FetchAnswer>((resolve, reject) => {
        if (isAborted) {
          return reject(reason)
        }

        open.add(reject)
        Promise.resolve(fetch(url, init))
          .then(resolve, reject)
          .finally(() => open.delete(reject))
      }),
    abort() {
      isAborted = true
      for (const reject of open) {
        reject(reason)
      }
    },
  }
}

/** Returns what a person reads when the server has started: its address, and the tag to paste into a page. */
export function greetingOf({ publicUrl, environment, allowedOrigins, host }: Config, port: number): string {
  const { origin } = new URL(publicUrl)
  const isEveryAddress = host === '0.0.0.0' || host === '::'
  const bracketed = host.includes(':') ? `[${host}]` : host
  const pages = [...new Set([origin, ...allowedOrigins])]
  return [
    '',
    `Payments (${environment}${environment === 'sandbox' ? ': no real money moves' : ''}): ${publicUrl}`,
    `On this machine: http://${isEveryAddress ? 'localhost' : bracketed}:${port}`,
    '',
    'Put this on the page, with the reference of the order:',
    '',
    ...tagOf(publicUrl).map((line) => `  ${line}`),
    '',
    `The page may be on ${pages.join(', ')}. ALLOWED_ORIGINS names further origins.`,
    '',
  ].join('\n')
}
