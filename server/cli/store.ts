/** The store that STORE_URL names, as commands open it. */

import { ConfigError } from '../config/config-error.ts'
import { storePlaceOf } from '../config/store-url.ts'
import { NoStoreError, OtherMerchantError, StoreAwayError } from '../store/errors.ts'
import { checkMerchant, openStoreOf } from '../store/merchant.ts'
import { CommandFailure, EXIT } from './shell.ts'

import type { Config } from '../config/config.ts'
import type { StoreOptions } from '../store/open.ts'
import type { Store } from '../store/store.ts'

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
export function lastingPlaceOf({ storeUrl }: Config) {
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
export async function explainFailure<T>(opening: () => Promise<T>): Promise<T> {
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
