/**
 * Reads transactions by their ids, and keeps those of SQLite in memory.
 *
 * The rows of commits, claims and insertions are kept in the order in which these are committed: each in the very step in
 * which its promise resolves. One step later, it could take the place of a newer row. A refused commit forgets the row.
 */

import { setImmediate as nextTurn } from 'node:timers/promises'
import { z } from 'zod'

import { insertedRow, Transaction } from '../transactions.ts'
import { KEPT_ROW, TRANSACTION } from './fragments.ts'

import type { Dialect } from '../dialect.ts'
import type { Driver } from '../driver.ts'
import type { NewTransaction } from '../transactions.ts'

const IdRow = z.object({ id: z.string() })
/** A row of a transaction, whose record is still JSON text. */
export const RecordRow = z.looseObject({ id: z.string(), record: z.string() })
const { record: RecordText, ...columns } = Transaction.shape
const TextColumn = z.object({ record: z.string() })
const OtherColumns = z.object(columns)

/**
 * Lists transactions by their ids, a JSON list. Not one of `statementsOf`, which Postgres prepares: a plan from a time
 * when the table was empty would read all of it.
 */
export function listByIdsOf({ schema, among }: Dialect): string {
  return `SELECT ${TRANSACTION} FROM ${schema}transactions WHERE id ${among('$1')} AND ${KEPT_ROW}`
}

/** The maximum number of cached transactions. */
const MAX_ROWS = 2_000
/** The maximum length of the record of a cached transaction, in characters. */
const MAX_RECORD_CHARACTERS = 16_000

/** A transaction, and the text of its record. */
interface KeptRow {
  transaction: Transaction
  text: string
}

export type KeptRows = ReturnType<typeof createKeptRows>

/**
 * On SQLite, caches recently used transactions, so that an unchanged row is not parsed again. On Postgres, reads every
 * transaction, because other processes may change it.
 */
export function createKeptRows({ query, foreignChanges, dialect }: Driver, findStatement: string) {
  const listStatement = listByIdsOf(dialect)
  const kept = new Map<string, KeptRow>()
  let gathered: ReturnType<typeof gather> | null = null
  let lastChanges: number | null = null
  let isChecked = false
  return {
    find: foreignChanges ? async (id: string) => findKept(id, foreignChanges) ?? read(id) : readWithOthers,
    keep,
    /** Keeps a transaction as it was inserted, so that its first commit need not read it. */
    keepNew: (row: NewTransaction) => keepRow(insertedRow(row), JSON.stringify(row.record)),
    forget: (id: string) => kept.delete(id),
    forgetAll: () => kept.clear(),
  }

  /** Looks for changes by others once in a turn of the event loop, because this takes longer than finding a row. */
  function findKept(id: string, changes: () => number): Transaction | undefined {
    if (!isChecked) {
      const current = changes()
      if (current !== lastChanges) {
        kept.clear()
      }

      lastChanges = current
      isChecked = true
      setImmediate(() => (isChecked = false))
    }
    return kept.get(id)?.transaction
  }

  async function read(id: string): Promise<Transaction | null> {
    const [row] = await query(findStatement, id)
    return keepFound(row)
  }

  /**
   * The reads of one turn of the event loop share a statement, which starts in the next turn. A row that cannot be read
   * fails alone.
   */
  function readWithOthers(id: string): Promise<Transaction | null> {
    gathered ??= gather()
    const { reads, found } = gathered
    const begun = reads.get(id)
    if (begun) {
      return begun
    }

    const read = found.then((rows) => keepFound(rows.get(id)))
    reads.set(id, read)
    return read
  }

  function gather() {
    const reads = new Map<string, Promise<Transaction | null>>()
    const found = nextTurn().then(async () => {
      gathered = null
      const ids = [...reads.keys()]
      const rows = await (ids.length === 1
        ? query(findStatement, ids[0])
        : query(listStatement, JSON.stringify(ids)))
      return new Map(rows.map((row) => [IdRow.parse(row).id, row]))
    })
    return { reads, found }
  }

  function keepFound(row: unknown): Transaction | null {
    return row === undefined ? null : keep(row)
  }

  /**
   * Returns the transaction of a row, and keeps it. Most changes leave its record as it was: this stays one object, because
   * what is derived from it (the whole record, the parsed one) is cached by the object.
   */
  function keep(row: unknown): Transaction {
    const { record: text } = TextColumn.parse(row)
    const others = OtherColumns.parse(row)
    const before = kept.get(others.id)
    const isSame = before?.text === text && before.transaction.personal === others.personal
    const record = isSame ? before.transaction.record : RecordText.parse(text)
    const transaction = { record, ...others }
    keepRow(transaction, text)
    return transaction
  }

  /** A full cache drops its oldest row. */
  function keepRow(transaction: Transaction, text: string): void {
    if (!foreignChanges) {
      return
    }

    const { id } = transaction
    kept.delete(id)
    if (text.length > MAX_RECORD_CHARACTERS) {
      return
    }

    kept.set(id, { transaction, text })
    if (kept.size > MAX_ROWS) {
      const [oldest = ''] = kept.keys()
      kept.delete(oldest)
    }
  }
}
