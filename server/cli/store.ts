/** The store that STORE_URL names, as commands open it, and its own commands: `backup`, `recover` and `adopt`. */

import { existsSync } from 'node:fs'

import { ConfigError, readConfig } from '../config/config.ts'
import { storePlaceOf } from '../config/store-url.ts'
import { adoptMerchant, checkMerchant, openStoreOf } from '../store/merchant.ts'
import { recoverStore } from '../store/open.ts'
import { backUp } from '../store/sqlite/backup.ts'
import { NoStoreError, OtherMerchantError, StoreAwayError } from '../store/store.ts'
import { askInProduction, command, YES_OPTION } from './command.ts'
import { CommandFailure, EXIT } from './shell.ts'

import type { Config } from '../config/config.ts'
import type { StoreOptions } from '../store/open.ts'
import type { Store } from '../store/store.ts'
import type { ExitCode, Shell } from './shell.ts'

/**
 * Opens the store, and checks that it can be written and has no transactions of another merchant.
 *
 * @throws {ConfigError} if a server would use a SQLite file in a folder that a build deletes.
 * @throws {CommandFailure} if the store cannot be used.
 */
export function openConfiguredStore(config: Config, options: StoreOptions, checkOwner = checkMerchant) {
  return explainFailure(() => openStoreOf(config, options, checkOwner))
}

/**
 * Opens the store for a command, calls `work`, and closes the store.
 *
 * @throws {CommandFailure} if the store cannot be used, or is in memory, where a command does not see it.
 */
export async function withStore<T>(
  config: Config,
  work: (store: Store) => Promise<T>,
  checkOwner = checkMerchant,
): Promise<T> {
  lastingPlaceOf(config)
  const store = await openConfiguredStore(config, { isCommand: true }, checkOwner)
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}

/**
 * Returns the place of the store.
 *
 * @throws {CommandFailure} if it is in memory: a command would open an empty store of its own.
 */
function lastingPlaceOf({ storeUrl }: Config) {
  const place = storePlaceOf(storeUrl)
  if (place.engine !== 'memory') {
    return place
  }

  throw new CommandFailure(
    EXIT.config,
    'STORE_URL is in memory: only the running server sees its payments. Set STORE_URL=sqlite:gateway-checkout.sqlite.',
  )
}

/**
 * Opens or recovers the store by `opening`.
 *
 * @throws {CommandFailure} if it fails. The exit code is `unavailable` if a later attempt may succeed, otherwise
 * `config`.
 */
async function explainFailure<T>(opening: () => Promise<T>): Promise<T> {
  try {
    return await opening()
  } catch (cause) {
    if (cause instanceof ConfigError) {
      throw cause
    }
    if (cause instanceof NoStoreError || cause instanceof OtherMerchantError) {
      throw new CommandFailure(EXIT.config, cause.message, { cause })
    }

    // The reason goes on with the sentence below.
    const message = cause instanceof Error ? cause.message.replace(/\.$/, '') : String(cause)
    const reason = message.replace(/^The store at (\S+) cannot be used: /, '$1: ')
    // systemd restarts the server after `unavailable`, but not after `config`.
    const exitCode = cause instanceof StoreAwayError ? EXIT.unavailable : EXIT.config
    throw new CommandFailure(exitCode, `The store in STORE_URL cannot be opened: ${reason}.`, { cause })
  }
}

export const backup = command({
  text: 'copy the store to a new file, also while the server runs',
  takes: '<file>',
  options: {
    print: { type: 'boolean', text: 'for Postgres: only print the commands that make and restore a backup' },
  },
  examples: ['/backups/2026-11-21.sqlite'],
  run(shell, { print }, file) {
    const config = readConfig(shell.env)
    const place = lastingPlaceOf(config)
    const noBackup = (exitCode: ExitCode, reason: string) =>
      new CommandFailure(exitCode, `There is no backup: ${reason}`)
    if (place.engine === 'postgres') {
      shell.print(postgresText(file, place.url))
      if (print) {
        return
      }

      const reason = 'nothing was written. Run the line pg_dump; with --print, this command only prints.'
      throw noBackup(EXIT.usage, reason)
    }
    if (print) {
      throw noBackup(EXIT.usage, '--print is for Postgres. A SQLite store is copied.')
    }
    if (existsSync(file)) {
      throw noBackup(EXIT.usage, `${file} exists already. Name a new file.`)
    }

    try {
      backUp(place.path, file, shell.clock.now())
    } catch (cause) {
      if (cause instanceof NoStoreError) {
        throw new CommandFailure(EXIT.config, cause.message, { cause })
      }
      throw noBackup(EXIT.unavailable, `${cause instanceof Error ? cause.message : String(cause)}.`)
    }

    shell.print(`${file} is a copy of the store. To use it, restore it and run "recover".`)
  },
})

function postgresText(file: string, storeUrl: string): string {
  const path = quote(file)
  const database = quote(withoutPassword(storeUrl))
  return `Postgres is backed up by its own tools, also while the servers run. They ask for the password, or read
PGPASSWORD or a password file:
  umask 077
  pg_dump --format=custom --schema=gateway_checkout --file=${path} --dbname=${database}
To use the backup, stop every server, and run:
  psql --dbname=${database} --command='DROP SCHEMA gateway_checkout CASCADE'
  pg_restore --dbname=${database} ${path}
  gateway-checkout-server recover`
}

/** Returns the URL without its password: every user of the machine can read the arguments of a running command. */
function withoutPassword(storeUrl: string): string {
  const url = new URL(storeUrl)
  url.password = ''
  url.searchParams.delete('password')
  return url.href
}

/** Quotes an argument for a POSIX shell, unless the argument contains only harmless characters. */
function quote(argument: string): string {
  return /^[\w./:@%+=,-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", "'\\''")}'`
}

export const recover = command({
  text: 'make a restored store usable: ask the gateway before anything is sent',
  options: {
    compared: {
      type: 'boolean',
      text: 'say that a person has compared the recovered store with the merchant portal',
    },
  },
  examples: ['', '--compared'],
  async run(shell, { compared }) {
    const config = readConfig(shell.env)
    lastingPlaceOf(config)
    if (compared) {
      return confirmCompared(shell, config)
    }

    const recovery = await explainFailure(() => recoverStore(config.storeUrl, shell.clock.now()))
    const { asked, unsent, knownUntil } = recovery
    shell.print(`Transactions about which the server will ask the gateway: ${asked}.
Not sent when the store was copied: ${unsent}. Of these, charges and airtime are never sent.`)
    if (knownUntil !== null) {
      shell.print(
        `Not in the store: transactions since ${new Date(knownUntil).toISOString()}. Compare with the merchant portal.`,
      )
    }
    if (config.charges?.statusPath?.includes(':charge_request_id')) {
      shell.print(
        'This gateway finds charges only by its own id. Charges and prompts start again once you have compared the store with the merchant portal, and run "recover --compared".',
      )
    }

    shell.print('Start the server. After five minutes, list what a person has to check:')
    for (const kind of ['payouts', 'charges', 'airtime']) {
      shell.print(`  gateway-checkout-server api GET '/api/${kind}?outcome=needs_attention'`)
    }
  },
})

/**
 * Charges and prompts that the store has lost cannot be found at a gateway that finds charges only by its own id. The
 * server starts none until a person has compared them.
 */
async function confirmCompared(shell: Shell, config: Config): Promise<void> {
  await withStore(config, async (store) => {
    const { recovered } = await store.marks()
    if (recovered === null) {
      throw new CommandFailure(EXIT.usage, 'The store was never recovered: there is nothing to compare.')
    }

    await store.saveCompared(shell.clock.now())
  })
  shell.print('Charges and prompts can be started again.')
}

/**
 * For a merchant whose account numbers have all changed. It changes the numbers in the store, and no transaction.
 * Servers may therefore run meanwhile, and adopting with the previous configuration reverses a mistake.
 */
export const adopt = command({
  text: 'take over the transactions in the store, after all numbers in GATEWAY_ACCOUNT_NUMBER have changed',
  options: YES_OPTION,
  examples: [''],
  async run(shell, options) {
    const config = readConfig(shell.env)
    try {
      await withStore(config, async () => null)
      return shell.print('There is nothing to adopt: the store has no transactions of another merchant.')
    } catch (error) {
      if (!(error instanceof CommandFailure && error.cause instanceof OtherMerchantError)) {
        throw error
      }

      shell.print(error.message)
    }

    await askInProduction(shell, 'Adopts these transactions', options, config)
    await withStore(config, async () => null, adoptMerchant)
    shell.print('Adopted: they are the transactions of the configured merchant.')
  },
})
