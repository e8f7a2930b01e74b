/** The store that the configuration names, for a command. */

import type { Config } from '../config.ts'
import type { Store } from '../store.ts'
import { openStore } from '../store/open.ts'
import { CommandFailure, EXIT } from './exit-code.ts'

/** @throws {CommandFailure} when it cannot be opened. */
export function openStoreOf({ storeUrl }: Pick<Config, 'storeUrl'>): Store {
  try {
    return openStore(storeUrl)
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : 'no reason was given'
    throw new CommandFailure(EXIT.config, `STORE_URL names a store that cannot be opened: ${why}.`, { cause })
  }
}
