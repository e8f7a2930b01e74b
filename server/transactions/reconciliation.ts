/**
 * Has every due transaction synchronized: the gateway is queried about it, and what is due to be sent is sent. Also has the
 * queries made that test whether the gateway is available again. [spec: What the service does, 1]
 */

import type { QueryQueue } from '../gateway/query-queue.ts'
import type { Log } from '../log/log.ts'
import type { MerchantAccount } from '../store/merchant-account.ts'
import type { Store } from '../store/store.ts'
import type { Clock } from '../work/clock.ts'
import type { Work } from '../work/work-loop.ts'
import type { Synchronizer, SyncReason } from './synchronizer.ts'

interface ReconcileDeps {
  store: Store
  account: MerchantAccount
  clock: Clock
  log: Log
  queries: Pick<QueryQueue, 'onBack' | 'perSecond' | 'probeAt' | 'takeProbes'>
  synchronizer: Pick<Synchronizer, 'synchronize'>
}

/**
 * How long a claimed transaction is leased, in milliseconds. The lease is longer than a status query that is sent three
 * times, so that only one worker queries the transaction. If a process is killed, its claimed transactions are queried
 * when their leases end.
 */
const LEASE_MS = 28_000
/**
 * GATEWAY_MAX_RPS limits the status queries that have run for less than `slowMs` milliseconds, and `mostPerSlot` times
 * as many may run in all: slow queries do not hold back the others.
 */
const RUNNING = { slowMs: 2_000, mostPerSlot: 4 }
/**
 * After an outage, the transactions whose last query failed become due immediately. One commit changes at most this
 * number of transactions.
 */
const MAX_AT_ONCE = 1_000

export function createReconciliation(deps: ReconcileDeps): Work<{ id: string; reason: SyncReason }> {
  const { store, account, clock, log, queries, synchronizer } = deps
  const slots = queries.perSecond
  return {
    name: 'reconciliation',
    limits: { slots, most: RUNNING.mostPerSlot * slots, slowMs: RUNNING.slowMs },
    run: async ({ id, reason }) => void (await synchronizer.synchronize(id, reason)),

    correctTimes: () => store.correctFutureTimes(account, clock.now(), clock.now() + LEASE_MS),

    async claim(limit) {
      const now = clock.now()
      const due = await store.claimTransactions(account, now, now + LEASE_MS, limit)
      const probes = queries.takeProbes().map((id) => ({ id, reason: 'probe' as const }))
      return [...probes, ...due.map(({ id }) => ({ id, reason: 'due' as const }))]
    },

    nextDue: async () => dueOrProbe(await store.nextDue(account, 'transactions')),

    onChange(wake) {
      queries.onBack(() => {
        queryFailedAgain()
          .then(() => wake(clock.now()))
          .catch((error: unknown) =>
            log.error({ err: error }, 'Failed queries could not be brought forward; they are due later.'),
          )
      })
      return store.watch(({ due_at }) => wake(dueOrProbe(due_at)))
    },
  }

  async function queryFailedAgain(): Promise<void> {
    let count
    do {
      count = await store.bringQueriesForward(account, clock.now(), MAX_AT_ONCE)
    } while (count === MAX_AT_ONCE)
  }

  /** Returns the earlier of `dueAt` and the time of the next probe; `null` if there is neither. */
  function dueOrProbe(dueAt: number | null): number | null {
    const { probeAt } = queries
    if (dueAt === null || probeAt === null) {
      return dueAt ?? probeAt
    }
    return Math.min(dueAt, probeAt)
  }
}
