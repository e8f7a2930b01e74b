/** The command `serve`, which runs the server until the process receives a stop signal. */

import type { Command } from 'commander'
import type { Shell } from './shell.ts'
import { ConfigError, readConfig } from '../config.ts'
import { greetingOf } from '../listener/greeting.ts'
import { ListenError } from '../listener/listen-error.ts'
import { listen } from '../listener/listen.ts'
import { createLog } from '../log/process-log.ts'
import { readBuiltWidget, verifyScripts } from '../scripts/built-widget.ts'
import { addCommand } from './command.ts'
import { CommandFailure, EXIT } from './exit-code.ts'
import { openConfiguredStore } from './open-store.ts'

export function addServe(program: Command, shell: Shell): void {
  addCommand(
    program,
    'serve',
    'run the server, configured by environment variables and the file .env',
    'serve',
  ).action(() => runServer(shell))
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
  const log = await createLog({ level: config.logLevel, stdout, env })
  if (!config.webhook) log.warn({}, 'MERCHANT_WEBHOOK_URL is not set: nobody is told of a payment.')
  const store = await openConfiguredStore(config, { clock, log })
  const server = await listen({ config, store, fetch: shell.fetchFor(config), clock, log }).catch(
    (cause: unknown) => {
      if (!(cause instanceof ListenError)) throw cause
      throw new CommandFailure(EXIT.unavailable, cause.message, { cause })
    },
  )
  const signal = shell.stopSignal('SIGINT', 'SIGTERM')
  if (stdout.isTTY) shell.print(greetingOf(config, server.port))
  if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve))
  await server.stop(() => shell.exit(EXIT.ok))
}
