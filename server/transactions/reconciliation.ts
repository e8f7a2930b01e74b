/** Queries the gateway for every due transaction. [spec: What the service does, 1] */

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

/** Longer than the slowest query, so that no other worker claims a transaction whose query is in flight. */
const LEASE_MS = 60_000

export function createReconciliation({
  store,
  account,
  clock,
  synchronizer,
}: ReconcileDeps): Work<Transaction> {
  return {
    name: 'reconciliation',
    limits: { slots: 16, most: 64, slowMs: 2_000 },
    claim: (limit) => store.claimTransactions(account, clock.now(), clock.now() + LEASE_MS, limit),
    run: async ({ id }) => void (await synchronizer.synchronize(id, 'due')),
    nextDue: () => store.nextDue(account, 'transactions'),
    onChange: (wake) => store.watch(({ due_at }) => wake(due_at)),
  }
}
