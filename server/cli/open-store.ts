/** Opens the store that STORE_URL names, for commands and for the server. */

import type { Config } from '../config.ts'
import type { Store } from '../store.ts'
import type { StoreOptions } from '../store/open.ts'
import { openStore } from '../store/open.ts'
import { CommandFailure, EXIT } from './exit-code.ts'

/**
 * Opens the store and checks that it is ready.
 *
 * @throws {CommandFailure} when the store cannot be used.
 */
export async function openConfiguredStore(
  { storeUrl }: Pick<Config, 'storeUrl'>,
  options: StoreOptions,
): Promise<Store> {
  const store = openStoreOrFail(() => openStore(storeUrl, options))
  try {
    await store.ping()
    return store
  } catch (error) {
    await store.close()
    return openStoreOrFail(() => {
      throw error
    })
  }
}

/** @throws {CommandFailure} when `open` fails. */
export function openStoreOrFail<T>(open: () => T): T {
  try {
    return open()
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message.replace(/\.$/, '') : String(cause)
    throw new CommandFailure(EXIT.config, `The store in STORE_URL cannot be opened: ${reason}.`, { cause })
  }
}
