/** Opens the store, which is the database that STORE_URL names, for commands and for the server. */

import type { Config } from '../config/config.ts'
import type { Store } from '../store/store.ts'
import type { StoreOptions } from '../store/open.ts'
import { ConfigError } from '../config/config.ts'
import { openStoreOf } from '../store/merchant.ts'
import { NoStoreError, OtherMerchantError, StoreAwayError } from '../store/store.ts'
import { CommandFailure, EXIT } from './exit-code.ts'

/**
 * Opens the store, and checks that it can be written and has no transactions of another merchant.
 *
 * @param isAdoption Whether the configured merchant takes over the transactions of another merchant.
 * @throws {ConfigError} if a server would use a SQLite file in a folder that a build deletes.
 * @throws {CommandFailure} if the store cannot be used.
 */
export const openConfiguredStore = (
  config: Config,
  options: StoreOptions,
  isAdoption = false,
): Promise<Store> => usingStore(() => openStoreOf(config, options, isAdoption))

/**
 * Opens the store for a command, calls `work`, and closes the store.
 *
 * @throws {CommandFailure} if the store cannot be used, or is in memory, where a command does not see it.
 */
export async function withStore<T>(config: Config, work: (store: Store) => Promise<T>): Promise<T> {
  refuseMemory(config)
  const store = await openConfiguredStore(config, { isCommand: true })
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}

/**
 * Refuses a store in memory, of which a command would open an empty one of its own.
 *
 * @throws {CommandFailure} if STORE_URL is `sqlite::memory:`.
 */
export function refuseMemory({ storeUrl }: Pick<Config, 'storeUrl'>): void {
  if (storeUrl.reveal() !== 'sqlite::memory:') return
  throw new CommandFailure(
    EXIT.config,
    'STORE_URL is in memory: only the running server sees its payments. Set STORE_URL=sqlite:gateway-checkout.sqlite.',
  )
}

/**
 * Runs `work`, which opens or recovers the store.
 *
 * @throws {CommandFailure} if `work` fails. The exit code is `unavailable` if a later attempt may succeed, otherwise
 * `config`.
 */
export async function usingStore<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    if (cause instanceof ConfigError) throw cause
    if (cause instanceof NoStoreError || cause instanceof OtherMerchantError)
      throw new CommandFailure(EXIT.config, cause.message, { cause })
    const message = cause instanceof Error ? cause.message.replace(/\.$/, '') : String(cause)
    const reason = message.replace(/^The store at (\S+) cannot be used: /, '$1: ')
    // systemd restarts the server after `unavailable`, but not after `config`.
    const exitCode = cause instanceof StoreAwayError ? EXIT.unavailable : EXIT.config
    throw new CommandFailure(exitCode, `The store in STORE_URL cannot be opened: ${reason}.`, { cause })
  }
}
