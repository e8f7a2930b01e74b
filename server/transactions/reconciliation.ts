/** Asks the gateway about every transaction whose time has come. [spec: What the service does, 1] */

import type { Clock } from '../clock.ts'
import type { MerchantAccount, Store, Transaction } from '../store.ts'
import type { Synchronizer } from './synchronizer.ts'
import type { Work } from '../work-loop.ts'

interface ReconcileDeps {
  store: Store
  account: MerchantAccount
  clock: Clock
  synchronizer: Pick<Synchronizer, 'synchronize'>
}

/** Longer than the slowest question to the gateway, so that nobody else takes what is under way. */
const LEASE_MS = 60_000

export function createReconciliation({
  store,
  account,
  clock,
  synchronizer,
}: ReconcileDeps): Work<Transaction> {
  return {
    name: 'reconciliation',
    claim: (limit) => store.claimTransactions(account, clock.now(), clock.now() + LEASE_MS, limit),
    run: async ({ id }) => void (await synchronizer.synchronize(id, 'due')),
    nextDue: () => store.nextDue(account, 'transactions'),
    onChange: (wake) => store.watch(wake),
  }
}
