/**
 * Decides whether the configured merchant is the one whose transactions the store holds.
 *
 * A store has one merchant account for each environment, and knows the merchant by the account numbers at the gateway.
 * One number in common suffices, so that numbers can be added, and replaced one after the other. URLs and keys do not
 * count: a gateway moves, and keys are rotated. [assumed] Two merchants have no account number in common.
 */

import { OtherMerchantError } from './errors.ts'
import { MERCHANT_ACCOUNTS } from './merchant-account.ts'
import { openStore, orClose } from './open.ts'

import type { Config } from '../config/config.ts'
import type { Log } from '../log/log.ts'
import type { MerchantAccount } from './merchant-account.ts'
import type { StoreOptions } from './open.ts'
import type { Store } from './store.ts'

/** The number of transactions at which counting ends. */
const MAX_COUNTED = 10_000

/** Returns the merchant account of a server with this configuration. */
export function accountOf(config: Pick<Config, 'environment' | 'isRehearsal'>): MerchantAccount {
  return config.isRehearsal && config.environment === 'production' ? 'rehearsal' : config.environment
}

/** Opens the store that STORE_URL names, and checks that it can be written and whose transactions it has. */
export async function openStoreOf(
  config: Config,
  options: StoreOptions,
  checkOwner = checkMerchant,
): Promise<Store> {
  const store = openStore(config.storeUrl, options)
  return orClose(store, async () => {
    await store.ping()
    await checkOwner(store, config)
    return store
  })
}

/** @throws {OtherMerchantError} if the store has the transactions of another merchant. */
export async function checkMerchant(store: Store, config: Config): Promise<void> {
  const account = accountOf(config)
  const numbers = numbersOf(config)
  const known = await store.setMerchant(account, numbers)
  if (known.some((number) => numbers.includes(number))) {
    return
  }

  const queried = await countQueried(store, account)
  throw new OtherMerchantError(
    `The store has the ${account} transactions of the merchant with the account ${known.join(', ')} (still queried: ${queried}), and GATEWAY_ACCOUNT_NUMBER is ${numbers.join(', ')}. If this is the same merchant, run "gateway-checkout-server adopt". Another merchant needs another STORE_URL.`,
  )
}

/** Makes the transactions of another merchant those of the configured one. */
export async function adoptMerchant(store: Store, config: Config): Promise<void> {
  await store.setMerchant(accountOf(config), numbersOf(config), 'adopt')
}

function numbersOf({ gateway }: Config): string[] {
  return gateway.accountNumbers.map(([, number]) => number)
}

/**
 * Returns a function that rejects if the store has the transactions of another merchant, or cannot be used. It reads
 * the store until it succeeds.
 */
export function createAdmission(store: Store, config: Config): () => Promise<void> {
  let admission: Promise<void> | null = null
  return () =>
    (admission ??= checkMerchant(store, config).catch((error: unknown) => {
      admission = null
      throw error
    }))
}

/** Logs a warning about each account other than `own` with scheduled status queries, which nobody runs. */
export async function warnOfOtherAccounts(store: Store, own: MerchantAccount, log: Log): Promise<void> {
  for (const account of MERCHANT_ACCOUNTS) {
    const waiting = account === own ? 0 : await countQueried(store, account)
    const message = 'The store holds transactions of another environment. They are left alone.'
    if (waiting > 0) {
      log.warn({ waiting, account }, message)
    }
  }
}

/** Resolves with the number of transactions with a scheduled status query: all that are open, or settled lately. */
function countQueried(store: Store, account: MerchantAccount): Promise<number> {
  return store.count(account, { of: 'due', queue: 'transactions', now: Number.MAX_SAFE_INTEGER }, MAX_COUNTED)
}
