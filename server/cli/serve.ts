/** The command `serve`, which runs the server until the process receives a stop signal. */

import type { Command } from 'commander'
import type { Shell } from './shell.ts'
import { createApp } from '../app.ts'
import { ConfigError, readConfig } from '../config.ts'
import { silentLog } from '../log.ts'
import { createClientNetwork } from '../routes/client-network.ts'
import { readBuiltWidget, verifyScripts } from '../scripts/built-widget.ts'
import { addCommand } from './command.ts'
import { closeAfterResponses, createAbortableFetch, drain } from './drain.ts'
import { EXIT } from './exit-code.ts'
import { fairTurns } from './fair-turns.ts'
import { limitConnections, SLOWEST_CLIENT, slowRefusals } from './connections.ts'
import { openMetrics } from './metrics-listener.ts'
import { openConfiguredStore } from './open-store.ts'
import { handleOneAtATime } from './pipelining.ts'
import { printableJson } from './printable.ts'

export function addServe(program: Command, shell: Shell): void {
  addCommand(program, 'serve', 'run the server, configured by environment variables', 'serve').action(() =>
    runServer(shell),
  )
}

/** @throws {ConfigError} if the configuration is invalid, or contains no source of orders. */
async function runServer(shell: Shell): Promise<void> {
  const { env, clock, stdout } = shell
  const config = readConfig(env)
  if (!config.orders) {
    throw new ConfigError([
      'ORDERS_URL, ORDER_SIGNING_KEY or ORDER_PUBLIC_KEYS is required: it is the source of orders.',
    ])
  }
  // Before the store is opened: `createApp` checks the signatures again.
  if (config.scriptSignatures) verifyScripts(readBuiltWidget(), config.scriptSignatures)
  const [{ serve }, { pino }] = await Promise.all([import('@hono/node-server'), import('pino')])
  // A log line may contain text from the gateway. Control characters in this text could harm the reader's terminal.
  const write = (line: string) => void stdout.write(printableJson(line))
  const log = pino({ level: config.logLevel }, { write })
  const store = await openConfiguredStore(config, { clock, log })
  const { metrics, ...metricsListener } = await openMetrics({ config, store, clock, log })
  const { fetch, abort: abortRequests } = createAbortableFetch(shell.fetchFor(config))
  const app = createApp({ config, store, log, metrics, fetch, clock })

  const signal = shell.stopSignal('SIGINT', 'SIGTERM')
  const closing = new AbortController()
  const working = app.work(closing.signal)
  // The app itself warns about headers of proxies that are not trusted.
  const clientNetwork = createClientNetwork(config.trustedProxies, silentLog)
  const server = serve(
    {
      fetch: handleOneAtATime(fairTurns(slowRefusals(app.fetch, clock), clientNetwork, clock)),
      hostname: config.host,
      port: config.port,
      serverOptions: SLOWEST_CLIENT,
    },
    ({ port }) => log.info({ port, environment: config.environment }, `The BFF listens on port ${port}.`),
  )
  limitConnections(server, config.trustedProxies)
  const closeConnections = closeAfterResponses(server)
  const failed = new Promise<Error>((resolve) => server.once('error', resolve))
  const stopped = new Promise<null>((resolve) => signal.addEventListener('abort', () => resolve(null)))
  const error = await Promise.race([failed, stopped])

  if (error) log.error({ err: error }, `The BFF cannot listen on port ${config.port}.`)
  else log.info({}, 'Stopping: open requests are completed first.')
  closing.abort()
  metricsListener.close()
  if (!error) {
    closeConnections()
    const exit = () => shell.exit(EXIT.ok)
    return drain({ clock, server, working, store, abortRequests, exit })
  }
  await working
  await store.close()
  shell.exitCode = EXIT.unavailable
}
