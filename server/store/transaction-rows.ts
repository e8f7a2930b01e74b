/**
 * Reads the rows of transactions by id. SQLite's process keeps recently used rows, so that an unchanged row is not parsed
 * again. In Postgres, reads of one row in one turn of the event loop share a statement, which starts after them.
 */

import type { NewTransaction, Transaction } from './store.ts'
import type { Driver } from './driver.ts'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { insertedRow, RecordRow, TransactionRow } from './rows.ts'

const MAX_ROWS = 2_000
/** The maximum length of the record of a kept row, in characters. */
const MAX_RECORD_CHARACTERS = 16_000

export function createTransactionRows({ query, foreignChanges }: Driver, findStatement: string) {
  const kept = new Map<string, Transaction>()
  const reading = new Map<string, Promise<Transaction | null>>()
  let seen: number | null = null
  let isChecked = false
  return {
    find: foreignChanges ? async (id: string) => findKept(id, foreignChanges) ?? read(id) : readWithOthers,
    keep,
    /** Keeps a transaction as it was inserted, so that its first commit need not read it. */
    keepNew: (row: NewTransaction) => keepRow(insertedRow(row), JSON.stringify(row.record).length),
    forget: (id: string) => void kept.delete(id),
    forgetAll: () => kept.clear(),
  }

  /** Looks for changes by others once in a turn of the event loop, because this takes longer than finding a row. */
  function findKept(id: string, changes: () => number): Transaction | undefined {
    if (!isChecked) {
      if (seen !== (seen = changes())) kept.clear()
      isChecked = true
      setImmediate(() => (isChecked = false))
    }
    return kept.get(id)
  }

  async function read(id: string): Promise<Transaction | null> {
    const [row] = await query(findStatement, id)
    return row === undefined ? null : keep(row)
  }

  function readWithOthers(id: string): Promise<Transaction | null> {
    const others = reading.get(id)
    if (others) return others
    const own = nextTurn().then(() => {
      reading.delete(id)
      return read(id)
    })
    reading.set(id, own)
    return own
  }

  /** Returns the transaction of a row, and keeps it. */
  function keep(row: unknown): Transaction {
    const transaction = TransactionRow.parse(row)
    keepRow(transaction, RecordRow.parse(row).record.length)
    return transaction
  }

  /** A full cache drops its oldest row. */
  function keepRow(transaction: Transaction, recordLength: number): void {
    const { id } = transaction
    if (!foreignChanges) return
    kept.delete(id)
    if (recordLength > MAX_RECORD_CHARACTERS) return
    kept.set(id, transaction)
    const [oldest = id] = kept.keys()
    if (kept.size > MAX_ROWS) kept.delete(oldest)
  }
}
