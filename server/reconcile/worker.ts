/** Asks the gateway about every transaction whose time has come. [spec: What the service does, 1] */

import type { Clock } from '../clock.ts'
import type { Home, Store, Transaction } from '../store.ts'
import type { Door } from '../transactions/door.ts'
import type { Work } from '../work-loop.ts'

interface ReconcileDeps {
  store: Store
  home: Home
  clock: Clock
  door: Pick<Door, 'refresh'>
}

/** Longer than the slowest question to the gateway, so that nobody else takes what is under way. */
const LEASE_MS = 60_000

export function createReconciliation({ store, home, clock, door }: ReconcileDeps): Work<Transaction> {
  return {
    name: 'reconciliation',
    claim: (limit) => store.claimTransactions(home, clock.now(), clock.now() + LEASE_MS, limit),
    run: async ({ id }) => void (await door.refresh(id, 'due')),
    nextDue: () => store.nextDue(home, 'transactions'),
    onChange: (wake) => store.watch(wake),
  }
}
