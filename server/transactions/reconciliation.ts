/** Queries the gateway about every due transaction. [spec: What the service does, 1] */

import type { Clock } from '../clock.ts'
import type { QueryQueue } from '../gateway/query-queue.ts'
import type { Log } from '../log.ts'
import type { MerchantAccount, Store, Transaction } from '../store.ts'
import type { Work } from '../work-loop.ts'
import type { Synchronizer } from './synchronizer.ts'

interface ReconcileDeps {
  store: Store
  account: MerchantAccount
  clock: Clock
  log: Log
  queries: Pick<QueryQueue, 'admits' | 'onBack' | 'perSecond' | 'probe' | 'probeAt'>
  synchronizer: Pick<Synchronizer, 'synchronize'>
}

/**
 * How long a claimed transaction is leased, in milliseconds. The lease is longer than a status query that is sent three
 * times, so that only one worker queries the transaction. If a process is killed, its claimed transactions are queried
 * when their leases end.
 */
const LEASE_MS = 28_000
/**
 * The maximum numbers of concurrent status queries, as multiples of GATEWAY_MAX_RPS. `slots` limits the queries that
 * have run for less than two seconds. `most` limits all running queries.
 */
const LIMITS = { slots: 1, most: 4 }
/**
 * After an outage, the transactions whose last query failed become due immediately. One commit changes at most this
 * number of transactions.
 */
const HASTENED_AT_ONCE = 1_000

export function createReconciliation(deps: ReconcileDeps): Work<Transaction> {
  const { store, account, clock, log, queries, synchronizer } = deps
  const slots = LIMITS.slots * queries.perSecond
  return {
    name: 'reconciliation',
    limits: { slots, most: LIMITS.most * slots, slowMs: 2_000 },
    run: async ({ id }) => void (await synchronizer.synchronize(id, 'due')),

    async claim(limit) {
      switch (queries.admits()) {
        case 'none':
          return []
        case 'any':
          return claim(limit)
        case 'probe': {
          const [probe] = await claimProbe()
          if (probe) queries.probe(probe.id)
          return probe ? [probe] : []
        }
      }
    },

    async nextDue() {
      const due = await store.nextDue(account, 'transactions')
      const { probeAt } = queries
      // If the probe is overdue, no transaction could be queried as a probe. The result is then the next due time.
      return due === null || probeAt === null || probeAt <= clock.now() ? due : probeAt
    },

    onChange(wake) {
      queries.onBack(() => {
        hastenAll()
          .then(() => wake(clock.now()))
          .catch((error: unknown) =>
            log.error({ err: error }, 'Failed queries could not be brought forward; they are due later.'),
          )
      })
      return store.watch(({ due_at }) => wake(due_at))
    },
  }

  async function hastenAll(): Promise<void> {
    while ((await store.hastenQueries(account, clock.now(), HASTENED_AT_ONCE)) === HASTENED_AT_ONCE);
  }

  function claim(limit: number): Promise<Transaction[]> {
    const now = clock.now()
    return store.claimTransactions(account, now, now + LEASE_MS, limit)
  }

  /**
   * Claims one transaction to query as a probe. If no transaction is due, claims a transaction whose last query failed.
   */
  async function claimProbe(): Promise<Transaction[]> {
    const due = await claim(1)
    if (due.length > 0) return due
    await store.hastenQueries(account, clock.now(), 1)
    return claim(1)
  }
}
