/**
 * Inserts single transactions. Transactions that are inserted at about the same time share one statement, and so one
 * commit: a shop with many shoppers starts several times as many checkouts as with a commit for each.
 */

import type { NewTransaction } from '../../store.ts'
import { RefusedError } from './database.ts'

interface Call {
  row: NewTransaction
  resolve: (isNew: boolean | Promise<boolean>) => void
  reject: (error: unknown) => void
}

/** The maximum number of concurrent statements. While they run, further rows wait and share the next statement. */
const MAX_RUNNING = 2
const MAX_ROWS = 100

/**
 * Returns a function that inserts one transaction. It resolves after the commit, with `false` if the reference or the
 * attempt number is already used.
 *
 * @param insertNew Inserts the rows that violate no unique constraint, and resolves with their ids.
 */
export function createInsertGroup(insertNew: (rows: NewTransaction[]) => Promise<ReadonlySet<string>>) {
  const waiting: Call[] = []
  let running = 0
  return (row: NewTransaction): Promise<boolean> =>
    new Promise((resolve, reject) => {
      waiting.push({ row, resolve, reject })
      if (waiting.length === 1) setImmediate(start)
    })

  function start(): void {
    while (running < MAX_RUNNING && waiting.length > 0) void run(waiting.splice(0, MAX_ROWS))
  }

  async function run(calls: Call[]): Promise<void> {
    running += 1
    try {
      const ids = await insertNew(calls.map(({ row }) => row))
      for (const { row, resolve } of calls) resolve(ids.has(row.id))
    } catch (error) {
      // A refused statement has changed nothing. After another error, such as a lost connection, it may be committed.
      const isUnchanged = error instanceof RefusedError && calls.length > 1
      for (const { row, resolve, reject } of calls)
        if (isUnchanged) resolve(insertNew([row]).then((ids) => ids.has(row.id)))
        else reject(error)
    }
    running -= 1
    start()
  }
}
