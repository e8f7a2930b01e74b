/** Opens the store that STORE_URL names, for commands and for the server. */

import type { Config } from '../config.ts'
import type { Store } from '../store.ts'
import type { StoreOptions } from '../store/open.ts'
import { openStore } from '../store/open.ts'
import { CommandFailure, EXIT } from './exit-code.ts'

/** @throws {CommandFailure} when the store cannot be opened. */
export function openConfiguredStore({ storeUrl }: Pick<Config, 'storeUrl'>, options: StoreOptions): Store {
  return openStoreOrFail(() => openStore(storeUrl, options))
}

/** @throws {CommandFailure} when `open` fails. */
export function openStoreOrFail<T>(open: () => T): T {
  try {
    return open()
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new CommandFailure(EXIT.config, `The store in STORE_URL cannot be opened: ${reason}.`, { cause })
  }
}
