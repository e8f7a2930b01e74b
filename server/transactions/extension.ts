/** Defines what a feature may put around the store and beside the workers of its server, for transactions of every kind. */

import type { Config } from '../config/config.ts'
import type { Fetch } from '../http/exchange.ts'
import type { Log } from '../log/log.ts'
import type { Fingerprints } from '../privacy/personal.ts'
import type { MerchantAccount } from '../store/merchant-account.ts'
import type { Store } from '../store/store.ts'
import type { Clock } from '../work/clock.ts'
import type { Randomness } from '../work/randomness.ts'
import type { LoopDeps } from '../work/work-loop.ts'
import type { Kinds } from './kinds.ts'

export interface ExtensionDeps {
  config: Config
  /** The store of whole records, whose kinds are known. */
  store: Store
  account: MerchantAccount
  kinds: Kinds
  fingerprints: Fingerprints
  fetch: Fetch
  clock: Clock
  randomness: Randomness
  log: Log
}

export interface Extension {
  /** The store with which the server goes on. */
  store: Store
  /** Works until the signal aborts. */
  work(loop: LoopDeps, signal: AbortSignal): Promise<void>
}
