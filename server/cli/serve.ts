/** The command `serve`, which runs the server until the process receives a stop signal. */

import { readConfig } from '../config/config.ts'
import { FEATURES } from '../features.ts'
import { areTaken } from '../listener/last-lines.ts'
import { EXIT_MS, greetingOf, listen, ListenError } from '../listener/listen.ts'
import { loadKind } from '../load-kind.ts'
import { createLog } from '../log/log.ts'
import { StoreInUseError } from '../store/errors.ts'
import { command } from './command.ts'
import { CommandFailure, EXIT } from './shell.ts'
import { openConfiguredStore } from './store.ts'

import type { Config } from '../config/config.ts'
import type { Log } from '../log/log.ts'
import type { Store } from '../store/store.ts'
import type { Shell } from './shell.ts'

/** Longer than a server that was told to stop holds the lock of the SQLite file: it exits after {@link EXIT_MS}. */
const LOCK_WAIT_MS = EXIT_MS + 2_500
/** The pause between two attempts to open the store. */
const LOCK_PAUSE_MS = 250

export const serve = command({
  text: 'run the server, configured by environment variables and the file .env',
  examples: [''],
  async run(shell) {
    const { env, clock, runtime } = shell
    const { stdout, signals, exit } = runtime
    const config = readConfig(env, { ...shell.surroundings, listens: true })
    const log = await createLog({ level: config.logLevel, stdout, env })
    if (!config.webhook && !config.notices) {
      log.warn({}, 'MERCHANT_WEBHOOK_URL is not set: nobody is told of a payment.')
    }

    const store = await openWhenFree(shell, config, log)
    const listening = listen(
      { features: FEATURES, loadKind },
      { config, store, fetch: shell.fetchFor(config), clock, log },
    )
    const server = await listening.catch((cause: unknown) => {
      if (!(cause instanceof ListenError)) {
        throw cause
      }
      throw new CommandFailure(EXIT.unavailable, cause.message, { cause })
    })
    const stopped = new Promise<void>((resolve) => {
      for (const name of ['SIGINT', 'SIGTERM'] as const) {
        signals.once(name, resolve)
      }
    })
    if (stdout.isTTY) {
      shell.print(greetingOf(config, server.port))
    }

    await stopped
    // The process ends by itself when all has stopped. `exit` is called only if this takes too long.
    await server.stop(() => exit(EXIT.ok))
    if (!(await areTaken(stdout, clock))) {
      exit(EXIT.ok)
    }
  },
})

/** @throws {CommandFailure} if another server uses the store until {@link LOCK_WAIT_MS}, or it cannot be used. */
async function openWhenFree({ clock }: Shell, config: Config, log: Log): Promise<Store> {
  const endsAt = clock.now() + LOCK_WAIT_MS
  for (let isFirst = true; ; isFirst = false) {
    try {
      return await openConfiguredStore(config, { clock, log })
    } catch (error) {
      if (!(error instanceof CommandFailure && error.cause instanceof StoreInUseError)) {
        throw error
      }
      // systemd tries again after `unavailable`: the other server may still be ending.
      if (clock.now() >= endsAt) {
        throw new CommandFailure(EXIT.unavailable, error.message, { cause: error.cause })
      }
      if (isFirst) {
        log.info(
          {},
          `Another server process uses the store: waiting up to ${LOCK_WAIT_MS / 1000} seconds until it ends.`,
        )
      }

      await clock.sleep(LOCK_PAUSE_MS)
    }
  }
}
