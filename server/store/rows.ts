/**
 * Parses and reads the rows of the store. SQLite's process keeps recently used transactions, so that an unchanged row is not
 * parsed again.
 */

import type { NewTransaction } from './store.ts'
import type { Driver } from './driver.ts'
import { Transaction } from './store.ts'
import { z } from 'zod'
import { parseJson } from '../contract/parse.ts'

const [text, whole] = [z.string(), z.number()]
/** A row of a transaction, of which nothing was parsed yet. */
export const RecordRow = z.looseObject({ id: text, record: text })
export const IdRow = z.object({ id: text })
/** A part of a transaction that events are about. */
export const PartRow = z.object({ id: text, about: text })
/** An unfinished event of a part, after its place in the queues was decided. */
export const PromotedRow = z.object({ queue: text.nullable(), due: whole })
export const DueRow = z.object({ id: text, due: whole })
export const NextDueRow = z.object({ due: whole.nullable() })
export const CountRow = z.object({ count: whole })
export const NewestRow = z.object({ newest: whole })
export const MerchantRow = z.object({ numbers: text.transform(parseJson).pipe(z.array(text)) })
export const MarksRow = z.object({ store: whole, recovered: whole.nullable() })

/** Returns the transaction that the store contains after `row` was inserted. */
export function insertedRow({ alike: _alike, asked: _asked, ...row }: NewTransaction): Transaction {
  const never = { asked_at: null, requested_at: null, failures: 0 }
  return { version: 1, updated_at: row.created_at, ...never, personal: null, ...row }
}

const MAX_ROWS = 2_000
/** The maximum length of the record of a kept row, in characters. */
const MAX_RECORD_CHARACTERS = 16_000

export function createTransactionRows({ query, foreignChanges }: Driver, findStatement: string) {
  const kept = new Map<string, Transaction>()
  let seen: number | null = null
  let isChecked = false
  return {
    find: async (id: string) => (foreignChanges && findKept(id, foreignChanges)) ?? read(id),
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

  /** Returns the transaction of a row, and keeps it. */
  function keep(row: unknown): Transaction {
    const transaction = Transaction.parse(row)
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
