/** The databases on which the stores of the replicas are opened: once for all runs, and emptied before each. */

import { silentLog } from '../../server/log/log.ts'
import { openPostgres } from '../../server/store/postgres/driver.ts'
import { createStore } from '../../server/store/sql/store.ts'
import { openSqlite } from '../../server/store/sqlite/driver.ts'
import { systemClock } from '../../server/work/clock.ts'

import type { Driver } from '../../server/store/driver.ts'
import type { Store } from '../../server/store/store.ts'
import type { Clock } from '../../server/work/clock.ts'

export interface Place {
  /** Empties the database, and opens the store of each replica. */
  open(replicas: readonly string[], clock: Clock): Promise<Record<string, Store>>
  /** Opens the store of a replica anew, as its next process does: nothing that was kept in memory is left. */
  reopen(replica: string, clock: Clock): Store
  close(): Promise<void>
}

const TABLES = [
  'transactions',
  'events',
  'order_marks',
  'counted_payments',
  'prompts',
  'merchants',
  'movements',
  'links',
  'presses',
  'notices',
]

/** A SQLite database in memory. Its replicas share one store, as they share what it keeps of its rows. */
export function sqlitePlace(): Place {
  const driver = openSqlite(':memory:', { clock: systemClock, log: silentLog, isCommand: false })
  return {
    async open(replicas, clock) {
      await empty(driver)
      const store = createStore(driver, clock)
      return Object.fromEntries(replicas.map((replica) => [replica, store]))
    },
    reopen: (_, clock) => createStore(driver, clock),
    close: () => driver.close(),
  }
}

/** A Postgres database, to which each replica connects by itself. */
export function postgresPlace(url: string): Place {
  const drivers = new Map<string, Driver>()
  return {
    async open(replicas, clock) {
      for (const replica of replicas) {
        if (!drivers.has(replica)) {
          drivers.set(replica, openPostgres(url))
        }
      }

      const stores: Record<string, Store> = {}
      for (const replica of replicas) {
        stores[replica] = createStore(drivers.get(replica)!, clock)
      }

      await empty(drivers.get(replicas[0]!)!)
      return stores
    },
    reopen: (replica, clock) => createStore(drivers.get(replica)!, clock),
    async close() {
      await Promise.all([...drivers.values()].map((driver) => driver.close()))
    },
  }
}

async function empty({ query, dialect }: Driver): Promise<void> {
  for (const table of TABLES) {
    await query(`DELETE FROM ${dialect.schema}${table}`)
  }
}
