/** Runs a server in the merchant's own process, as a server of its own or inside another one, with the given features. */

import { constants } from 'node:os'

import { createAppWith, problemOfOrders } from './app.ts'
import { ConfigError } from './config/config-error.ts'
import { readConfig } from './config/config.ts'
import { namingAbsentFile, withEnvFile } from './config/env-file.ts'
import { createPooledFetch } from './http/pooled-fetch.ts'
import { areTaken } from './listener/last-lines.ts'
import { greetingOf, listen } from './listener/listen.ts'
import { toNodeHandler } from './listener/node-handler.ts'
import { createLog } from './log/log.ts'
import { tagOf } from './routes/public-url.ts'
import { accountOf, checkMerchant, openStoreOf } from './store/merchant.ts'
import { orClose } from './store/open.ts'
import { describeUnsettled } from './transactions/left-out.ts'
import { systemClock } from './work/clock.ts'

import type { App, Features } from './app.ts'
import type { Config, Surroundings } from './config/config.ts'
import type { Environment } from './config/variables.ts'
import type { NodeHandler } from './listener/node-handler.ts'
import type { Log } from './log/log.ts'
import type { FindOrder, Found } from './orders/sources.ts'
import type { OnEvent } from './outbox/handler.ts'

export interface EmbedOptions<Given extends Found = Found> {
  /**
   * Finds an order by its reference. Without it, ORDERS_URL and a key for signed orders, only reusable links are paid.
   */
  orders?: FindOrder<Given>
  /** Receives every event at least once. A configured webhook also receives every event. */
  onEvent?: OnEvent
  /** The variables. Default: `process.env`, completed by the file `.env` in the working directory. */
  env?: Environment
  /** Default: readable lines on a terminal or if NODE_ENV is `development`, JSON lines otherwise. */
  log?: Log
}

export interface StartOptions<Given extends Found = Found> extends EmbedOptions<Given> {
  /**
   * Stops the server when it aborts. Default: SIGINT and SIGTERM stop the server and then end the process; a second
   * signal ends the process at once.
   */
  signal?: AbortSignal
}

export interface Started {
  /** The configuration that was read. */
  config: Config
  /** The port on which the server listens. */
  port: number
  /** Completes open requests, ends the workers and closes the store. Takes 7.5 seconds at most. */
  stop(): Promise<void>
}

export interface Embedded {
  /** The configuration that was read. */
  config: Config
  /**
   * Answers a request of the Fetch API, for example in Hono, Next, Deno and Bun. The second argument is `{ address }`,
   * the client's IP address, or the bindings of `@hono/node-server`. Without it, no limit per address applies.
   */
  fetch: App['fetch']
  /** Answers a request of Node's HTTP server, for example in Express and Fastify. */
  handler: NodeHandler
  /** Ends the workers and closes the store. */
  stop(): Promise<void>
}

/** Starts the server with these features. `every-feature.ts` and `core.ts` have what the package exports. */
export async function startWith<Given extends Found>(
  given: Features,
  options: StartOptions<Given>,
): Promise<Started> {
  const opened = await open(given, options, { listens: true })
  const { config, log } = opened
  const server = await listen(given, { ...opened, clock: systemClock, fetch: createPooledFetch(config) })
  const { stdout } = process
  if (stdout.isTTY && !options.log) {
    stdout.write(`${greetingOf(config, server.port)}\n`)
  } else {
    log.info(
      { tag: tagOf(config.publicUrl).join('') },
      'Put the tag on the page, with the reference of an order.',
    )
  }

  let stopping: Promise<void> | undefined
  const stop = () => (stopping ??= server.stop(() => {}))
  const { signal } = options
  if (!signal) {
    stopOnSignals(stop)
  } else if (signal.aborted) {
    void stop()
  } else {
    signal.addEventListener('abort', () => void stop(), { once: true })
  }
  return { config, port: server.port, stop }
}

/** Like {@link startWith}, for a process that has an HTTP server already. */
export async function embedWith<Given extends Found>(
  given: Features,
  options: EmbedOptions<Given>,
): Promise<Embedded> {
  const opened = await open(given, options)
  const { config, store, log } = opened
  const app = await orClose(store, () => createAppWith(given, opened))
  const closing = new AbortController()
  const working = app.work(closing.signal)
  return {
    config,
    fetch: app.fetch,
    handler: toNodeHandler(app, config.publicUrl, log),
    async stop() {
      closing.abort()
      await working
      await store.close()
    },
  }
}

/** Reads the configuration, and opens the log and the store. */
async function open(
  { features, loadKind }: Features,
  { orders, onEvent, ...options }: EmbedOptions,
  use: Pick<Surroundings, 'listens'> = {},
) {
  const env = options.env ?? withEnvFile(process.env, process.cwd())
  const surroundings = { ...use, features: features.map(({ name }) => name) }
  const config = options.env
    ? readConfig(env, surroundings)
    : readCompleted(env, { ...surroundings, folder: process.cwd() })
  // Checked before the store is opened, which may create a file.
  const problem = problemOfOrders(features, config.orders !== null, orders !== undefined)
  if (problem !== null) {
    throw new ConfigError([problem])
  }

  const { stdout } = process
  const log = options.log ?? (await createLog({ level: config.logLevel, stdout, env }))
  const store = await openStoreOf(config, { log }, async (opened) => {
    await checkMerchant(opened, config)
    const kindNames = features.map(({ kind }) => kind?.name).filter((name) => name !== undefined)
    const problems = await describeUnsettled(opened, accountOf(config), kindNames, loadKind)
    if (problems.length > 0) {
      throw new ConfigError(problems)
    }
  })
  return { config, store, log, ...(orders && { orders }), ...(onEvent && { onEvent }) }
}

function readCompleted(env: Environment, surroundings: Surroundings & { folder: string }): Config {
  try {
    return readConfig(env, surroundings)
  } catch (error) {
    throw namingAbsentFile(error, surroundings.folder)
  }
}

/** Ends the process after the stop, even if the merchant's own handles, such as a database pool, are still open. */
function stopOnSignals(stop: () => Promise<void>): void {
  let isStopping = false
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.on(name, () => {
      if (isStopping) {
        process.exit(128 + constants.signals[name])
      }

      isStopping = true
      void endAfter(stop)
    })
  }
}

async function endAfter(stop: () => Promise<void>): Promise<void> {
  try {
    await stop()
    await areTaken(process.stdout, systemClock)
  } finally {
    process.exit(0)
  }
}
